// rosenblatt._core: the C++ core for Python.
#include "arrays.hpp"

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);
  m.doc() = "The C++ core as Python sees it. Matrices come as rows, weights in the layout of core/base/rows.hpp.";
  bind_interrupts(m);
  bind_rows(m);
  bind_row_writers(m);
  bind_linear(m);
  bind_trace(m);
  bind_linear_unit(m);
  bind_separate(m);
  bind_svmlight(m);
  bind_kernel(m);
  bind_sparse_dots(m);
  bind_corpus(m);
  bind_conll(m);
  bind_table(m);
  bind_json(m);
  bind_chain(m);
  bind_parse(m);
  bind_text(m);
  bind_sentence_text(m);
}

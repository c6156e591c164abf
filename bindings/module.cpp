// rosenblatt._core: the C++ core for Python.
#include "arrays.hpp"
#include "loop/interrupts.hpp"

namespace {

// Lets Python see a Ctrl-C; its exception ends the loop. On a thread that is not Python's first it finds nothing.
void look_for_signals() {
  nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_core, m) {
  rosenblatt::interruption.ask = look_for_signals;
  nb::set_leak_warnings(false);
  m.doc() = "The C++ core as Python sees it. Matrices come as rows, weights in the layout of core/loop/rows.hpp.";
  bind_rows(m);
  bind_linear(m);
  bind_linear_unit(m);
  bind_separate(m);
  bind_svmlight(m);
  bind_kernel(m);
  bind_sparse_dots(m);
  bind_corpus(m);
  bind_conll(m);
  bind_chain(m);
}

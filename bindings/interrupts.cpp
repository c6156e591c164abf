// How Python ends long loops of the core: by Ctrl-C, or from a thread that waits for another one.
#include "base/interrupts.hpp"

#include <unistd.h>

#include <csignal>

#include "arrays.hpp"

using namespace rosenblatt;

namespace {

// Lets Python handle a Ctrl-C, whose exception ends the loop. It does nothing outside Python's main thread.
void look_for_signals() {
  nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// The result of work(). Meanwhile the loops of this thread ask `ask`, which raises to end them.
using Work = nb::typed<nb::callable, nb::any()>;
using Ask = nb::typed<nb::callable, void()>;
nb::typed<nb::object, nb::any> call_asking(const Work& work, const Ask& ask) {
  const auto asked = [&] {
    nb::gil_scoped_acquire locked;
    ask();
  };
  const Interruption how{asked};
  const InterruptionHere here(how);
  return work();
}

// A handler that a signal may call: it allocates no memory, and cleans nothing up.
void end_program(int) {
  constexpr char said[] = "interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, said, sizeof said - 1);
  _exit(130);
}

// From now on Ctrl-C ends the program itself, also in the middle of other libraries' long calls, which Python cannot
// end; until Python's signal.signal is called again.
void end_at_interrupt() { std::signal(SIGINT, end_program); }

}  // namespace

void bind_interrupts(nb::module_& m) {
  InterruptionHere::ask_elsewhere(look_for_signals);
  m.def("call_asking", &call_asking, nb::arg("work"), nb::arg("ask"));
  m.def("end_at_interrupt", &end_at_interrupt);
}

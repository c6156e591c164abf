// Work in the core while other threads of Python run.
#pragma once

#include <nanobind/nanobind.h>

// What `work` gives; it must touch no object of Python.
template <class Work>
auto unlocked(Work work) {
  nanobind::gil_scoped_release others_may_run;
  return work();
}

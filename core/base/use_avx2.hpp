// Tests run both compilations of the loops, because both must give the same bits. Only native tests include this, and
// bindings/rows.cpp for the tests in Python.
#pragma once

#include "base/lanes.hpp"

namespace rosenblatt {

inline void use_avx2(bool use) { Avx2::is_used_ = use && machine_has_avx2(); }

}  // namespace rosenblatt

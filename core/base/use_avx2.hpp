// Tests run both compilations of the loops, since both must give the same bits; nothing else includes this.
#pragma once

#include "base/lanes.hpp"

namespace rosenblatt {

inline void use_avx2(bool use) { Avx2::is_used_ = use && machine_has_avx2(); }

}  // namespace rosenblatt

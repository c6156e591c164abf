// What must hold for any bytes: if it does not, the fuzzed program aborts, which the driver and libFuzzer both notice.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace rosenblatt {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace rosenblatt

// CHECK(condition) counts, and prints the place of what does not hold; `return report();` ends a test program.
// CHECK_THROWS(expression, Exception, words) wants that exception, with these words in its message.
#pragma once

#include <cstdio>
#include <cstring>

namespace check {

inline int passed = 0, failed = 0;

inline void note(bool holds, const char* what, const char* file, int line) {
  (holds ? passed : failed) += 1;
  if (!holds) std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

template <class Exception, class Action>
bool throws(Action action, const char* words) {
  try {
    action();
  } catch (const Exception& error) {
    return std::strstr(error.what(), words) != nullptr;
  }
  return false;
}

inline int report() {
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(...) check::note(bool(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(expression, Exception, words)                                                               \
  check::note(check::throws<Exception>([&] { expression; }, words), #expression " throws " #Exception " " words, \
              __FILE__, __LINE__)

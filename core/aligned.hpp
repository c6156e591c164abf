// Memory that starts with a cache line; a large piece of it lies in huge pages where the system gives them, so that
// finding its way around there takes the machine far fewer look-ups.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rosenblatt {

template <class T>
struct Aligned {
  using value_type = T;

  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(size_t n) {
    if (n > std::numeric_limits<size_t>::max() / sizeof(T)) throw std::bad_alloc();
    void* const memory = ::operator new(n * sizeof(T), alignment(n));
#if defined(MADV_HUGEPAGE)
    if (is_large(n)) madvise(memory, n * sizeof(T), MADV_HUGEPAGE);  // a wish: if it is not granted, all is as before
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, size_t n) { ::operator delete(p, alignment(n)); }
  bool operator==(const Aligned&) const { return true; }

 private:
  static constexpr size_t kLine = 64, kHugePage = size_t{1} << 21;
  static bool is_large(size_t n) { return n * sizeof(T) >= 2 * kHugePage; }
  static std::align_val_t alignment(size_t n) { return std::align_val_t{is_large(n) ? kHugePage : kLine}; }
};

}  // namespace rosenblatt

// Room for the page's arrays, the columns that a call has left, and what becomes of a throw.
#include <new>

#include "page.hpp"

ROSENBLATT_EXPORT(take) void* take(int32_t bytes) { return ::operator new(size_t(bytes)); }
ROSENBLATT_EXPORT(give) void give(void* room) { ::operator delete(room); }
ROSENBLATT_EXPORT(column) const double* column(int32_t place) { return page::columns[size_t(place)].data(); }
ROSENBLATT_EXPORT(size) int32_t size(int32_t place) { return int32_t(page::columns[size_t(place)].size()); }

__attribute__((import_module("page"), import_name("fail"))) extern "C" void fail(const char* what);

// WebAssembly without its exceptions, which not every browser has, cannot unwind the stack: a throw hands its message
// to the page, which ends this instance.
extern "C" {
alignas(16) static char thrown[256];
void* __cxa_allocate_exception(size_t) noexcept { return thrown; }
void __cxa_free_exception(void*) noexcept {}
[[noreturn]] void __cxa_throw(void* what, void*, void (*)(void*)) {
  fail(static_cast<std::exception*>(what)->what());
  __builtin_trap();
}
}

// libc++ asks this where it gives up. Its own prints why, for which it brings all of printf along.
void std::__libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }

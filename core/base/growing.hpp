// An array that grows at its end and leaves new places unset, for numbers that are written where they will stay.
// Its memory comes from malloc, so that realloc can grow a large array by mapping its pages anew, without a copy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace rosenblatt {

template <class T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Growing() = default;
  Growing(Growing&& other) noexcept { swap(other); }
  Growing& operator=(Growing&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Growing() { std::free(data_); }

  int64_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int64_t i) { return data_[i]; }
  const T& operator[](int64_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  // Where the next `more` entries go; add(n) then says how many were written.
  T* room(int64_t more) {
    if (more > capacity_ - size_) reserve(std::max(size_ + more, capacity_ + capacity_ / 2));
    return data_ + size_;
  }
  void add(int64_t written) { size_ += written; }
  void push(T value) {
    *room(1) = value;
    ++size_;
  }
  void append(const T* values, int64_t count) {
    std::copy_n(values, count, room(count));
    size_ += count;
  }
  void shorten(int64_t size) { size_ = size; }
  void give_back() {
    if (size_ < capacity_) reserve(std::max(size_, int64_t{1}));
  }

 private:
  void reserve(int64_t capacity) {
    if (capacity > std::numeric_limits<int64_t>::max() / int64_t(sizeof(T))) throw std::bad_alloc();
    void* const data = std::realloc(data_, static_cast<size_t>(capacity) * sizeof(T));
    if (!data) throw std::bad_alloc();
    data_ = static_cast<T*>(data);
    capacity_ = capacity;
  }
  void swap(Growing& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  int64_t size_ = 0, capacity_ = 0;
};

}  // namespace rosenblatt

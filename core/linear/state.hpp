// The state of a linear run: all that its passes change. Its arrays are the state's own, or shared with their owner,
// as a mapped file shares its weights with every model that was loaded from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/readout.hpp"
#include "base/rows.hpp"

namespace rosenblatt {

// Numbers that several owners share. Without `writable` they can only be read.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;  // no array
  SharedArray(int64_t size, T value) {
    std::shared_ptr<T[]> memory(new T[size_t(size)]);
    std::fill_n(memory.get(), size, value);
    writable_ = memory.get();
    memory_ = std::move(memory);
  }
  SharedArray(std::shared_ptr<const T[]> memory, T* writable) : memory_(std::move(memory)), writable_(writable) {}

  explicit operator bool() const { return memory_ != nullptr; }
  bool is_writable() const { return writable_ != nullptr; }
  T* data() { return writable_; }
  const T* data() const { return memory_.get(); }

 private:
  std::shared_ptr<const T[]> memory_;
  T* writable_ = nullptr;
};

// Weights that score rows: (features + 1) x stride, see rows.hpp.
template <class T>
struct LinearWeights {
  const T* w;
  int64_t features, stride;
  int32_t machines;  // rows of weights: 1, or one a class
  T bias;

  // Of one row of data, under each row of weights; `out` has room for `stride` scores.
  template <class Row>
  ROSENBLATT_INLINE void score(Row x, T* out) const {
    scores(x, w, stride, bias, features, out);
  }
};

template <class T>
struct LinearState {
  int64_t features, stride;
  int32_t machines;
  double bias;  // the value of the constant feature; 0 if there is none
  SharedArray<T> w;
  SharedArray<T> spread;     // AROW: the variance of each weight
  SharedArray<double> sums;  // for the average
  int64_t visits = 0;
  int64_t unaveraged = 0;  // the first visits, whose weights the average leaves out
  SharedArray<T> pocket;   // the weights with the fewest mistakes so far, ...
  double pocket_errors = std::numeric_limits<double>::infinity();  // ... and how many they make
  bool keeps_mistakes = false;
  std::vector<Event> mistakes;

  LinearState(int64_t features, int32_t machines, double bias, SharedArray<T> w)
      : features(features), stride(stride_of(machines)), machines(machines), bias(bias), w(std::move(w)) {}
  // From weights of zero.
  LinearState(int64_t features, int32_t machines, double bias) : LinearState(features, machines, bias, {}) {
    w = SharedArray<T>(size(), T(0));
  }

  int64_t size() const { return (features + 1) * stride; }
  LinearWeights<T> weights() const { return {w.data(), features, stride, machines, static_cast<T>(bias)}; }
  int64_t averaged_visits() const { return std::max(visits - unaveraged, int64_t{0}); }
  double age() const { return double(averaged_visits()); }
  bool is_finite() const { return all_finite(w.data(), size()); }

  // The mean of one weight; the weight itself before there are visits to average.
  ROSENBLATT_INLINE T average(int64_t j) const {
    const int64_t visits = averaged_visits();
    return visits > 0 ? static_cast<T>(averaged(double(w.data()[j]), sums.data()[j], visits)) : w.data()[j];
  }
  // The means of all, times `unit`: see step.hpp.
  void fill_average(T unit, T* out) const {
    Interrupts interrupts;
    dispatch([&] {
      interrupts.in_pieces(size(), [&](int64_t first, int64_t last) {
        for (int64_t j = first; j < last; ++j) out[j] = average(j) * unit;
      });
    });
  }
};

}  // namespace rosenblatt

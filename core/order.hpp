// Which row comes next: the listed order, or a shuffled one that depends on the seed and the pass alone.
// Shuffled: the rows are cut into blocks of 64, the blocks are permuted, and each window of 16 blocks is shuffled
// row by row. Up to 1024 rows that is a plain shuffle; beyond, it keeps memory local, and while one window is
// visited the next one's rows are prefetched in the order in which they lie. Data sorted by class is mixed too,
// because a window draws its blocks from everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace rosenblatt {

// SplitMix64 (Steele, Lea and Flood 2014): small, and the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int64_t below(int64_t n) {  // n < 2^32
    return static_cast<int64_t>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32);
  }
  template <class Iterator>
  void shuffle(Iterator begin, Iterator end) {
    for (auto i = end - begin; i > 1; --i) std::swap(begin[i - 1], begin[below(i)]);
  }

 private:
  uint64_t state_;
};

class Order {
 public:
  static constexpr int64_t kBlock = 64;
  static constexpr size_t kWindow = 16 * kBlock;

  Order(int64_t rows, bool shuffled, uint64_t seed, uint64_t pass)
      : rows_(rows), shuffled_(shuffled), random_(Random(seed).next() ^ Random(~pass).next()) {
    if (!shuffled_) return;
    // A plain shuffle if it all fits into one window.
    block_ = rows <= int64_t(kWindow) ? 1 : kBlock;
    blocks_.resize(size_t((rows + block_ - 1) / block_));
    std::iota(blocks_.begin(), blocks_.end(), int64_t{0});
    random_.shuffle(blocks_.begin(), blocks_.end());
  }

  // The next row to visit; to be called `rows` times. `source` prefetches: the row's values, and before that what
  // leads to the values of rows first to last.
  template <class Source>
  int64_t next(const Source& source) {
    if (!shuffled_) return int64_t(position_++);
    if (position_ == window_.size()) open_next_window(source);
    if (position_ < coming_.size()) source.prefetch_row(coming_[position_]);
    return window_[position_++];
  }

 private:
  template <class Source>
  void open_next_window(const Source& source) {
    if (coming_.empty()) fill_coming(source);
    std::swap(window_, coming_);
    random_.shuffle(window_.begin(), window_.end());
    position_ = 0;
    fill_coming(source);
  }

  template <class Source>
  void fill_coming(const Source& source) {
    coming_.clear();
    while (next_block_ < blocks_.size() && coming_.size() < kWindow) {
      const int64_t first = blocks_[next_block_++] * block_, last = std::min(first + block_, rows_);
      source.prefetch_index(first, last);
      for (int64_t i = first; i < last; ++i) coming_.push_back(i);
    }
  }

  int64_t rows_, block_ = 1;
  size_t position_ = 0;
  bool shuffled_;
  Random random_;
  size_t next_block_ = 0;
  std::vector<int64_t> blocks_, window_, coming_;
};

}  // namespace rosenblatt

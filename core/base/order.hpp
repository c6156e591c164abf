// Which row comes next: the listed order, or a shuffled one that depends on the seed and the pass alone.
// Shuffled: the rows are cut into blocks, the blocks are permuted, and 32 of them are open at a time. Layer by layer,
// each open block gives its next row, in a new random order of the blocks. A block is one row up to 16,383 rows (a
// plain shuffle) and grows with their number to 128, which keeps memory local; while one layer is visited the rows of
// the next are prefetched, and in the listed order those a few rows on. Data sorted by class is mixed too, because the
// open blocks come from everywhere.
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

// For those who want to know the order alone.
struct NoPrefetch {
  void prefetch_row(int64_t) const {}
  void prefetch_index(int64_t, int64_t) const {}
};

// Every run of passes: calls pass(number) up to `passes` times, from `first` on, for as long as it answers true.
template <class Pass>
void run_passes(int64_t first, int64_t passes, Pass pass) {
  const int64_t end = first + passes;
  for (int64_t number = first; number < end && pass(number);) ++number;
}

class Order {
 public:
  static constexpr int64_t kLongestBlock = 128, kBlocks = 8192, kOpen = 32, kAhead = 8;
  static constexpr int64_t kMostRows = int64_t{1} << 38;  // fewer than 2^32 blocks

  Order(int64_t rows, bool shuffled, uint64_t seed, uint64_t pass)
      : rows_(rows), shuffled_(shuffled), random_(Random(seed).next() ^ Random(~pass).next()) {
    if (!shuffled_ || rows == 0) return;
    block_ = std::clamp(rows / kBlocks, int64_t{1}, kLongestBlock);
    blocks_.resize(size_t((rows + block_ - 1) / block_));
    std::iota(blocks_.begin(), blocks_.end(), int64_t{0});
    random_.shuffle(blocks_.begin(), blocks_.end());
    depth_ = block_;
    // All groups get nearly the same size, because a block that is open alone would give its rows in listed order.
    groups_ = (int64_t(blocks_.size()) + kOpen - 1) / kOpen;
  }

  // The next row to visit; to be called `rows` times. `source` fetches ahead: prefetch_row(i) the values of a row, and
  // before that prefetch_index(first, last) what says where the values of these rows lie.
  template <class Source>
  int64_t next(Source& source) {
    if (!shuffled_) {
      const auto row = int64_t(position_++);
      if (row + kAhead < rows_) source.prefetch_row(row + kAhead);
      return row;
    }
    if (position_ == layer_.size()) open_next_layer(source);
    if (position_ < coming_.size()) source.prefetch_row(coming_[position_]);
    return layer_[position_++];
  }

 private:
  template <class Source>
  void open_next_layer(Source& source) {
    if (coming_.empty()) fill_coming(source);
    std::swap(layer_, coming_);
    position_ = 0;
    fill_coming(source);
  }

  template <class Source>
  void fill_coming(Source& source) {
    coming_.clear();
    while (coming_.empty() && (depth_ < block_ || group_ < groups_)) {
      if (depth_ == block_) open_next_group(source);
      for (const int64_t first : open_)
        if (first + depth_ < rows_) coming_.push_back(first + depth_);
      ++depth_;
    }
    random_.shuffle(coming_.begin(), coming_.end());
  }

  template <class Source>
  void open_next_group(Source& source) {
    const auto count = int64_t(blocks_.size());
    open_.clear();
    for (int64_t b = count * group_ / groups_; b < count * (group_ + 1) / groups_; ++b) {
      const int64_t first = blocks_[size_t(b)] * block_;
      source.prefetch_index(first, std::min(first + block_, rows_));
      open_.push_back(first);
    }
    ++group_;
    depth_ = 0;
  }

  int64_t rows_, block_ = 0, groups_ = 0, group_ = 0, depth_ = 0;
  size_t position_ = 0;
  bool shuffled_;
  Random random_;
  std::vector<int64_t> blocks_, open_, layer_, coming_;
};

}  // namespace rosenblatt

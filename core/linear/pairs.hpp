// AROW on sparse rows of two classes: each weight lies beside its variance, so that a value of a row finds both with
// one load, and the score and the variance of a row are summed together. What was found is kept until the next row,
// and need not be looked up again where the row is a mistake. The bits are those that two arrays give.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "linear/state.hpp"

namespace rosenblatt {

template <class T>
struct Pair {
  T w, spread;
};

// The pairs of as many columns as a part has lanes.
template <class T, class I>
ROSENBLATT_INLINE void take_pairs(Part<T>& w, Part<T>& spread, const Pair<T>* pairs, const I* columns) {
  w = gathered<T>([=](int l) ROSENBLATT_ALWAYS { return pairs[columns[l]].w; });
  spread = gathered<T>([=](int l) ROSENBLATT_ALWAYS { return pairs[columns[l]].spread; });
}

template <class T, class I>
ROSENBLATT_INLINE void put_pairs(Part<T> w, Part<T> spread, Pair<T>* pairs, const I* columns) {
  for (int l = 0; l < kWidth<T>; ++l) pairs[columns[l]] = {w[l], spread[l]};
}

// A pair of floats moves as one double; where each of the eight goes is what a single shuffle of AVX puts in order.
template <class I>
ROSENBLATT_INLINE void take_pairs(Part<float>& w, Part<float>& spread, const Pair<float>* pairs, const I* columns) {
  const auto pair = [=](int l) ROSENBLATT_ALWAYS { return std::bit_cast<double>(pairs[columns[l]]); };
  const auto a = std::bit_cast<Part<float>>(Part<double>{pair(0), pair(1), pair(4), pair(5)});
  const auto b = std::bit_cast<Part<float>>(Part<double>{pair(2), pair(3), pair(6), pair(7)});
  w = ROSENBLATT_SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
  spread = ROSENBLATT_SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

template <class I>
ROSENBLATT_INLINE void put_pairs(Part<float> w, Part<float> spread, Pair<float>* pairs, const I* columns) {
  const auto a = std::bit_cast<Part<double>>(ROSENBLATT_SHUFFLE(w, spread, 0, 8, 1, 9, 4, 12, 5, 13));
  const auto b = std::bit_cast<Part<double>>(ROSENBLATT_SHUFFLE(w, spread, 2, 10, 3, 11, 6, 14, 7, 15));
  for (int l = 0; l < 4; ++l) {
    constexpr int kPlace[] = {0, 1, 4, 5};
    const double first = a[l], second = b[l];
    std::memcpy(pairs + columns[kPlace[l]], &first, sizeof first);
    std::memcpy(pairs + columns[kPlace[l] + 2], &second, sizeof second);
  }
}

// Eight lanes of which the first `inside` are read and all others are `other`; eight must be readable.
template <class E>
ROSENBLATT_INLINE void fill_lanes(E* lanes, const E* from, int64_t inside, E other) {
  Part<E> part;
  for (int p = 0; p < kParts<E>; ++p) {
    load(part, from + p * kWidth<E>);
    store<E>(lanes + p * kWidth<E>, lanes_of<E>(p) < static_cast<Whole<E>>(inside) ? part : Part<E>{} + other);
  }
}

template <class Row>
class Pairs {
 public:
  using T = typename Row::Value;
  using Column = typename Row::Column;

  // As long as this lives, the pairs stand for the weights and variances of a state. It writes them back at its end,
  // also when the pass is interrupted, because the state's sums have changed with them.
  class Loan {
   public:
    Loan(Pairs& pairs, LinearState<T>& state) : pairs_(pairs.pairs_), state_(state) {
      pairs.bias_ = static_cast<T>(state.bias);
      const T *w = state.w.data(), *spread = state.spread.data();
      pairs_.reserve(size_t(state.size()));
      for (int64_t j = 0; j < state.size(); ++j) pairs_.push_back({w[j], spread[j]});
    }
    Loan(const Loan&) = delete;
    ~Loan() {
      T *w = state_.w.data(), *spread = state_.spread.data();
      for (const auto& pair : pairs_) *w++ = pair.w, *spread++ = pair.spread;
      pairs_.clear();
    }

   private:
    std::vector<Pair<T>>& pairs_;
    LinearState<T>& state_;
  };

  bool empty() const { return pairs_.empty(); }

  // What dot() gives; variance() then is what squared_norm() gives.
  ROSENBLATT_INLINE T score(Row x, Row coming) {
    if (2 * (x.size + kLanes) > int64_t(found_.size())) make_room(x.size);
    const Pair<T>* const pairs = pairs_.data();
    T* const found = found_.data();
    Part<T> scores[kParts<T>] = {}, variances[kParts<T>] = {}, values = {}, w = {}, spread = {};
    const auto look = [&](int p, const Column* columns, T* kept) ROSENBLATT_ALWAYS {
      take_pairs(w, spread, pairs, columns);
      store(kept, w);
      store(kept + kWidth<T>, spread);
      scores[p] += values * w;
      variances[p] += values * values * spread;
    };
    Fetching fetching(coming);
    int64_t k = 0;
    for (; k + kLanes <= x.size; k += kLanes) {
      fetching.step();
      for (int p = 0; p < kParts<T>; ++p) {
        const int64_t at = k + p * kWidth<T>;
        load(values, x.values + at);
        look(p, x.columns + at, found + 2 * at);
      }
    }
    fetching.rest();
    take_rest(x, k);
    for (int p = 0; p < kParts<T>; ++p) {
      const int l = p * kWidth<T>;
      load(values, rest_value_ + l);
      values = lanes_of<T>(p) <= static_cast<Whole<T>>(x.size - k) ? values : Part<T>{};
      look(p, rest_column_ + l, found + 2 * (k + l));
    }
    variance_ = sum<T>(variances);
    return sum<T>(scores);
  }

  T variance() const { return variance_; }

  // Adds the row that was scored last, in which no column may be named twice.
  ROSENBLATT_INLINE void add(Row x, T tau, T beta, double* sums, double age) {
    Pair<T>* const pairs = pairs_.data();
    const T* const found = found_.data();
    const auto change = [=](const T* value, const Column* columns, const T* kept, int64_t inside) ROSENBLATT_ALWAYS {
      Part<T> values, w, spread;
      load(values, value);
      load(w, kept);
      load(spread, kept + kWidth<T>);
      const Part<T> scaled = spread * values, added = tau * scaled;
      const Part<T> zero{}, left = spread - beta * scaled * scaled;
      put_pairs(w + added, left < zero ? zero : left, pairs, columns);  // rounding may go below 0
      for (int l = 0; sums && l < kWidth<T> && l < inside; ++l) sums[columns[l]] += age * double(added[l]);
    };
    int64_t k = 0;
    for (; k + kLanes <= x.size; k += kLanes)
      for (int64_t at = k; at < k + kLanes; at += kWidth<T>)
        change(x.values + at, x.columns + at, found + 2 * at, kLanes);
    for (int64_t l = 0; l < kLanes; l += kWidth<T>)
      change(rest_value_ + l, rest_column_ + l, found + 2 * (k + l), x.size - k + 1 - l);
  }

 private:
  [[gnu::noinline, gnu::cold]] void make_room(int64_t size) { found_.resize(size_t(4 * (size + kLanes))); }

  // The last values of a row, fewer than the lanes. All lanes behind them hold the constant feature: its score counts
  // in the first of them only, and to add it they all write the same.
  ROSENBLATT_INLINE void take_rest(Row x, int64_t k) {
    const auto constant = static_cast<Column>(pairs_.size() - 1);
    if (k + kLanes <= x.room) {
      fill_lanes(rest_value_, x.values + k, x.size - k, bias_);
      fill_lanes(rest_column_, x.columns + k, x.size - k, constant);
      return;
    }
    for (int64_t l = 0; l < kLanes; ++l) {
      rest_value_[l] = k + l < x.size ? x.values[k + l] : bias_;
      rest_column_[l] = k + l < x.size ? x.columns[k + l] : constant;
    }
  }

  std::vector<Pair<T>> pairs_;
  T bias_ = 0, variance_ = 0;
  std::vector<T> found_;  // by score(): a part of weights, the part of their variances, and so on
  T rest_value_[kLanes];
  Column rest_column_[kLanes];
};

}  // namespace rosenblatt

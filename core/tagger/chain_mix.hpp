// Iterative parameter mixing of chains (McDonald, Hall, Mann 2010). Shards of the sentences start from the same weights
// w; after some visits shard s has come to w_s. Each has a share n_s, a whole number. Then
//   w <- sum_s mu_s w_s,   mu_s = n_s / sum_s n_s,
// and so for the sum of the weights after each visit, of which the average is made; all shards visit at once, so that
// the clock is that of the one with the most visits. A shard names attributes by their keys, and tells what it has
// changed: all else is as it was, and costs nothing. Integers stay integers, so that no order of summation matters. If
// the shares add up to the units of a weight, the mean is exact: w_s - w is a number of whole steps. Else halves are
// rounded up. Rows are mixed each for itself, so that threads can share them; which rows there are, and their order,
// does not depend on the threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tagger/averaged_table.hpp"
#include "tagger/chain.hpp"

namespace rosenblatt {

// The rows of a mix, to which further ones are added and none is ever taken away.
struct MixedRows {
  std::vector<uint64_t> keys;
  std::vector<int32_t> before;
  std::vector<uint64_t> marks{0};  // marks[n] tells the first n rows from all others

  void add(uint64_t key, int32_t label_before) {
    keys.push_back(key);
    before.push_back(label_before);
    marks.push_back(joined(marks.back() ^ key, uint64_t(label_before + 1)));
  }
  bool begin_with(size_t count, uint64_t mark) const { return count < marks.size() && marks[count] == mark; }
};

class ChainMix {
 public:
  static constexpr int64_t kMostShares = int64_t{1} << 48;  // so that products with sums are within 128 bits

  explicit ChainMix(const Chain& chain)
      : labels_(chain.labels),
        attributes_(chain.attributes),
        most_added_(chain.most_added()),
        units_(chain.units),
        visits_(chain.visits),
        parts_(chain.parts),
        places_(chain.keys.size()),
        table_(averaged_table<RowSums>(chain)) {
    Interrupts interrupts;
    for (size_t k = 0; k < chain.keys.size(); ++k) {
      interrupts.after(kWorkOfACell);
      place_of(chain.keys[k], chain.before[k]);
    }
    largest_sum_ = largest_of(chain).sum;
  }

  int64_t labels() const { return labels_; }
  const std::vector<int32_t>& parts() const { return parts_; }
  int64_t attributes() const { return attributes_; }
  int64_t units() const { return units_; }
  int64_t visits() const { return visits_; }
  const MixedRows& rows() const { return rows_; }
  const AveragedTablesWith<RowSums>& table() const { return table_; }

  // What shards have changed in a round that began with this mix, see ChainTraining::changed, and their shares.
  // share(size, work) calls work(first, last) for parts of 0 to size, one after the other or at once.
  // If it throws, but for an interrupt, nothing has changed.
  template <class Share>
  void mix(const std::vector<const Chain*>& shards, const std::vector<int64_t>& shares, Share share) {
    const auto [total, largest_weight_of_shards, integers, narrow] = check(shards, shares);
    for (const Chain* shard : shards) visits_ = std::max(visits_, shard->visits);
    if (total == 0) return;
    std::vector<std::vector<int32_t>> places;
    try {
      places = places_of(shards, shares, share);
    } catch (...) {
      make_room();  // rows that are known already have their place in the table
      throw;
    }
    while (!has_room(largest_weight_of_shards, integers)) table_ = promoted(table_);
    make_room();
    const auto changes = changes_of(shards, shares, places);
    const bool alone = std::count(shares.begin(), shares.end(), 0) + 1 == std::ssize(shares);
    std::visit(
        [&, total = total,
         narrow = narrow]<class W>(Table<W>& table) {  // clang before 16 captures no binding by itself
          std::array<Largest, kParts> largest;
          share(kParts, [&](int64_t first, int64_t end) {
            const size_t n = changes.rows.size(), from = n * size_t(first) / kParts, to = n * size_t(end) / kParts;
            const auto part = std::span(changes.rows).subspan(from, to - from);
            largest[size_t(first)] = alone    ? take(table, changes, part)
                                     : narrow ? apply<int64_t>(table, changes, part, total)
                                              : apply<Wide>(table, changes, part, total);
          });
          for (const auto& [w, sum] : largest) {
            table.largest = std::max(table.largest, static_cast<typename Table<W>::Sum>(w));
            largest_sum_ = std::max(largest_sum_, sum);
          }
        },
        table_);
  }

  Chain chain() const {
    Chain chain(labels_, attributes_, table_.index() < 2, units_, parts_);
    chain.visits = visits_;
    chain.keys = rows_.keys;
    chain.before = rows_.before;
    std::vector<int32_t> rows(rows_.keys.size());
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<int32_t>(k + 1);
    std::visit([&](const auto& table) { put_cells(table, rows, chain); }, table_);
    return chain;
  }

 private:
  // All rows have a place in the table.
  void make_room() {
    const auto rows = int64_t(rows_.keys.size() + 1);
    std::visit(
        [&](auto& table) {
          table.resize(rows);
          table.sums.expect_rows(rows);
        },
        table_);
  }

  template <class W>
  using Table = AveragedTable<W, RowSums>;

  // A row of a shard: its cells, and the next change of the same row, by a later shard.
  struct Change {
    int32_t shard, n_cells;
    size_t first_cell;
    int64_t next;
  };
  // Rows with their first changes, in the order of shards.
  using ChangedRow = std::pair<int32_t, int64_t>;
  struct Changes {
    const std::vector<const Chain*>& shards;
    const std::vector<int64_t>& shares;
    std::vector<Change> all;
    std::vector<ChangedRow> rows;

    // Calls work(cells of the chain, label, cell) for each cell that the change has.
    template <class Work>
    void for_each_cell(const Change& change, Work work) const {
      const Chain& chain = *shards[size_t(change.shard)];
      std::visit(
          [&](const auto& cells) {
            for (size_t k = change.first_cell; k < change.first_cell + size_t(change.n_cells); ++k)
              work(cells, chain.cell_labels[k], k);
          },
          chain.cells);
    }
  };
  // The largest weight and the largest sum, without their signs.
  struct Largest {
    double w = 0, sum = 0;
    template <class Sum>
    void see(Sum weight, Sum sum_of_cell) {
      w = std::max(w, std::abs(double(weight)));
      sum = std::max(sum, std::abs(double(sum_of_cell)));
    }
  };
  struct Checked {
    int64_t shares;
    double largest_weight;
    bool integers;
    bool narrow;  // whether 64 bits are enough for all that is added up
  };
  static constexpr int64_t kEnd = -1;
  static constexpr int64_t kParts = 64;  // of the rows, to be shared
  static constexpr size_t kAhead = 16;   // rows that are fetched before they are needed

  static Largest largest_of(const Chain& chain) {
    Largest found;
    std::visit(
        [&](const auto& cells) {
          for (size_t k = 0; k < cells.w.size(); ++k) found.see(cells.w[k], cells.sums[k]);
        },
        chain.cells);
    return found;
  }

  // Shards may come from elsewhere: whatever is relied on is checked.
  Checked check(const std::vector<const Chain*>& shards, const std::vector<int64_t>& shares) const {
    insist(shards.size() == shares.size(), "each shard must have a share");
    int64_t total = 0, visits = visits_;
    Largest largest;
    size_t rows = rows_.keys.size();
    bool integers = true;
    for (size_t s = 0; s < shards.size(); ++s) {
      const Chain& shard = *shards[s];
      insist(shard.labels == labels_ && shard.attributes == attributes_ && shard.units == units_,
             "a shard must have the labels, attributes and units of the mix");
      insist(shard.parts == parts_, "a shard must have the parts of the mix");
      insist(shares[s] >= 0 && shares[s] <= kMostShares - total, "shares must be from 0 to 2^48 in all");
      total += shares[s];
      visits = std::max(visits, shard.visits);
      rows += shard.keys.size();
      integers &= shard.cells.index() == 0;
      const auto [w, sum] = largest_of(shard);
      largest.see(w, sum);
    }
    if (rows >= size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many rows of weights");
    const double of_mix = std::visit([](const auto& table) { return double(table.largest); }, table_);
    const double most = double(visits) * std::max(largest.w, of_mix) + largest_sum_ + largest.sum;
    insist(most < (integers && table_.index() < 2 ? 0x1p61 : 0x1p900), "weights and sums are too large");
    return {total, largest.w, integers, most * double(total) < 0x1p60};
  }

  // The place of a row, from 0 on; a new one comes last.
  int32_t place_of(uint64_t key, int32_t before) {
    const auto next = static_cast<int32_t>(rows_.keys.size());
    const int32_t place = places_.intern(joined(key, uint64_t(before + 1)), next);
    if (place == next) rows_.add(key, before);
    return place;
  }

  // The place of each row of the shards; of those without a share, which do not count, none.
  template <class Share>
  std::vector<std::vector<int32_t>> places_of(const std::vector<const Chain*>& shards,
                                              const std::vector<int64_t>& shares, Share share) {
    std::vector<std::vector<int32_t>> places(shards.size());
    share(std::ssize(shards), [&](int64_t first, int64_t end) {
      Interrupts interrupts;
      for (auto s = size_t(first); s < size_t(end); ++s) {
        if (shares[s] == 0) continue;
        const auto& keys = shards[s]->keys;
        const auto key = [&](size_t k) { return joined(keys[k], uint64_t(shards[s]->before[k] + 1)); };
        places[s].resize(keys.size());
        for (size_t k = 0; k < keys.size(); ++k) {
          interrupts.after(kWorkOfACell);
          if (k + kAhead < keys.size()) places_.prefetch(key(k + kAhead));
          places[s][k] = places_.find(key(k));
        }
      }
    });
    Interrupts interrupts;
    for (size_t s = 0; s < shards.size(); ++s)
      for (size_t k = 0; k < places[s].size(); ++k) {
        if (places[s][k] != KeyMap::kUnknown) continue;
        interrupts.after(kWorkOfACell);
        places[s][k] = place_of(shards[s]->keys[k], shards[s]->before[k]);
      }
    return places;
  }

  Changes changes_of(const std::vector<const Chain*>& shards, const std::vector<int64_t>& shares,
                     const std::vector<std::vector<int32_t>>& places) const {
    Changes changes{shards, shares, {}, {}};
    size_t size = 0;
    for (const auto& of_shard : places) size += of_shard.size();
    changes.all.reserve(size);
    changes.rows.reserve(size);
    std::vector<int64_t> last(rows_.keys.size(), kEnd);  // of each row
    Interrupts interrupts;
    for (size_t s = 0; s < shards.size(); ++s) {
      size_t cell = 0;
      for (size_t k = 0; k < places[s].size(); ++k) {
        interrupts.after(kWorkOfACell);
        const auto number = int64_t(changes.all.size());
        const int32_t count = shards[s]->counts[k];
        changes.all.push_back({static_cast<int32_t>(s), count, cell, kEnd});
        int64_t& before = last[size_t(places[s][k])];
        if (before == kEnd)
          changes.rows.emplace_back(places[s][k] + 1, number);
        else
          changes.all[size_t(before)].next = number;
        before = number;
        cell += size_t(count);
      }
    }
    return changes;
  }

  // A mean of weights is no larger than the largest of them.
  bool has_room(double weight, bool integers) const {
    return std::visit(
        [&]<class W>(const Table<W>&) {
          return !std::is_integral_v<W> || (integers && weight <= largest_weight<W>(most_added_));
        },
        table_);
  }

  __extension__ using Wide = __int128;

  // sum / total: integers rounded, halves up.
  template <class Integer>
  static int64_t mean(Integer sum, int64_t total) {
    const Integer twice = 2 * sum + total, whole = 2 * Integer(total);
    return static_cast<int64_t>(twice / whole - (twice % whole < 0));
  }
  double mean(double sum, int64_t total) const {
    const double found = sum / double(total);
    return units_ > 1 ? std::floor(found + 0.5) : found;
  }

  // What one shard alone has learned is taken as it is: real numbers, too, are not rounded.
  template <class W>
  Largest take(Table<W>& table, const Changes& changes, std::span<const ChangedRow> rows) const {
    using Sum = typename ChainTable<W>::Sum;
    Largest largest;
    Interrupts interrupts;
    for (const auto& [row, number] : rows) {
      const Change& change = changes.all[size_t(number)];
      interrupts.after(kWorkOfACell * (1 + change.n_cells));
      changes.for_each_cell(change, [&, row = row](const auto& of, int32_t label, size_t k) {
        const W w = table.cell(row, label) = static_cast<W>(of.w[k]);
        largest.see(Sum(w), table.sums.add(row, label, static_cast<Sum>(of.sums[k])));
      });
    }
    return largest;
  }

  // With A = visits w - sums, the sum of the weights after each visit: w and A become their means over the shards. Of a
  // shard that has not changed them they are as they were, w and visits w - sums.
  template <class Integer, class W>
  Largest apply(Table<W>& table, const Changes& changes, std::span<const ChangedRow> rows, int64_t total) const {
    using Sum = typename ChainTable<W>::Sum;
    using Exact = std::conditional_t<std::is_integral_v<W>, Integer, double>;
    struct Cell {
      Exact w = 0, A = 0;
      bool changed = false;
    };
    std::vector<Cell> cells(static_cast<size_t>(weights_of_a_row(labels_, parts_)));
    std::vector<int32_t> labels;
    const auto visits = Sum(visits_);
    Largest largest;
    Interrupts interrupts;
    for (size_t k = 0; k < rows.size(); ++k) {
      if (k + kAhead < rows.size()) {
        table.prefetch(rows[k + kAhead].first);
        table.sums.prefetch(rows[k + kAhead].first);
      }
      const auto [row, first] = rows[k];
      for (int64_t number = first; number != kEnd; number = changes.all[size_t(number)].next) {
        const Change& change = changes.all[size_t(number)];
        const auto shares = Exact(changes.shares[size_t(change.shard)]);
        interrupts.after(kWorkOfACell * (1 + change.n_cells));
        changes.for_each_cell(change, [&, row = row](const auto& of, int32_t label, size_t k) {
          Cell& cell = cells[size_t(label)];
          if (!cell.changed) labels.push_back(label);
          const auto more = Exact(of.w[k]) - Exact(table.at(row, label));
          cell = {cell.w + shares * more, cell.A + shares * (Exact(visits) * more - Exact(of.sums[k])), true};
        });
      }
      for (const int32_t label : labels) {
        Cell& cell = cells[size_t(label)];
        const auto more = mean(cell.w, total);
        const W w = table.cell(row, label) = static_cast<W>(table.at(row, label) + static_cast<W>(more));
        largest.see(Sum(w), table.sums.add(row, label, visits * Sum(more) - Sum(mean(cell.A, total))));
        cell = {};
      }
      labels.clear();
    }
    return largest;
  }

  int64_t labels_, attributes_, most_added_, units_, visits_;
  std::vector<int32_t> parts_;
  MixedRows rows_;
  KeyMap places_;
  AveragedTablesWith<RowSums> table_;
  double largest_sum_ = 0;
};

}  // namespace rosenblatt

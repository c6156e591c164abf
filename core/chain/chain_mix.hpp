// Iterative parameter mixing of chains (McDonald, Hall, Mann 2010). Shards of the sentences start from the same weights
// w; after some visits shard s has come to w_s, with k_s wrong sentences. Then
//   w <- sum_s mu_s w_s,   mu_s = k_s / sum_s k_s,
// and so for the sum of the weights after each visit, of which the average is made; all shards visit at once, so that
// the clock is that of the one with the most visits. A shard names attributes by their keys, and tells what it has
// changed: all else is as it was, and costs nothing. Integers stay integers, halves are rounded up; so no order of
// summation matters, and what all shards agree on stays as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "chain/averaged_table.hpp"
#include "chain/chain.hpp"

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
  static constexpr int64_t kMostMistakes = int64_t{1} << 48;  // so that products with sums are within 128 bits

  explicit ChainMix(const Chain& chain)
      : labels_(chain.labels),
        attributes_(chain.attributes),
        units_(chain.units),
        visits_(chain.visits),
        parts_(chain.parts),
        places_(chain.keys.size()),
        table_(averaged_table(chain)) {
    Interrupts interrupts;
    for (size_t k = 0; k < chain.keys.size(); ++k) {
      interrupts.after(Chain::kWorkOfACell);
      place_of(chain.keys[k], chain.before[k]);
    }
    largest_sum_ = largest(chain).second;
  }

  int64_t labels() const { return labels_; }
  const std::vector<int32_t>& parts() const { return parts_; }
  int64_t attributes() const { return attributes_; }
  int64_t units() const { return units_; }
  int64_t visits() const { return visits_; }
  const MixedRows& rows() const { return rows_; }
  const AveragedTables& table() const { return table_; }

  // What shards have changed in a round that began with this mix, see ChainTraining::changed, and their mistakes.
  // If it throws, but for an interrupt, nothing has changed.
  void mix(const std::vector<const Chain*>& shards, const std::vector<int64_t>& mistakes) {
    const int64_t total = check(shards, mistakes);
    for (const Chain* shard : shards) visits_ = std::max(visits_, shard->visits);
    if (total == 0) return;
    const auto changes = changes_of(shards, mistakes);
    while (!std::visit([&](const auto& table) { return has_room(table, shards); }, table_)) table_ = promoted(table_);
    std::visit(
        [&]<class W>(AveragedTable<W>& table) {
          table.w.resize((rows_.keys.size() + 1) * size_t(table.stride));
          if (std::count(mistakes.begin(), mistakes.end(), 0) + 1 == std::ssize(mistakes))
            take(table, changes);
          else
            apply(table, changes, total);
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
  // A row of a shard: its cells, and the next change of the same row, by a later shard.
  struct Change {
    const Chain* shard;
    int64_t mistakes;
    size_t first_cell;
    int32_t n_cells;
    int64_t next;
  };
  // Rows with their first changes, in the order of shards.
  struct Changes {
    std::vector<Change> all;
    std::vector<std::pair<int32_t, int64_t>> rows;
  };
  static constexpr int64_t kEnd = -1;
  static constexpr size_t kAhead = 16;  // rows that are fetched before they are needed

  // The largest weight and the largest sum.
  static std::pair<double, double> largest(const Chain& chain) {
    double w = 0, sum = 0;
    std::visit(
        [&](const auto& cells) {
          for (const auto value : cells.w) w = std::max(w, std::abs(double(value)));
          for (const auto value : cells.sums) sum = std::max(sum, std::abs(double(value)));
        },
        chain.cells);
    return {w, sum};
  }

  // Shards may come from elsewhere: whatever is relied on is checked. Returns the number of mistakes.
  int64_t check(const std::vector<const Chain*>& shards, const std::vector<int64_t>& mistakes) const {
    const auto insist = [](bool holds, const char* what) {
      if (!holds) throw std::invalid_argument(what);
    };
    insist(shards.size() == mistakes.size(), "each shard must have a number of mistakes");
    int64_t total = 0, visits = visits_;
    double w = std::visit([](const auto& table) { return double(table.largest); }, table_), sum = 0;
    size_t rows = rows_.keys.size();
    bool integers = table_.index() < 2;
    for (size_t s = 0; s < shards.size(); ++s) {
      const Chain& shard = *shards[s];
      insist(shard.labels == labels_ && shard.attributes == attributes_ && shard.units == units_,
             "a shard must have the labels, attributes and units of the mix");
      insist(shard.parts == parts_, "a shard must have the parts of the mix");
      insist(mistakes[s] >= 0 && mistakes[s] <= kMostMistakes - total, "mistakes must be from 0 to 2^48 in all");
      total += mistakes[s];
      visits = std::max(visits, shard.visits);
      rows += shard.keys.size();
      integers &= shard.cells.index() == 0;
      const auto [w_of_shard, sum_of_shard] = largest(shard);
      w = std::max(w, w_of_shard);
      sum = std::max(sum, sum_of_shard);
    }
    if (rows >= size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many rows of weights");
    insist(double(visits) * w + largest_sum_ + sum < (integers ? 0x1p61 : 0x1p900), "weights and sums are too large");
    return total;
  }

  // The place of a row, from 0 on; a new one comes last.
  int32_t place_of(uint64_t key, int32_t before) {
    const auto next = static_cast<int32_t>(rows_.keys.size());
    const int32_t place = places_.intern(joined(key, uint64_t(before + 1)), next);
    if (place == next) rows_.add(key, before);
    return place;
  }

  Changes changes_of(const std::vector<const Chain*>& shards, const std::vector<int64_t>& mistakes) {
    Changes changes;
    std::vector<int64_t> last(rows_.keys.size(), kEnd);  // of each row
    Interrupts interrupts;
    for (size_t s = 0; s < shards.size(); ++s) {
      if (mistakes[s] == 0) continue;
      size_t cell = 0;
      for (size_t k = 0; k < shards[s]->keys.size(); ++k) {
        interrupts.after(Chain::kWorkOfACell);
        if (k + kAhead < shards[s]->keys.size())
          places_.prefetch(joined(shards[s]->keys[k + kAhead], uint64_t(shards[s]->before[k + kAhead] + 1)));
        const int32_t place = place_of(shards[s]->keys[k], shards[s]->before[k]);
        last.resize(rows_.keys.size(), kEnd);
        const auto number = int64_t(changes.all.size());
        const int32_t count = shards[s]->counts[k];
        changes.all.push_back({shards[s], mistakes[s], cell, count, kEnd});
        if (last[size_t(place)] == kEnd)
          changes.rows.emplace_back(place + 1, number);
        else
          changes.all[size_t(last[size_t(place)])].next = number;
        last[size_t(place)] = number;
        cell += size_t(count);
      }
    }
    return changes;
  }

  // A mean of weights is no larger than the largest of them.
  template <class W>
  bool has_room(const AveragedTable<W>&, const std::vector<const Chain*>& shards) const {
    if constexpr (std::is_integral_v<W>)
      for (const Chain* shard : shards) {
        const auto* cells = std::get_if<ChainCells<int64_t>>(&shard->cells);
        if (cells == nullptr) return false;
        for (const int64_t w : cells->w)
          if (std::abs(double(w)) > largest_weight<W>(shard->most_added())) return false;
      }
    return true;
  }

  template <class Sum>
  void note(Sum sum) {
    largest_sum_ = std::max(largest_sum_, std::abs(double(sum)));
  }

  __extension__ using Wide = __int128;

  // sum / total: integers rounded, halves up.
  int64_t mean(Wide sum, int64_t total) const {
    const auto nearest = [&]<class I>(I twice, I whole) {
      return static_cast<int64_t>(twice / whole - (twice % whole < 0));
    };
    const Wide twice = 2 * sum + total;
    const auto narrow = static_cast<int64_t>(twice);  // mostly it is enough, and divided much faster
    return narrow == twice ? nearest(narrow, 2 * total) : nearest(twice, 2 * Wide(total));
  }
  double mean(double sum, int64_t total) const {
    const double found = sum / double(total);
    return units_ > 1 ? std::floor(found + 0.5) : found;
  }

  // What one shard alone has learned is taken as it is: real numbers, too, are not rounded.
  template <class W>
  void take(AveragedTable<W>& table, const Changes& changes) {
    using Sum = typename ChainTable<W>::Sum;
    Interrupts interrupts;
    for (const auto& [row, number] : changes.rows) {
      const Change& change = changes.all[size_t(number)];
      interrupts.after(Chain::kWorkOfACell * (1 + change.n_cells));
      std::visit(
          [&, row = row](const auto& of) {  // clang before 16 captures no binding by itself
            for (size_t k = change.first_cell; k < change.first_cell + size_t(change.n_cells); ++k) {
              const int32_t label = change.shard->cell_labels[k];
              table.set(row, label, static_cast<W>(of.w[k]));
              note(table.sums.add(row, label, static_cast<Sum>(of.sums[k])));
            }
          },
          change.shard->cells);
    }
  }

  // With A = visits w - sums, the sum of the weights after each visit: w and A become their means over the shards. Of a
  // shard that has not changed them they are as they were, w and visits w - sums.
  template <class W>
  void apply(AveragedTable<W>& table, const Changes& changes, int64_t total) {
    using Sum = typename ChainTable<W>::Sum;
    using Exact = std::conditional_t<std::is_integral_v<W>, Wide, double>;
    struct Cell {
      Exact w = 0, A = 0;
      bool changed = false;
    };
    std::vector<Cell> cells(static_cast<size_t>(weights_of_a_row(labels_, parts_)));
    std::vector<int32_t> labels;
    const auto visits = Sum(visits_);
    Interrupts interrupts;
    for (size_t k = 0; k < changes.rows.size(); ++k) {
      if (k + kAhead < changes.rows.size()) table.prefetch(changes.rows[k + kAhead].first);
      const auto [row, first] = changes.rows[k];
      for (int64_t number = first; number != kEnd; number = changes.all[size_t(number)].next) {
        const Change& change = changes.all[size_t(number)];
        interrupts.after(Chain::kWorkOfACell * (1 + change.n_cells));
        std::visit(
            [&, row = row](const auto& of) {
              for (size_t k = change.first_cell; k < change.first_cell + size_t(change.n_cells); ++k) {
                const int32_t label = change.shard->cell_labels[k];
                Cell& cell = cells[size_t(label)];
                if (!cell.changed) {
                  labels.push_back(label);
                  table.sums.prefetch(row, label);
                }
                const auto more = Exact(of.w[k]) - Exact(table.at(row, label));
                cell = {cell.w + Exact(change.mistakes) * more,
                        cell.A + Exact(change.mistakes) * (Exact(visits) * more - Exact(of.sums[k])), true};
              }
            },
            change.shard->cells);
      }
      for (const int32_t label : labels) {
        Cell& cell = cells[size_t(label)];
        const auto more = mean(cell.w, total);
        table.ChainTable<W>::add(row, label, static_cast<W>(more));
        note(table.sums.add(row, label, visits * Sum(more) - Sum(mean(cell.A, total))));
        cell = {};
      }
      labels.clear();
    }
  }

  int64_t labels_, attributes_, units_, visits_;
  std::vector<int32_t> parts_;
  MixedRows rows_;
  KeyMap places_;
  AveragedTables table_;
  double largest_sum_ = 0;
};

}  // namespace rosenblatt

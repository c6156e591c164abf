// The weights of a chain while it learns, with what averages them: a sum for each cell that was ever changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tagger/cell_sums.hpp"
#include "tagger/chain.hpp"

namespace rosenblatt {

template <class W, template <class> class Sums = CellSums>
struct AveragedTable : ChainTable<W> {
  using typename ChainTable<W>::Sum;
  Sums<Sum> sums;

  AveragedTable(ChainTable<W> table, Sums<Sum> sums) : ChainTable<W>(std::move(table)), sums(std::move(sums)) {}

  void add(int64_t row, int32_t label, W change, Sum visits) {
    ChainTable<W>::add(row, label, change);
    sums.add(row, label, visits * Sum(change));
  }
};

template <template <class> class Sums>
using AveragedTablesWith =
    std::variant<AveragedTable<int16_t, Sums>, AveragedTable<int32_t, Sums>, AveragedTable<double, Sums>>;
using AveragedTables = AveragedTablesWith<CellSums>;

// The last weights of a chain, and their sums.
template <template <class> class Sums = CellSums>
AveragedTablesWith<Sums> averaged_table(const Chain& chain, Layout layout = Layout::dense) {
  return std::visit(
      [&]<class W>(ChainTable<W>&& table) -> AveragedTablesWith<Sums> {
        using Sum = typename ChainTable<W>::Sum;
        Sums<Sum> sums;
        std::visit(
            [&](const auto& cells) {
              chain.for_each_cell(
                  [&](int64_t row, int32_t label, size_t k) { sums.add(row, label, static_cast<Sum>(cells.sums[k])); });
            },
            chain.cells);
        return AveragedTable<W, Sums>(std::move(table), std::move(sums));
      },
      chain.answers(Readout::last, layout));
}

// The same table in the next wider type.
template <template <class> class Sums>
AveragedTablesWith<Sums> promoted(AveragedTablesWith<Sums>& tables) {
  return std::visit(
      []<class W>(AveragedTable<W, Sums>& table) -> AveragedTablesWith<Sums> {
        if constexpr (std::is_same_v<W, int16_t>) {
          auto wider = widened<int32_t>(table);  // may be ended
          return AveragedTable<int32_t, Sums>(std::move(wider), std::move(table.sums));
        } else {
          Sums<double> sums;
          table.sums.for_each([&](int64_t row, int32_t label, auto sum) { sums.add(row, label, double(sum)); });
          return AveragedTable<double, Sums>(widened<double>(table), std::move(sums));
        }
      },
      tables);
}

// Sorts the cells of a row by their labels.
template <class Sum>
void sort_cells(int32_t* labels, Sum* sums, int64_t count, std::vector<std::pair<int32_t, Sum>>& room) {
  if (std::is_sorted(labels, labels + count)) return;
  room.clear();
  for (int64_t k = 0; k < count; ++k) room.emplace_back(labels[k], sums[k]);
  std::sort(room.begin(), room.end());
  for (int64_t k = 0; k < count; ++k) std::tie(labels[k], sums[k]) = room[size_t(k)];
}

// The cells of these rows of a table, for a chain that has their keys. Cells are many: they go where they will stay.
template <class W, template <class> class Sums>
void put_cells(const AveragedTable<W, Sums>& table, const std::vector<int32_t>& rows, Chain& chain) {
  using Sum = typename ChainTable<W>::Sum;
  std::vector<int32_t> place(size_t(table.rows()), -1);
  for (size_t k = 0; k < rows.size(); ++k) place[size_t(rows[k])] = static_cast<int32_t>(k);
  const auto for_each_cell = [&](auto work) {
    table.sums.for_each([&](int64_t row, int32_t label, Sum sum) {
      if (place[size_t(row)] >= 0) work(size_t(place[size_t(row)]), label, sum);
    });
  };
  chain.counts.assign(rows.size(), 0);
  for_each_cell([&](size_t k, int32_t, Sum) { ++chain.counts[k]; });
  std::vector<size_t> end(rows.size());
  size_t size = 0;
  for (size_t k = 0; k < rows.size(); size += size_t(chain.counts[k++])) end[k] = size;
  ChainCells<Sum> cells;
  chain.cell_labels.resize(size);
  cells.w.resize(size);
  cells.sums.resize(size);
  for_each_cell([&](size_t k, int32_t label, Sum sum) {
    chain.cell_labels[end[k]] = label;
    cells.sums[end[k]++] = sum;
  });
  std::vector<std::pair<int32_t, Sum>> room;
  Interrupts interrupts;
  for (size_t k = 0; k < rows.size(); ++k) {
    interrupts.after(kWorkOfACell * chain.counts[k]);
    const size_t first = end[k] - size_t(chain.counts[k]);
    sort_cells(chain.cell_labels.data() + first, cells.sums.data() + first, chain.counts[k], room);
    for (size_t cell = first; cell < end[k]; ++cell) cells.w[cell] = Sum(table.at(rows[k], chain.cell_labels[cell]));
  }
  chain.cells = std::move(cells);
}

}  // namespace rosenblatt

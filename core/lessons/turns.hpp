// Whose turn is it? The rows of each pass of a recorded run.
//   listed:   the rows as they are given, again and again
//   shuffled: the same rows in the order of order.hpp, another one each pass
//   first wrong, worst wrong: a pass looks at all rows and visits one of those that are mistakes, the first, or the one
//             with the smallest gap (of equal ones the first). Where there is none, it visits no row and is clean.
#pragma once

#include <cstdint>
#include <vector>

#include "base/order.hpp"

namespace rosenblatt {

enum class Turn { listed, shuffled, first_wrong, worst_wrong };

// The contest of a row that was nearest to lost: its gap, and whether any contest was lost.
template <class T>
struct Looked {
  T gap;
  bool mistake;
};

struct Turns {
  Turn turn = Turn::listed;
  std::vector<int64_t> rows;
  uint64_t seed = 0;

  bool looks() const { return turn == Turn::first_wrong || turn == Turn::worst_wrong; }

  // The rows that pass `pass`, from 0, visits; look(i) says how things stand with row i.
  template <class Look>
  std::vector<int64_t> of_pass(uint64_t pass, Look look) const {
    if (turn == Turn::listed) return rows;
    if (turn == Turn::shuffled) return shuffled(pass);
    std::vector<int64_t> chosen;
    decltype(look(0).gap) least = 0;
    for (const int64_t i : rows) {
      const auto [gap, mistake] = look(i);
      if (!mistake || (!chosen.empty() && gap >= least)) continue;
      chosen.assign(1, i);
      least = gap;
      if (turn == Turn::first_wrong) break;
    }
    return chosen;
  }

 private:
  std::vector<int64_t> shuffled(uint64_t pass) const {
    std::vector<int64_t> visited;
    NoPrefetch nothing;
    Order order(int64_t(rows.size()), true, seed, pass);
    for (size_t k = 0; k < rows.size(); ++k) visited.push_back(rows[size_t(order.next(nothing))]);
    return visited;
  }
};

}  // namespace rosenblatt

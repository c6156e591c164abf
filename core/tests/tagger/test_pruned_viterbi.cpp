// The search that leaves labels out finds what enumeration and the full search find, ties included: with weights small
// and as large as they may be, bounds that are loose, shared weights, and any number of bigrams of a token.
#include <algorithm>
#include <vector>

#include "base/order.hpp"
#include "base/use_avx2.hpp"
#include "tagger/pruned_viterbi.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

template <class W>
W random_weight(Random& random, int64_t largest) {
  return static_cast<W>(random.below(2 * largest + 1) - largest);
}

// A sentence of random rows over a random table, in both layouts.
template <class W>
struct Lattice {
  ChainTable<W> dense, listed;
  std::vector<int64_t> first_row{0}, first_block{0};
  std::vector<int32_t> rows, blocks, rows_of_blocks;
  int64_t size;

  Lattice(Random& random, int64_t labels, int64_t largest, bool shared)
      : dense(labels, parts_of(labels, shared)), listed(labels, parts_of(labels, shared), Layout::listed) {
    constexpr int64_t kRows = 12, kBlocks = 3;
    const int64_t width = weights_of_a_row(labels, dense.parts);
    for (auto* table : {&dense, &listed}) table->resize(1 + kRows + kBlocks * labels);
    for (int64_t row = 1; row < dense.rows(); ++row)
      for (int64_t k = random.below(random.below(3) == 0 ? width + 1 : 6); k > 0; --k) {
        const int64_t label = random.below(row > kRows ? labels : width);
        for (const auto weight : {random_weight<W>(random, largest), random_weight<W>(random, largest)}) {
          dense.set(row, label, weight);  // twice, so that bounds are loose
          listed.set(row, label, weight);
        }
      }
    for (int64_t k = 0; k < kBlocks * labels; ++k)
      rows_of_blocks.push_back(random.below(4) == 0 ? 0 : static_cast<int32_t>(1 + kRows + k));
    size = 1 + random.below(labels > 5 ? 12 : 5);
    const int64_t kind = random.below(3);  // mostly all tokens have the one block
    for (int64_t t = 0; t < size; ++t) {
      for (int64_t k = random.below(4); k > 0; --k) rows.push_back(static_cast<int32_t>(random.below(1 + kRows)));
      for (int64_t k = kind > 0 ? kind == 1 : random.below(4); k > 0; --k)
        blocks.push_back(kind == 1 ? 0 : static_cast<int32_t>(random.below(kBlocks)));
      first_row.push_back(std::ssize(rows));
      first_block.push_back(std::ssize(blocks));
    }
  }
  static std::vector<int32_t> parts_of(int64_t labels, bool shared) {
    std::vector<int32_t> parts;
    for (int64_t j = 0; shared && j < labels; ++j) parts.push_back(static_cast<int32_t>(j % ((labels + 1) / 2)));
    return parts;
  }
  SentenceRows sentence() const {
    return {size, {first_row.data(), rows.data()}, {first_block.data(), blocks.data()}, rows_of_blocks.data()};
  }
  double score(const std::vector<int32_t>& z) const {
    double total = 0;
    for (size_t t = 0; t < z.size(); ++t) {
      for (auto k = size_t(first_row[t]); k < size_t(first_row[t + 1]); ++k) {
        total += double(dense.at(rows[k], z[t]));
        if (!dense.parts.empty()) total += double(dense.at(rows[k], dense.labels + dense.parts[size_t(z[t])]));
      }
      for (auto k = size_t(first_block[t]); t > 0 && k < size_t(first_block[t + 1]); ++k)
        total += double(dense.at(rows_of_blocks[size_t(blocks[k] * dense.labels + z[t - 1])], z[t]));
    }
    return total;
  }
  // Each label sequence is tried, those with the lowest last labels first.
  std::vector<int32_t> enumerated() const {
    std::vector<int32_t> z(static_cast<size_t>(size)), best = z;
    double top = score(z);
    for (size_t t = 0; t < z.size();) {
      for (t = 0; t < z.size() && ++z[t] == dense.labels; ++t) z[t] = 0;
      if (t == z.size()) break;
      if (const double found = score(z); found > top) {
        top = found;
        best = z;
      }
    }
    return best;
  }
};

template <class W>
void check_search(int64_t labels, int64_t largest, bool shared, int cases) {
  Random random(uint64_t(labels * 1000 + largest) + sizeof(W));
  bool equal = true;
  Viterbi<W> full;
  PrunedViterbi<W> pruned;
  for (int k = 0; k < cases; ++k) {
    const Lattice<W> lattice(random, labels, largest, shared);
    const auto sentence = lattice.sentence();
    std::vector<int32_t> by_full(static_cast<size_t>(lattice.size)), again(by_full), by_pruned(by_full);
    full.forget();
    dispatch([&] {
      full.decode(lattice.dense, sentence, by_full.data());
      full.decode(lattice.dense, sentence, again.data());  // with what was kept
      pruned.decode(lattice.listed, sentence, by_pruned.data());
    });
    equal &= by_full == by_pruned && by_full == again && (labels > 5 || by_full == lattice.enumerated());
  }
  CHECK(equal);
}

void check_searches() {
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    for (const int64_t labels : {1, 2, 3, 5})
      for (const int64_t largest : {1, 2, 40}) {
        check_search<int16_t>(labels, largest, labels == 3, 500);
        check_search<int32_t>(labels, largest, labels == 2, 300);
        check_search<double>(labels, largest, labels == 5, 300);
      }
    for (const int64_t labels : {16, 17, 66, 130})
      for (const int64_t largest : {1, 3}) {
        check_search<int16_t>(labels, largest, labels == 17, 60);
        check_search<int32_t>(labels, largest, labels == 66, 40);
        check_search<double>(labels, largest, labels == 130, 40);
      }
    // As large as weights may be: a token has at most 3 rows, each with its shared weight, and 3 blocks.
    for (const int64_t labels : {3, 70}) {
      check_search<int16_t>(labels, int64_t(largest_weight<int16_t>(9)), labels == 70, 80);
      check_search<int32_t>(labels, int64_t(largest_weight<int32_t>(9)), labels == 70, 80);
    }
  }
}

}  // namespace

int main() {
  check_searches();
  return check::report();
}

// The n best label sequences of a sentence, exactly: each label of a token keeps its n best ways in, as pairs of a
// label before and its rank there. Of equal sequences that one comes first which has the lowest last label, then the
// lowest label before it, and so on, as in viterbi.hpp. Scores are doubles, exact for integers up to 2^53.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tagger/viterbi.hpp"

namespace rosenblatt {

struct Scored {
  double score;
  std::vector<int32_t> labels;
};

template <class W>
std::vector<Scored> best_sequences(const ChainTable<W>& table, const SentenceRows& sentence, int64_t count) {
  struct Way {
    double score;
    int32_t label;
    int64_t rank;
  };
  const auto better = [](const Way& a, const Way& b) {
    return a.score != b.score ? a.score > b.score : a.label != b.label ? a.label < b.label : a.rank < b.rank;
  };
  const auto keep_best = [&](std::vector<Way>& ways) {
    std::sort(ways.begin(), ways.end(), better);
    if (int64_t(ways.size()) > count) ways.resize(size_t(count));
  };
  if (sentence.size == 0) return {{0.0, {}}};
  constexpr int64_t kWorkOfSorting = 16, kWorkOfALabel = 4;
  Interrupts interrupts;
  const auto labels = static_cast<int32_t>(table.labels);
  // Of one token: the weights of its labels, and those of each label after each.
  std::vector<W, Aligned<W>> emission(static_cast<size_t>(table.stride)), transition(size_t(labels * table.stride));
  std::vector<int32_t> rows;
  const auto add_up = [&](int64_t t) {
    table.emission(sentence.rows.begin(t), sentence.rows.end(t), emission.data());
    for (int32_t i = 0; t > 0 && i < labels; ++i) {
      interrupts.after(table.stride);
      rows.clear();
      for (const auto* block = sentence.blocks.begin(t); block < sentence.blocks.end(t); ++block)
        rows.push_back(sentence.rows_of_blocks[*block * labels + i]);
      table.add_up(rows.data(), rows.data() + rows.size(), transition.data() + i * table.stride);
    }
  };
  std::vector<Way> firsts;
  std::vector<std::vector<Way>> ways(size_t(sentence.size * labels));  // a token, a label
  for (int64_t t = 0; t < sentence.size; ++t) {
    add_up(t);
    for (int32_t j = 0; j < labels; ++j) {
      auto& here = ways[size_t(t * labels + j)];
      const auto here_alone = double(emission[size_t(j)]);
      if (t == 0) here.push_back({here_alone, 0, 0});
      // The n best ways come from the labels before whose best way is among the n best: only these are tried further.
      firsts.clear();
      for (int32_t i = 0; t > 0 && i < labels; ++i) {
        const auto step = double(transition[size_t(i * table.stride + j)]);
        firsts.push_back({ways[size_t((t - 1) * labels + i)][0].score + step + here_alone, i, 0});
      }
      interrupts.after(kWorkOfALabel * int64_t(firsts.size()));
      if (int64_t(firsts.size()) > count) {
        std::nth_element(firsts.begin(), firsts.begin() + count, firsts.end(), better);
        firsts.resize(size_t(count));
      }
      for (const Way& first : firsts) {
        const auto& before = ways[size_t((t - 1) * labels + first.label)];
        const auto step = double(transition[size_t(first.label * table.stride + j)]);
        for (size_t r = 0; r < before.size(); ++r)
          here.push_back({before[r].score + step + here_alone, first.label, int64_t(r)});
      }
      interrupts.after(kWorkOfSorting * int64_t(here.size()));
      keep_best(here);
    }
  }
  std::vector<Way> ends;
  for (int32_t j = 0; j < labels; ++j) {
    const auto& last = ways[size_t((sentence.size - 1) * labels + j)];
    for (size_t r = 0; r < last.size(); ++r) ends.push_back({last[r].score, j, int64_t(r)});
  }
  keep_best(ends);
  std::vector<Scored> best;
  for (const Way& end : ends) {
    std::vector<int32_t> found(size_t(sentence.size));
    Way way = end;
    for (int64_t t = sentence.size - 1; t >= 0; --t) {
      found[size_t(t)] = way.label;
      way = ways[size_t(t * labels + way.label)][size_t(way.rank)];
    }
    best.push_back({end.score, std::move(found)});
  }
  return best;
}

}  // namespace rosenblatt

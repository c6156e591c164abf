// The features that change the score of each machine most, found in one pass over all weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rosenblatt {

// Of `w`, which has `stride` weights a feature, those of each machine with the largest |weight * scale|, `most` at
// most, in ascending order; of equal ones the first. Features whose scale is 0 are left out.
inline std::vector<int32_t> heaviest(const float* w, int64_t stride, int32_t n_machines, std::span<const float> scale,
                                     size_t most) {
  using Pull = std::pair<float, int32_t>;  // how much, and minus the feature: of equal ones, the first is the larger
  const auto larger = [](const Pull& a, const Pull& b) { return a > b; };
  std::vector<std::vector<Pull>> best(static_cast<size_t>(n_machines));  // heaps, the smallest on top
  std::vector<float> least(size_t(n_machines), 0);
  for (size_t k = 0; k < scale.size() && most > 0; ++k, w += stride) {
    for (size_t machine = 0; machine < least.size(); ++machine) {
      const float pull = std::abs(w[machine] * scale[k]);
      if (!(pull > least[machine])) continue;
      auto& heap = best[machine];
      if (heap.size() == most) {
        std::pop_heap(heap.begin(), heap.end(), larger);
        heap.pop_back();
      }
      heap.push_back({pull, -int32_t(k)});
      std::push_heap(heap.begin(), heap.end(), larger);
      if (heap.size() == most) least[machine] = heap.front().first;
    }
  }
  std::vector<int32_t> features;
  for (const auto& heap : best)
    for (const Pull& pull : heap) features.push_back(-pull.second);
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

}  // namespace rosenblatt

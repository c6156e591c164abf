// The kernel part: values from dot products, the blocked pass against the rule pair by pair, and votes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order.hpp"
#include "base/use_avx2.hpp"
#include "kernel/kernel.hpp"
#include "kernel/kernel_pass.hpp"
#include "kernel/kernel_readout.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

template <class T>
void check_values() {
  // 13 columns: a whole part and a rest.
  constexpr int64_t kColumns = 13;
  std::vector<T> dots, norm2;
  for (int64_t j = 0; j < kColumns; ++j) dots.push_back(static_cast<T>(j) / 4 - 1), norm2.push_back(static_cast<T>(j));
  const T own[] = {T(3)};
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    const auto with = [&](KernelKind kind) {
      auto values = dots;
      kernel_values<T>({kind, 0.5, 2, 5}, values.data(), 1, kColumns, own, norm2.data());
      return values;
    };
    const auto linear = with(KernelKind::linear), poly = with(KernelKind::poly), rbf = with(KernelKind::rbf),
               sigmoid = with(KernelKind::sigmoid);
    const T eps = std::numeric_limits<T>::epsilon();
    for (size_t j = 0; j < kColumns; ++j) {
      const T dot = dots[j], d2 = std::max(T(0), T(3) + norm2[j] - 2 * dot);
      CHECK(linear[j] == dot + 2);
      CHECK(std::abs(poly[j] - std::pow(dot / 2 + 2, T(5))) <= 8 * eps * poly[j]);
      CHECK(sigmoid[j] == std::tanh(dot / 2 + 2));
      CHECK(std::abs(rbf[j] - std::exp(-d2 / 2)) <= 4 * eps * rbf[j]);
    }
  }
}

// exp against the library's over its whole range: within four units of the last place, and 0 below.
template <class T>
void check_exp() {
  const T eps = std::numeric_limits<T>::epsilon();
  for (T x = 0; x > ExpParts<T>::lowest; x = x * T(1.001) - T(0.001)) {
    Part<T> part = Part<T>{} + x;
    exp_not_positive<T>(part);
    CHECK(std::abs(part[0] - std::exp(x)) <= 4 * eps * std::exp(x) && part[0] == part[kWidth<T> - 1]);
  }
  Part<T> part = Part<T>{} + T(-1e6);
  part[1] = 0, part[2] = std::numeric_limits<T>::quiet_NaN(), part[3] = -std::numeric_limits<T>::infinity();
  exp_not_positive<T>(part);
  CHECK(part[0] == 0 && part[1] == 1 && std::isnan(part[2]) && part[3] == 0);
}

// Rows of small integers under (x.z + 1)^2, which is exact.
struct Data {
  std::vector<std::vector<double>> x;
  std::vector<int32_t> target;
  int32_t machines;

  Data(uint64_t seed, int64_t n, int32_t classes) : machines(classes == 2 ? 1 : classes) {
    Random random(seed);
    for (int64_t i = 0; i < n; ++i) {
      x.push_back({double(random.below(5) - 2), double(random.below(5) - 2)});
      target.push_back(static_cast<int32_t>(random.below(classes)));
    }
  }
  int64_t size() const { return static_cast<int64_t>(x.size()); }
  double kernel(int64_t i, int64_t j) const {
    const auto &a = x[size_t(i)], &b = x[size_t(j)];
    return std::pow(a[0] * b[0] + a[1] * b[1] + 1, 2);
  }
};

bool same(const DualEvent& a, const DualEvent& b) {
  return a.visit == b.visit && a.row == b.row && a.cls == b.cls && a.tau == b.tau && a.norm2 == b.norm2;
}

// The rule itself: every score is a sum over all events.
std::vector<DualEvent> pair_by_pair(const Data& data, const Rule& rule, int passes) {
  std::vector<DualEvent> events;
  std::vector<double> norm2(size_t(data.machines)), score(size_t(data.machines));
  Mistakes mistakes(rule, data.machines);
  for (int64_t visit = 0; visit < passes * data.size(); ++visit) {
    const int64_t i = visit % data.size();
    std::fill(score.begin(), score.end(), 0.0);
    for (const auto& e : events) score[size_t(e.cls)] += e.tau * data.kernel(e.row, i);
    mistakes.find(score.data(), 1, data.target[size_t(i)], 1);
    for (const auto& [cls, tau] : mistakes.added) {
      norm2[size_t(cls)] += tau * (2 * score[size_t(cls)] + tau * data.kernel(i, i));
      events.push_back({visit, i, cls, tau, norm2[size_t(cls)]});
    }
  }
  return events;
}

// The same in blocks, with delta scores and kernel rows only where they are wanted.
template <class T>
std::vector<DualEvent> blocked(const Data& data, const Rule& rule, int passes, int64_t size) {
  struct Kept {
    int64_t first, size;
    std::vector<double> score;
    size_t mark = 0;
  };
  std::vector<Kept> blocks;
  for (int64_t first = 0; first < data.size(); first += size) {
    const int64_t own = std::min(size, data.size() - first);
    blocks.push_back({first, own, std::vector<double>(size_t(own * data.machines))});
  }
  std::vector<DualEvent> events;
  std::vector<double> norm2(size_t(data.machines));
  std::vector<uint8_t> held(static_cast<size_t>(data.size()));
  int64_t visits = 0;
  KernelPass<T> pass(rule, data.machines, norm2.data(), std::numeric_limits<int64_t>::max(), WhenFull::pass_over);
  for (int p = 0; p < passes; ++p) {
    for (auto& kept : blocks) {
      const auto row_of = [&](int64_t i) {
        std::vector<T> row;
        for (int64_t j = 0; j < kept.size; ++j) row.push_back(static_cast<T>(data.kernel(i, kept.first + j)));
        return row;
      };
      for (; kept.mark < events.size(); ++kept.mark) {
        const auto& e = events[kept.mark];
        add_kernel_row(kept.score.data() + e.cls * kept.size, e.tau, row_of(e.row).data(), kept.size);
      }
      std::vector<int64_t> order(size_t(kept.size));
      std::iota(order.begin(), order.end(), int64_t{0});
      std::vector<T> gram;
      std::vector<int32_t> place(size_t(kept.size), -1);
      for (int64_t next = 0; next < kept.size;) {
        const auto result = pass.run({kept.size, order.data(), data.target.data() + kept.first, nullptr,
                                      kept.score.data(), gram.data(), place.data(), held.data() + kept.first},
                                     next, visits);
        for (auto e : result.events) e.row += kept.first, events.push_back(e);
        next = result.next;
        for (const int64_t i : result.wanted) {
          place[size_t(i)] = static_cast<int32_t>(std::ssize(gram) / kept.size);
          const auto row = row_of(kept.first + i);
          gram.insert(gram.end(), row.begin(), row.end());
        }
      }
      kept.mark = events.size();
      visits += kept.size;
    }
  }
  return events;
}

template <class T>
void check_blocks() {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (const int32_t classes : {2, 3, 5}) {
      const Data data(seed, 23, classes);
      for (const Multiclass multiclass : {Multiclass::argmax, Multiclass::one_vs_rest}) {
        Rule rule;
        rule.multiclass = multiclass;
        rule.margin = double(seed % 3);
        const auto expected = pair_by_pair(data, rule, 4);
        CHECK(expected.size() > 10);
        for (const int64_t size : {1, 2, 7, 23}) {
          const auto found = blocked<T>(data, rule, 4, size);
          CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same));
        }
      }
    }
  }
}

// Each hypothesis answers by itself; the votes are counted again, one visit at a time.
void check_votes() {
  const Data data(3, 20, 3);
  const Rule rule;
  const auto events = pair_by_pair(data, rule, 2);
  std::vector<double> values;
  for (int64_t i = 0; i < data.size(); ++i)
    for (int64_t j = 0; j < data.size(); ++j) values.push_back(data.kernel(i, j));
  for (const auto& [first, last] : {std::pair{0, 40}, std::pair{0, 13}, std::pair{20, 40}, std::pair{7, 8}}) {
    std::vector<double> votes(size_t(3 * data.size())), expected(votes.size());
    kernel_vote(values.data(), data.size(), std::span<const DualEvent>(events), first, last, 3, Tie::mistake, false,
                votes.data());
    for (int visit = first; visit < last; ++visit) {
      for (int64_t j = 0; j < data.size(); ++j) {
        std::vector<double> score(3);
        for (const auto& e : events)
          if (e.visit <= visit) score[size_t(e.cls)] += e.tau * data.kernel(e.row, j);
        expected[size_t(answer(score.data(), 3, Tie::mistake) * data.size() + j)] += 1;
      }
    }
    CHECK(votes == expected);
  }
}

void check_ends() {
  const Rule rule;
  const Data data(1, 20, 3);
  CHECK_ENDS(20, blocked<double>(data, rule, 2, 7));
  const auto events = pair_by_pair(data, rule, 2);
  std::vector<double> values(400, 1.0), votes(60), norm2(20, 1.0), score(20);
  CHECK_ENDS(20, kernel_vote(values.data(), 20, events, 0, 40, 3, Tie::mistake, false, votes.data()));
  CHECK_ENDS(20, kernel_values<double>({KernelKind::rbf}, values.data(), 20, 20, norm2.data(), norm2.data()));
  CHECK_ENDS(1, kernel_values<double>({KernelKind::poly}, values.data(), 20, 20, nullptr, nullptr));
}

void check_refused() {
  const Rule rule;
  Mistakes mistakes(rule, 1);
  const double score = std::nan("");
  CHECK_THROWS(mistakes.find(&score, 1, 1, 1.0), std::overflow_error, "not finite");
}

}  // namespace

int main() {
  check_values<float>();
  check_values<double>();
  check_exp<float>();
  check_exp<double>();
  check_blocks<float>();
  check_blocks<double>();
  check_votes();
  check_ends();
  check_refused();
  return check::report();
}

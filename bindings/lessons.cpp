// The recorder: a linear run, visit by visit.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "enum_names.hpp"
#include "lessons/recorder.hpp"
#include "linear_state.hpp"
#include "rows.hpp"
#include "unlocked.hpp"

using namespace rosenblatt;

namespace {

Turn turn_named(const std::string& name) {
  return value_named<Turn>(name, {{"listed", Turn::listed},
                                  {"shuffled", Turn::shuffled},
                                  {"first-wrong", Turn::first_wrong},
                                  {"worst-wrong", Turn::worst_wrong}});
}

// For each visit: the pass, the row, the numbers of the weights before and after, lost contests, the number of the
// reason, the scores. Then the flat weights, the mistakes of each pass, and whether the last one visited all its rows.
using Traced = std::tuple<NumpyArray<int64_t>, NumpyArray<int64_t>, NumpyArray<int64_t>, NumpyArray<int64_t>,
                          NumpyArray<int32_t>, NumpyArray<uint8_t>, nb::object, nb::object, NumpyArray<int64_t>, bool>;

Traced trace(const Rows& given, Array<const int32_t, 1> target, const MaybeAnyArray& given_weight, const Rule& rule,
             AnyLinearState& given_state, double unit, Array<const int64_t, 1> order, const std::string& turn,
             uint64_t seed, int64_t updates, int64_t first_pass, int64_t passes, int64_t visits) {
  Turns turns{turn_named(turn), {order.data(), order.data() + order.size()}, seed};
  const auto run = [&](auto& rows) -> Traced {
    using T = ValueOf<decltype(rows)>;
    const LinearState<T>& last = state_beside_rows<T>(given_state);
    LinearState<T> state(last.features, last.machines, last.bias, last.w);
    state.spread = last.spread;
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    expect_visits(first_pass, passes);
    expect_visits(updates, visits);
    expect(std::isfinite(unit) && unit > 0, "unit must be over 0");
    expect(rule.batch_size == 1 || !turns.looks(), "the first or worst wrong row is visited alone");
    expect_examples(rows, target, weight, rule, state);
    for (const int64_t i : turns.rows) expect(i >= 0 && i < rows.size, "the order must be of the rows");
    expect(state.features == rows.features, "the weights must have one entry more than the rows have features");
    auto found = unlocked([&] {
      Recorder<std::remove_cvref_t<decltype(rows)>> recorder(rows, target.data(), weight ? weight->data() : nullptr,
                                                             rule, state, static_cast<T>(unit), updates);
      return std::move(recorder.run(turns, first_pass, passes, visits));
    });
    std::vector<uint8_t> why;
    for (const auto reason : found.why) why.push_back(uint8_t(reason));
    return {to_numpy(std::move(found.pass)),
            to_numpy(std::move(found.row)),
            to_numpy(std::move(found.before)),
            to_numpy(std::move(found.k)),
            to_numpy(std::move(found.lost)),
            to_numpy(std::move(why)),
            nb::cast(to_numpy(std::move(found.score))),
            nb::cast(to_numpy(std::move(found.weights))),
            to_numpy(std::move(found.mistakes)),
            found.whole};
  };
  return with_rows(given, run);
}

}  // namespace

void bind_trace(nb::module_& m) {
  using namespace nb::literals;
  m.def("trace", &trace, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "state"_a, "unit"_a,
        "order"_a, "turn"_a, "seed"_a, "updates"_a, "first_pass"_a, "passes"_a, "visits"_a);
}

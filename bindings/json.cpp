// The elements of a JSON array for Python: how many, and where.
#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "files/json_elements.hpp"
#include "unlocked.hpp"

using namespace rosenblatt;
using namespace nb::literals;

void bind_json(nb::module_& m) {
  m.def(
      "json_elements",
      [](const Bytes& text, int64_t most) {
        expect(most >= 0, "most must not be negative");
        const HeldText held(text);
        auto found = unlocked([&] { return json_elements(held.view(), most); });
        return std::pair(found.count, to_numpy(std::move(found.marks)));
      },
      "text"_a, "most"_a, "How many elements an array of JSON has, and the marks between the first `most` of them.");
}

// Views of texts and readouts of sentences by the names that they have in Python.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "base/cells.hpp"
#include "enum_names.hpp"
#include "sentences/templates.hpp"

inline rosenblatt::Readout readout_named(const std::string& name) {
  using rosenblatt::Readout;
  return value_named<Readout>(name, {{"last", Readout::last}, {"average", Readout::average}});
}

// Column, name, count of characters.
using NamedView = std::tuple<int32_t, std::string, int32_t>;

inline std::vector<rosenblatt::ColumnView> views_of(const std::vector<NamedView>& named) {
  using rosenblatt::View;
  constexpr int32_t kMostColumns = 1 << 20;
  std::vector<rosenblatt::ColumnView> views;
  for (const auto& [column, name, count] : named) {
    expect(column >= 0 && column < kMostColumns && count >= 0, "a column must be from 0 to 2^20, a count not negative");
    const auto view = value_named<View>(name, {{"x", View::text},
                                               {"lower", View::lower},
                                               {"prefix", View::prefix},
                                               {"suffix", View::suffix},
                                               {"shape", View::shape},
                                               {"digit", View::digit},
                                               {"upper", View::upper},
                                               {"hyphen", View::hyphen}});
    views.push_back({column, view, count});
  }
  return views;
}

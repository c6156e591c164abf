// Whether a line separates the points of two classes, for the page: the nearest point of the hull of y (x, bias).
#include "page.hpp"
#include "proofs/separate.hpp"

using namespace rosenblatt;
using page::add, page::columns, page::expect;

// Columns: how the search ended, the radius R, the margin; the point, constant feature first; a weight for each row.
ROSENBLATT_EXPORT(nearest)
void nearest(const double* x, const int32_t* y, int32_t rows, int32_t features, double bias, double tol) {
  constexpr int64_t kPasses = 1000;
  columns.clear();
  expect(rows >= 1 && features >= 1, "there must be a point, and a point must have a coordinate");
  const int32_t width = features + (bias != 0);
  std::vector<double> z;
  double longest2 = 0;
  for (int32_t i = 0; i < rows; ++i) {
    expect(y[i] == 0 || y[i] == 1, "the points must be of two classes");
    const double sign = y[i] ? 1 : -1;
    if (bias != 0) z.push_back(sign * bias);
    for (int32_t j = 0; j < features; ++j) z.push_back(sign * x[i * features + j]);
  }
  DenseRows<double> all{z.data(), rows, width, width};
  NearestPoint<DenseRows<double>> search(all);
  for (int32_t i = 0; i < rows; ++i)
    longest2 = std::max(longest2, squared_norm(all[i], 0.0, width, static_cast<const double*>(nullptr), 1));
  const auto found = search.run(kPasses, tol);
  const double length = search.length();
  add(std::vector<double>{double(int(found)), std::sqrt(longest2), length, search.lowest()});
  add(search.point());
  std::vector<double> weights(size_t(rows), 0.0);
  for (size_t c = 0; c < search.corral().size(); ++c) weights[size_t(search.corral()[c])] = search.weights()[c];
  add(weights);
}

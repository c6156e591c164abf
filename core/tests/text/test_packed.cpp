// Weights and features in few bytes, the heaviest features, with numbers by hand.
#include "tests/check.hpp"
#include "text/heaviest.hpp"
#include "text/packed.hpp"

using namespace rosenblatt;

namespace {

// Three columns with the weights of nine machines and a stride of sixteen.
std::vector<float> weights() {
  std::vector<float> w(3 * 16, 0);
  w[0] = 7, w[8] = -3.6F;
  w[16 + 2] = 1;
  return w;
}
const std::vector<int32_t> kColumn{1, 0, 2, 0};
const std::vector<float> kShare{1, 1, 1, -0.5F}, kUnit{0.25F, 1, 0, 0.5F};

template <class Call>
bool refuses(Call call) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void check_weights() {
  const PackedWeights packed = pack_weights(weights().data(), 16, 9, kColumn, kShare.data(), kUnit.data());
  CHECK(packed.marks == std::vector<uint8_t>({4, 0, 1, 1, 0, 0, 1, 1}));
  CHECK(packed.numbers == std::vector<uint8_t>({12 | 15 << 4, 4 | 1 << 4, 12}));
  std::vector<float> w(4 * 16, 0);
  unpack_weights(packed.marks, packed.numbers, kUnit, 9, 16, w.data());
  CHECK(w[2] == 1 && w[16] == 7 && w[16 + 8] == -4 && w[48] == -3.5F && w[48 + 8] == 2);
  const std::vector<uint8_t> beyond{0, 2}, none;
  CHECK(refuses([&] { unpack_weights(packed.marks, none, kUnit, 9, 16, w.data()); }));
  CHECK(refuses([&] { unpack_weights(none, packed.numbers, kUnit, 9, 16, w.data()); }));
  CHECK(refuses([&] { unpack_weights(beyond, packed.numbers, std::span(kUnit).first(1), 9, 16, w.data()); }));
  CHECK(refuses([&] { unpack_weights(none, packed.numbers, {}, 9, 16, w.data()); }));
}

void check_features() {
  const std::vector<int32_t> features{0, 1, 129, 130, 2'000'000, INT32_MAX};
  CHECK(unpack_ascending(pack_ascending(features)) == features);
  CHECK(pack_ascending(std::span(features).first(3)) == std::vector<uint8_t>({0, 0, 127}));
  CHECK(unpack_ascending({}).empty());
  const std::vector<uint8_t> open{0x80}, longer{0x80, 0x80, 0x80, 0x80, 0x80, 0}, beyond{0xff, 0xff, 0xff, 0xff, 0x0f};
  CHECK(refuses([&] { unpack_ascending(open); }));
  CHECK(refuses([&] { unpack_ascending(longer); }));
  CHECK(refuses([&] { unpack_ascending(beyond); }));
}

void check_heaviest() {
  const std::vector<float> w{1, 0, -3, 2, 2, -2, 9, 9}, scale{1, 1, 2, 0};
  CHECK(heaviest(w.data(), 2, 2, scale, 1) == std::vector<int32_t>({2}));
  CHECK(heaviest(w.data(), 2, 2, scale, 2) == std::vector<int32_t>({1, 2}));
  CHECK(heaviest(w.data(), 2, 1, scale, 9) == std::vector<int32_t>({0, 1, 2}));
  CHECK(heaviest(w.data(), 2, 2, scale, 0).empty());
}

}  // namespace

int main() {
  check_weights();
  check_features();
  check_heaviest();
  return check::report();
}

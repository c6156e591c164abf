// Runs a fuzz target without libFuzzer: the files of the folders given, and then random changes of them.
// The same arguments as libFuzzer's: `fuzz_svmlight -runs=20000 -seed=1 FOLDER...`. What makes the target fail is
// kept in the file crash-input.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/order.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

std::string input;

void keep_input() { std::ofstream("crash-input", std::ios::binary) << input; }

void run() {
  const std::vector<uint8_t> exact(input.begin(), input.end());  // so that a byte too far is seen
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::vector<std::string> read_folders(int count, char** arguments) {
  std::vector<std::filesystem::path> paths;
  for (int a = 1; a < count; ++a)
    if (arguments[a][0] != '-')
      for (const auto& file : std::filesystem::directory_iterator(arguments[a])) paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts = {""};
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

size_t option(int count, char** arguments, const std::string& name, size_t otherwise) {
  for (int a = 1; a < count; ++a)
    if (std::string(arguments[a]).starts_with(name + "="))
      otherwise = std::strtoull(arguments[a] + name.size() + 1, nullptr, 10);
  return otherwise;
}

// One to four changes: a byte, a piece taken out, a piece of another text put in.
void change(std::string& text, const std::vector<std::string>& texts, rosenblatt::Random& random) {
  const auto below = [&](size_t n) { return static_cast<size_t>(random.below(static_cast<int64_t>(n))); };
  constexpr std::string_view kLikely = "0123456789:.,;\" \t\r\n#+-eEqid\xff";
  for (size_t changes = 1 + below(4); changes > 0; --changes) {
    const size_t at = below(text.size() + 1);
    const std::string& other = texts[below(texts.size())];
    const size_t from = below(other.size() + 1);
    switch (below(4)) {
      case 0: text.insert(at, 1, kLikely[below(kLikely.size())]); break;
      case 1: text.erase(at, 1 + below(8)); break;
      case 2: text.insert(at, other, from, 1 + below(40)); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGABRT, [](int) { keep_input(); });
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_input);
  std::vector<std::string> texts = read_folders(count, arguments);
  for (const std::string& text : texts) {
    input = text;
    run();
  }
  rosenblatt::Random random(option(count, arguments, "-seed", 1));
  const size_t runs = option(count, arguments, "-runs", 20'000);
  for (size_t k = 0; k < runs; ++k) {
    input = texts[static_cast<size_t>(random.below(static_cast<int64_t>(texts.size())))];
    change(input, texts, random);
    run();
  }
  std::printf("%zu files, %zu changes of them\n", texts.size() - 1, runs);
}

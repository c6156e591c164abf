// The elements of an array are counted and found whatever is in them, and any text ends.
#include <string>

#include "files/json_elements.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

std::vector<std::string> elements_of(const std::string& text, int64_t most = 100) {
  const JsonElements found = json_elements(text, most);
  std::vector<std::string> elements;
  for (size_t k = 0; k + 1 < found.marks.size(); ++k) {
    const auto begin = static_cast<size_t>(found.marks[k]) + 1;
    elements.push_back(text.substr(begin, static_cast<size_t>(found.marks[k + 1]) - begin));
  }
  return elements;
}

using Texts = std::vector<std::string>;

void check_elements() {
  CHECK(elements_of("[]").empty() && json_elements(" [ \n] ", 9).count == 0);
  CHECK(elements_of("[1]") == Texts{"1"});
  CHECK(elements_of(" [1, [2,3] ,{\"a\":[4,5]}]") == Texts{"1", " [2,3] ", "{\"a\":[4,5]}"});
  CHECK(elements_of(R"(["a,b","]","\"],",{"}":"\\"}])") == Texts{"\"a,b\"", "\"]\"", R"("\"],")", R"({"}":"\\"})"});
  CHECK(elements_of("[[]]") == Texts{"[]"} && elements_of("[[],{}]") == Texts{"[]", "{}"});
}

void check_the_most() {
  CHECK(elements_of("[1,2,3,4]", 2) == Texts{"1", "2"});
  CHECK(json_elements("[1,2,3,4]", 2).count == 4);
  CHECK(elements_of("[1,2,3,4]", 0).empty() && json_elements("[1,2]", 0).count == 2);
}

void check_what_is_no_array() {
  for (const std::string text :
       {"", "[", "\"", "[\"", "[\"\\", "]", "]]]", "[1,", "[[[", "{", "1,2", "\\", "[1\"\\\""}) {
    const JsonElements found = json_elements(text, 10);
    CHECK(found.count >= 0);
    for (size_t k = 0; k < found.marks.size(); ++k) {
      CHECK(found.marks[k] >= (k > 0 ? found.marks[k - 1] : 0));
      CHECK(found.marks[k] <= static_cast<int64_t>(text.size()));
    }
  }
}

}  // namespace

int main() {
  check_elements();
  check_the_most();
  check_what_is_no_array();
  return check::report();
}

// How the cells of a table are written: which texts stand for a missing value, the mark before the decimals, the mark
// between groups of three digits, and a sign, as $ or %, that numbers of a column have before or after them. Plain
// cells, 1234.5, are read as they are; others are written plainly first.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/marks.hpp"
#include "files/number.hpp"
#include "files/utf8.hpp"

namespace rosenblatt {

class CellForm {
 public:
  CellForm() = default;
  CellForm(std::vector<std::string> missing, std::string decimal, std::string groups, std::string sign)
      : missing_(std::move(missing)),
        decimal_(std::move(decimal)),
        groups_(std::move(groups)),
        sign_(std::move(sign)),
        is_plain_(decimal_ == "." && groups_.empty() && sign_.empty()) {
    std::sort(missing_.begin(), missing_.end());
    // in an amount such as $1,234.56 there is no doubt what the other mark is
    are_groups_guessed_ = groups_.empty() && !sign_.empty();
    if (are_groups_guessed_) groups_ = decimal_ == "," ? "." : ",";
    std::string plain;
    numbers_are_missing_ = std::any_of(missing_.begin(), missing_.end(),
                                       [&](const std::string& text) { return write_plain(text, plain); });
  }

  // Whether a cell has no value.
  bool is_missing(std::string_view cell) const {
    return cell.empty() || std::binary_search(missing_.begin(), missing_.end(), cell, std::less<>());
  }
  // The same of a cell that may be a number; most tables have no number among these texts.
  bool is_missing_number(std::string_view cell) const {
    return cell.empty() || (numbers_are_missing_ && is_missing(cell));
  }

  // Reads a cell that is not empty. `end`: as read_number has it; `plain` is room to write in.
  bool read(std::string_view cell, const char* end, std::string& plain, double& number) const {
    if (is_plain_) return read_number(cell, end, number);
    if (!write_plain(cell, plain)) return false;
    const size_t size = plain.size();
    plain.append(size_t{Marks::kAhead}, '\0');
    return read_number(std::string_view(plain).substr(0, size), plain.data() + plain.size(), number);
  }

  // Writes a cell as a plain number has it. False: the marks are not where those of a number are; what is between them
  // is not looked at.
  bool write_plain(std::string_view cell, std::string& plain) const {
    plain.clear();
    take_minus(cell, plain);
    if (!sign_.empty()) {
      if (cell.starts_with(sign_))
        cell = without_blanks(cell.substr(sign_.size()));
      else if (cell.ends_with(sign_))
        cell = without_blanks(cell.substr(0, cell.size() - sign_.size()));
      if (plain.empty()) take_minus(cell, plain);
    }
    int digits = 0;  // of the group
    const char first = cell.empty() ? '\0' : cell[0];
    bool whole = true, grouped = false, any = false;
    for (size_t k = 0; k < cell.size(); ++k) {
      const std::string_view rest = cell.substr(k);
      if (is_digit(rest[0])) {
        plain += rest[0];
        digits += whole && digits < 4;
        any = true;
      } else if (whole && !groups_.empty() && rest.starts_with(groups_)) {
        if (grouped ? digits != 3 : digits < 1 || digits > 3) return false;
        grouped = true;
        digits = 0;
        k += groups_.size() - 1;
      } else {
        const bool is_decimal = rest.starts_with(decimal_);
        if ((grouped && whole && digits != 3) || (is_decimal ? !whole : rest[0] == '.')) return false;
        plain += is_decimal ? '.' : rest[0];
        if (is_decimal) k += decimal_.size() - 1;
        whole = false;
      }
    }
    // 0,125 % is no whole number: whoever did not speak of groups means decimals
    return any && !(grouped && whole && (digits != 3 || (are_groups_guessed_ && first == '0')));
  }

 private:
  static void take_minus(std::string_view& cell, std::string& plain) {
    if (!cell.starts_with('-') && !cell.starts_with('+')) return;
    plain += cell[0];
    cell.remove_prefix(1);
  }

  std::vector<std::string> missing_;  // sorted
  std::string decimal_ = ".", groups_, sign_;
  bool is_plain_ = true, numbers_are_missing_ = false, are_groups_guessed_ = false;
};

}  // namespace rosenblatt

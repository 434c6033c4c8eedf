// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

constexpr std::int64_t mostHosts = 4096;

tl::unexpected<Failures> refuseLength() {
  return fail("--hosts", "", fmt::format("names more than {} hosts", mostRanks), "name fewer");
}

tl::unexpected<Failures> refuse(const std::string& value) {
  return fail("--hosts", value, "is not a host list", "write names like a,b or ranges like n[1-3,7]");
}

/// Commas between names, not those inside brackets.
std::vector<std::string> entriesOf(const std::string& list) {
  std::vector<std::string> entries(1);
  bool inside = false;
  for (const char letter : list) {
    if (letter == '[') inside = true;
    if (letter == ']') inside = false;
    if (letter == ',' && !inside) {
      entries.emplace_back();
    } else {
      entries.back() += letter;
    }
  }
  return entries;
}

/// "08-10" gives 08, 09, 10: numbers keep their width.
Result<std::vector<std::string>> numbersOf(const std::string& range) {
  const auto dash = range.find('-');
  const std::string first = range.substr(0, dash);
  const std::string last = dash == std::string::npos ? first : range.substr(dash + 1);
  const auto low = parseInteger(first);
  const auto high = parseInteger(last);
  if (!low || !high || *low < 0 || *high < *low || *high - *low >= mostHosts) return refuse(range);
  std::vector<std::string> numbers;
  for (std::int64_t number = *low; number <= *high; ++number) {
    numbers.push_back(fmt::format("{:0{}}", number, first.size()));
  }
  return numbers;
}

}  // namespace

Result<std::vector<std::string>> expandHostList(const std::string& list) {
  std::vector<std::string> hosts;
  for (const std::string& entry : entriesOf(list)) {
    const auto open = entry.find('[');
    if (open == std::string::npos) {
      hosts.push_back(entry);
      continue;
    }
    const auto close = entry.find(']', open);
    if (close == std::string::npos) return refuse(entry);
    for (const std::string& range : split(entry.substr(open + 1, close - open - 1), ',')) {
      SLIPSTREAM_TRY(numbers, numbersOf(range));
      for (const std::string& number : numbers) {
        hosts.push_back(entry.substr(0, open) + number + entry.substr(close + 1));
      }
      if (std::cmp_greater(hosts.size(), mostRanks)) return refuseLength();
    }
  }
  return hosts;
}

}  // namespace slipstream

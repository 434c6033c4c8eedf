// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/damaged_json.h"

#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 24> oddValues{"null",
                                                "true",
                                                "0",
                                                "-1",
                                                "1",
                                                "2",
                                                "255",
                                                "65536",
                                                "2147483647",
                                                "4294967296",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "18446744073709551615",
                                                "0.5",
                                                "-0.0",
                                                "1e-308",
                                                "1e308",
                                                "\"\"",
                                                "\"../../../tmp\"",
                                                "\"\\u0000\\u001b[2J\"",
                                                "[]",
                                                "{}",
                                                "[[[[[[[[]]]]]]]]",
                                                "[1, 2, 3, 4, 5, 6, 7, 8, 9]"};

/// Every value below the root, in the order of the text.
void collect(const json& value, const json::json_pointer& place, std::vector<json::json_pointer>& places) {
  if (!place.empty()) places.push_back(place);
  if (value.is_object()) {
    for (const auto& [key, below] : value.items()) collect(below, place / key, places);
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], place / i, places);
  }
}

void erase(json& document, const json::json_pointer& place) {
  json& parent = document[place.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(std::stoul(place.back()));
  } else {
    parent.erase(place.back());
  }
}

void change(json& document, std::mt19937_64& random) {
  std::vector<json::json_pointer> places;
  collect(document, json::json_pointer(), places);
  if (places.empty()) return;
  const json::json_pointer& place = places[random() % places.size()];
  const json other = document[places[random() % places.size()]];
  json& parent = document[place.parent_pointer()];
  switch (below(random, 5)) {
    case 0:
      return erase(document, place);
    case 1:
      document[place] = other;
      return;
    case 2:
      if (parent.is_array()) parent.push_back(other);
      if (parent.is_object()) parent[place.back() + "_"] = other;
      return;
    default:
      document[place] = json::parse(oddValues[random() % oddValues.size()]);
  }
}

}  // namespace

std::string damagedJson(const std::string& text, std::mt19937_64& random) {
  json document = json::parse(text, nullptr, false, true);
  if (document.is_discarded()) return text;
  for (int changes = 1 + below(random, 3); changes > 0; --changes) change(document, random);
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace slipstream::test

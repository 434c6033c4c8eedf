// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_texts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {

void refuseForeignBytes(const Json& value, const std::string& path, Failures& failures) {
  if (value.is_string() && !isUtf8(value.get<std::string>())) {
    failures.push_back({path, printable(value.get<std::string>()), "holds bytes that are not UTF-8",
                        "write it in UTF-8; rename files that are called so"});
  }
  if (!value.is_structured()) return;
  for (const auto& [key, inner] : value.items()) {
    const std::string place = value.is_array() ? fmt::format("{}[{}]", path, key)
                              : path.empty()   ? key
                                               : path + "." + key;
    refuseForeignBytes(inner, place, failures);
  }
}

void checkName(const Json& object, const std::string& path, Failures& failures) {
  constexpr std::size_t longest = 200;
  if (!object.contains("name") || !object["name"].is_string()) return;
  const auto name = object["name"].get<std::string>();
  const std::string place = path.empty() ? "name" : path + ".name";
  if (trim(name).empty()) {
    failures.push_back({place, "", "is empty", "write a name, or leave it out to use the file's"});
  }
  if (const std::size_t length = characterCount(name); length > longest) {
    failures.push_back({place, shortText(object["name"]), fmt::format("is {} characters long", length),
                        fmt::format("use at most {}", longest)});
  }
}

}  // namespace slipstream

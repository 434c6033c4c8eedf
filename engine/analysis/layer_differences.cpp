// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/layer_differences.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using LayerJson = nlohmann::json;
using LayersByName = std::map<std::string, LayerJson>;

std::string layerName(const LayerJson& layer, std::size_t index) {
  const std::string name = layer.value("name", "");
  return name.empty() ? fmt::format("#{}", index) : name;
}

/// Of the layer, its kind and what is not the same in the others.
std::string layerText(const std::string& name, const LayersByName& own, const std::vector<LayersByName>& all) {
  const auto found = own.find(name);
  if (found == own.end()) return "no " + name;
  std::string text = name + ": " + found->second.value("type", "");
  for (const auto& [key, value] : found->second.items()) {
    const bool same = std::ranges::all_of(all, [&, &key = key, &value = value](const LayersByName& other) {
      const auto there = other.find(name);
      return there == other.end() || there->second.value(key, LayerJson()) == value;
    });
    if (!same && key != "type")
      text += fmt::format(", {} {}", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

/// Names of layers that are not the same everywhere, in the order in which they first come.
std::vector<std::string> differingLayers(const std::vector<LayerJson>& lists, const std::vector<LayersByName>& all) {
  std::vector<std::string> names;
  for (const LayerJson& list : lists) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string name = layerName(list[i], i);
      const bool same = std::ranges::all_of(all, [&](const LayersByName& other) {
        const auto there = other.find(name);
        return there != other.end() && there->second == list[i];
      });
      if (!same && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string shortList(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 3;
  if (texts.size() <= most) return join(texts, "; ");
  const std::vector<std::string> first(texts.begin(), texts.begin() + most);
  return fmt::format("{}; and {} more", join(first, "; "), texts.size() - most);
}

}  // namespace

std::vector<std::string> layerTexts(const std::vector<std::string>& lists) {
  std::vector<LayerJson> parsed;
  std::vector<LayersByName> byName;
  for (const std::string& text : lists) {
    LayerJson list = LayerJson::parse(text, nullptr, false);
    if (!list.is_array()) return lists;
    LayersByName layers;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object()) return lists;
      layers.emplace(layerName(list[i], i), list[i]);
    }
    parsed.push_back(std::move(list));
    byName.push_back(std::move(layers));
  }
  const std::vector<std::string> names = differingLayers(parsed, byName);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::vector<std::string> own;
    for (const std::string& name : names) own.push_back(layerText(name, byName[i], byName));
    texts.push_back(own.empty() ? counted(std::ssize(parsed[i]), "layer") : shortList(own));
    // What is left out of a long text may be all that two lists differ in.
    if (texts[i] == texts.front() && lists[i] != lists.front()) texts[i] += ", other than in the first";
  }
  return texts;
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/safetensors_header.h"

#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

constexpr const char* metadataKey = "__metadata__";

/// Follows the parser through {"NAME": {"dtype": TEXT, "shape": [NUMBERS], "data_offsets": [BEGIN, END]},
/// "__metadata__": {TEXT: TEXT}}. What is elsewhere ends the parsing.
class HeaderReader final : public nlohmann::json_sax<Json> {
 public:
  SafetensorsHeader header;
  std::string problem;
  std::string where;

  bool null() override { return refuse("holds a null"); }
  bool boolean(bool) override { return refuse("holds a truth value"); }
  bool number_integer(number_integer_t) override { return refuse("holds a negative number"); }
  bool number_float(number_float_t, const string_t&) override { return refuse("holds a number that is no whole one"); }
  bool binary(binary_t&) override { return refuse("holds binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::list) return refuse("holds a number where none belongs");
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return refuse("holds a number beyond 63 bits");
    }
    if (numbers_.size() == mostDimensions) return refuse(fmt::format("has more than {} dimensions", mostDimensions));
    numbers_.push_back(static_cast<std::int64_t>(value));
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata) return addMetadata(text);
    if (place_ != Place::tensor || key_ != "dtype") return refuse("holds a text where none belongs");
    if (type_) return refuse("has two types");
    type_ = typeOfSafetensors(text);
    if (!type_) return refuse("has type " + text + ", which is none of " + join(safetensorsTypeNames(), ", "));
    return true;
  }

  bool key(string_t& name) override {
    if (static_cast<std::int64_t>(name.size()) > longestName) return refuse("has a name that is too long");
    key_ = name;
    if (place_ == Place::root) where = name;
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::start) {
      place_ = Place::root;
      return true;
    }
    if (place_ != Place::root) return refuse("holds an object where none belongs");
    if (key_ == metadataKey) {
      if (hasMetadata_) return refuse("appears twice");
      hasMetadata_ = true;
      place_ = Place::metadata;
      return true;
    }
    if (header.tensors.size() == mostTensors) return refuse(fmt::format("is one of more than {} tensors", mostTensors));
    place_ = Place::tensor;
    type_.reset();
    shape_.reset();
    offsets_.reset();
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor && !addTensor()) return false;
    place_ = place_ == Place::root ? Place::end : Place::root;
    return true;
  }

  bool start_array(std::size_t) override {
    const bool belongs = place_ == Place::tensor && (key_ == "shape" || key_ == "data_offsets");
    if (!belongs) return refuse("holds a list where none belongs");
    if (key_ == "shape" ? shape_.has_value() : offsets_.has_value()) return refuse("has " + key_ + " twice");
    place_ = Place::list;
    numbers_.clear();
    return true;
  }

  bool end_array() override {
    place_ = Place::tensor;
    (key_ == "shape" ? shape_ : offsets_) = numbers_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    return refuse(fmt::format("is no JSON from its byte {} on", position));
  }

 private:
  enum class Place { start, root, metadata, tensor, list, end };

  bool refuse(std::string what) {
    if (problem.empty()) problem = std::move(what);
    return false;
  }

  bool addMetadata(const std::string& text) {
    if (header.metadata.size() == mostTensors) return refuse("has too many entries");
    return header.metadata.emplace(key_, text).second || refuse("has " + key_ + " twice");
  }

  bool addTensor() {
    if (!type_ || !shape_ || !offsets_ || offsets_->size() != 2) {
      return refuse("has no dtype, no shape or no pair of data_offsets");
    }
    const auto [begin, end] = std::array{(*offsets_)[0], (*offsets_)[1]};
    if (end < begin) return refuse(fmt::format("ends at byte {} before it begins at {}", end, begin));
    header.tensors.push_back({{where, *type_, *shape_}, {{begin, end - begin}}, end - begin});
    return true;
  }

  Place place_ = Place::start;
  bool hasMetadata_ = false;
  std::string key_;
  std::optional<ElementType> type_;
  std::optional<std::vector<std::int64_t>> shape_;
  std::optional<std::vector<std::int64_t>> offsets_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& path) {
  constexpr const char* remedy = "export the file again";
  HeaderReader reader;
  if (!Json::sax_parse(text, &reader)) {
    return fail(path + ": header", printable(reader.where), reader.problem, remedy);
  }
  if (const auto twice = repeatedName(reader.header.tensors)) {
    return fail(path, printable(*twice), "is the name of two tensors", remedy);
  }
  return std::move(reader.header);
}

}  // namespace slipstream

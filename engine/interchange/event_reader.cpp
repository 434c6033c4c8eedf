// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/number_type.h"
#include "engine/base/text.h"
#include "engine/interchange/event_fields.h"
#include "engine/interchange/event_file.h"
#include "engine/interchange/protobuf_walk.h"
#include "engine/interchange/tf_record.h"

namespace slipstream {
namespace {

namespace field = event_field;

constexpr std::int64_t longestText = 1 << 16;
constexpr const char* damagedEventFile =
    "the file is no TensorBoard event file, or was damaged: copy it again, or leave it out";

bool isField(const WireKey& key, int number, int type) {
  return key.field == static_cast<std::uint64_t>(number) && key.type == type;
}

/// One Summary.Value as it is.
struct SummaryValue {
  std::string tag;
  std::optional<double> number;
  std::optional<ProtobufWalk> tensor;
  std::string plugin;
  std::optional<ProtobufWalk> pluginContent;
  const char* otherKind = nullptr;  ///< what it is instead of a number
};

/// A tensor of one number.
class OneNumber {
 public:
  /// Nothing where the tensor has none, or several, or is of a type that is no number of ours.
  static Result<std::optional<double>> of(ProtobufWalk tensor) {
    OneNumber reading;
    SLIPSTREAM_CHECK(reading.read(tensor));
    if (reading.values_ != 1 && reading.content_.empty()) return std::optional<double>();
    return reading.content_.empty() ? reading.value_ : reading.ofContent();
  }

 private:
  Status read(ProtobufWalk& tensor) {
    while (tensor.rest() > 0) {
      SLIPSTREAM_TRY(key, tensor.key());
      if (isField(key, field::dataType, wireVarint)) {
        SLIPSTREAM_TRY(type, tensor.varint());
        type_ = type;
      } else if (isField(key, field::tensorContent, wireBytes)) {
        SLIPSTREAM_TRY(extent, tensor.bytes());
        if (extent.bytes > static_cast<std::int64_t>(sizeof(double))) continue;  // several numbers
        content_.resize(static_cast<std::size_t>(extent.bytes));
        SLIPSTREAM_CHECK(tensor.read(extent, std::as_writable_bytes(std::span(content_.data(), content_.size()))));
      } else if (isValues(key.field)) {
        SLIPSTREAM_CHECK(readValues(tensor, key));
      } else {
        SLIPSTREAM_CHECK(tensor.skip(key));
      }
    }
    return {};
  }

  static bool isValues(std::uint64_t number) {
    return number == field::floatValues || number == field::doubleValues || number == field::intValues ||
           number == field::int64Values || number == field::halfValues;
  }

  /// One a field, or all of them in one.
  Status readValues(ProtobufWalk& tensor, const WireKey& key) {
    if (key.type != wireBytes) return readValue(tensor, key.field);
    SLIPSTREAM_TRY(packed, tensor.message());
    while (packed.rest() > 0) SLIPSTREAM_CHECK(readValue(packed, key.field));
    return {};
  }

  Status readValue(ProtobufWalk& values, std::uint64_t number) {
    ++values_;
    if (number == field::floatValues) {
      SLIPSTREAM_TRY(value, values.float32());
      value_ = value;
    } else if (number == field::doubleValues) {
      SLIPSTREAM_TRY(value, values.float64());
      value_ = value;
    } else {
      SLIPSTREAM_TRY(value, values.varint());
      const auto bits = static_cast<std::uint16_t>(value);
      const bool isHalf = number == field::halfValues;
      value_ = !isHalf                        ? static_cast<double>(static_cast<std::int64_t>(value))
               : type_ == field::typeBfloat16 ? toFloat(Bfloat16{bits})
                                              : toFloat(Float16{bits});
    }
    return {};
  }

  template <class T>
  std::optional<double> as() const {
    if (content_.size() != sizeof(T)) return std::nullopt;
    T value{};
    std::memcpy(&value, content_.data(), sizeof(T));
    if constexpr (std::is_class_v<T>) {
      return toFloat(value);
    } else {
      return static_cast<double>(value);
    }
  }

  std::optional<double> ofContent() const {
    switch (type_) {
      case field::typeFloat:
        return as<float>();
      case field::typeDouble:
        return as<double>();
      case field::typeInt32:
        return as<std::int32_t>();
      case field::typeInt64:
        return as<std::int64_t>();
      case field::typeHalf:
        return as<Float16>();
      case field::typeBfloat16:
        return as<Bfloat16>();
      default:
        return std::nullopt;
    }
  }

  std::uint64_t type_ = 0;
  std::string content_;
  std::optional<double> value_;
  int values_ = 0;
};

class EventReader {
 public:
  explicit EventReader(ScalarEvents& events) : events_(events) {}

  Status read(ProtobufWalk event) {
    double wallSeconds = 0;
    std::int64_t step = 0;
    std::vector<ProtobufWalk> summaries;
    bool starts = false;
    while (event.rest() > 0) {
      SLIPSTREAM_TRY(key, event.key());
      if (isField(key, field::wallTime, wire64Bits)) {
        SLIPSTREAM_TRY(seconds, event.float64());
        wallSeconds = seconds;
      } else if (isField(key, field::step, wireVarint)) {
        SLIPSTREAM_TRY(number, event.varint());
        step = static_cast<std::int64_t>(number);
      } else if (isField(key, field::summary, wireBytes)) {
        SLIPSTREAM_TRY(summary, event.message());
        summaries.push_back(summary);
      } else if (isField(key, field::sessionLog, wireBytes)) {
        SLIPSTREAM_TRY(log, event.message());
        SLIPSTREAM_TRY(started, isStart(log));
        starts = started;
      } else {
        SLIPSTREAM_CHECK(event.skip(key));
      }
    }
    if (starts) dropFrom(step);
    for (ProtobufWalk& summary : summaries) SLIPSTREAM_CHECK(readSummary(summary, step, wallSeconds));
    return {};
  }

 private:
  static Result<bool> isStart(ProtobufWalk log) {
    std::uint64_t status = 0;
    while (log.rest() > 0) {
      SLIPSTREAM_TRY(key, log.key());
      if (isField(key, field::sessionStatus, wireVarint)) {
        SLIPSTREAM_TRY(number, log.varint());
        status = number;
      } else {
        SLIPSTREAM_CHECK(log.skip(key));
      }
    }
    return status == field::sessionStarts;
  }

  void dropFrom(std::int64_t step) {
    for (auto& [tag, points] : events_.points) {
      std::erase_if(points, [step](const ScalarPoint& point) { return point.step >= step; });
    }
  }

  Status readSummary(ProtobufWalk& summary, std::int64_t step, double wallSeconds) {
    while (summary.rest() > 0) {
      SLIPSTREAM_TRY(key, summary.key());
      if (!isField(key, field::summaryValue, wireBytes)) {
        SLIPSTREAM_CHECK(summary.skip(key));
        continue;
      }
      SLIPSTREAM_TRY(message, summary.message());
      SLIPSTREAM_TRY(value, valueOf(message));
      SLIPSTREAM_CHECK(take(value, step, wallSeconds));
    }
    return {};
  }

  static Result<SummaryValue> valueOf(ProtobufWalk& message) {
    SummaryValue value;
    while (message.rest() > 0) {
      SLIPSTREAM_TRY(key, message.key());
      if (isField(key, field::tag, wireBytes)) {
        SLIPSTREAM_TRY(tag, message.text(longestText));
        value.tag = std::move(tag);
      } else if (isField(key, field::simpleValue, wire32Bits)) {
        SLIPSTREAM_TRY(number, message.float32());
        value.number = number;
      } else if (isField(key, field::tensor, wireBytes)) {
        SLIPSTREAM_TRY(tensor, message.message());
        value.tensor = tensor;
      } else if (isField(key, field::metadata, wireBytes)) {
        SLIPSTREAM_TRY(metadata, message.message());
        SLIPSTREAM_CHECK(readMetadata(metadata, value));
      } else {
        value.otherKind = key.field == field::image       ? "images"
                          : key.field == field::histogram ? "histograms"
                          : key.field == field::audio     ? "audio"
                                                          : value.otherKind;
        SLIPSTREAM_CHECK(message.skip(key));
      }
    }
    return value;
  }

  static Status readMetadata(ProtobufWalk& metadata, SummaryValue& value) {
    while (metadata.rest() > 0) {
      SLIPSTREAM_TRY(key, metadata.key());
      if (!isField(key, field::pluginData, wireBytes)) {
        SLIPSTREAM_CHECK(metadata.skip(key));
        continue;
      }
      SLIPSTREAM_TRY(plugin, metadata.message());
      while (plugin.rest() > 0) {
        SLIPSTREAM_TRY(inner, plugin.key());
        if (isField(inner, field::pluginName, wireBytes)) {
          SLIPSTREAM_TRY(name, plugin.text(longestText));
          value.plugin = std::move(name);
        } else if (isField(inner, field::pluginContent, wireBytes)) {
          SLIPSTREAM_TRY(content, plugin.message());
          value.pluginContent = content;
        } else {
          SLIPSTREAM_CHECK(plugin.skip(inner));
        }
      }
    }
    return {};
  }

  /// Only the first value of a tag need name its plug-in.
  const std::string& pluginOf(const SummaryValue& value) {
    std::string& known = plugins_[value.tag];
    if (!value.plugin.empty()) known = value.plugin;
    return known;
  }

  Status take(const SummaryValue& value, std::int64_t step, double wallSeconds) {
    const std::string& plugin = pluginOf(value);
    if (plugin == field::hparamsPlugin) {
      return value.tag == field::sessionStartTag && value.pluginContent ? readSettings(*value.pluginContent) : Status();
    }
    std::optional<double> number = value.number;
    const bool mayBeScalar = plugin.empty() || plugin == field::scalarsPlugin;
    if (!number && value.tensor && mayBeScalar) {
      SLIPSTREAM_TRY(one, OneNumber::of(*value.tensor));
      number = one;
    }
    if (number) {
      events_.points[value.tag].push_back({step, wallSeconds, *number});
    } else if (!plugin.empty() || value.tensor || value.otherKind != nullptr) {
      ++events_.passedOver[!plugin.empty() ? plugin : value.otherKind != nullptr ? value.otherKind : "tensors"];
    }
    return {};
  }

  Status readSettings(ProtobufWalk data) {
    while (data.rest() > 0) {
      SLIPSTREAM_TRY(key, data.key());
      if (!isField(key, field::sessionStart, wireBytes)) {
        SLIPSTREAM_CHECK(data.skip(key));
        continue;
      }
      SLIPSTREAM_TRY(start, data.message());
      while (start.rest() > 0) {
        SLIPSTREAM_TRY(inner, start.key());
        if (isField(inner, field::hyperparameters, wireBytes)) {
          SLIPSTREAM_TRY(entry, start.message());
          SLIPSTREAM_CHECK(readSetting(entry));
        } else {
          SLIPSTREAM_CHECK(start.skip(inner));
        }
      }
    }
    return {};
  }

  Status readSetting(ProtobufWalk& entry) {
    std::string name, text;
    while (entry.rest() > 0) {
      SLIPSTREAM_TRY(key, entry.key());
      if (isField(key, field::mapKey, wireBytes)) {
        SLIPSTREAM_TRY(word, entry.text(longestText));
        name = std::move(word);
      } else if (isField(key, field::mapValue, wireBytes)) {
        SLIPSTREAM_TRY(value, entry.message());
        SLIPSTREAM_TRY(word, settingText(value));
        text = std::move(word);
      } else {
        SLIPSTREAM_CHECK(entry.skip(key));
      }
    }
    if (!name.empty()) events_.settings[name] = std::move(text);
    return {};
  }

  static Result<std::string> settingText(ProtobufWalk& value) {
    std::string text;
    while (value.rest() > 0) {
      SLIPSTREAM_TRY(key, value.key());
      if (isField(key, field::numberValue, wire64Bits)) {
        SLIPSTREAM_TRY(number, value.float64());
        text = numberText(number);
      } else if (isField(key, field::boolValue, wireVarint)) {
        SLIPSTREAM_TRY(flag, value.varint());
        text = flag != 0 ? "true" : "false";
      } else if (isField(key, field::stringValue, wireBytes)) {
        SLIPSTREAM_TRY(word, value.text(longestText));
        text = std::move(word);
      } else {
        SLIPSTREAM_CHECK(value.skip(key));
      }
    }
    return text;
  }

  ScalarEvents& events_;
  std::map<std::string, std::string> plugins_;  ///< by tag
};

}  // namespace

Status addEventFile(const std::filesystem::path& file, DamagedRecord damaged, ScalarEvents& events) {
  SLIPSTREAM_TRY(bytes, FileBytes::open(file));
  RecordReader records(bytes);
  EventReader reader(events);
  while (true) {
    SLIPSTREAM_TRY(record, records.next());
    if (!record) break;
    SLIPSTREAM_CHECK(reader.read({*record, records.offset(), bytes.path(), damagedEventFile}));
  }
  const auto& damage = records.damage();
  if (!damage) return {};
  const std::string place = fmt::format("{}: byte {}", file.string(), damage->offset);
  if (damaged == DamagedRecord::isFailure) {
    return fail(place, "", damage->problem, "copy the file again, or add --partial to take what is before this place");
  }
  events.cut.push_back(place + ": " + damage->problem);
  return {};
}

}  // namespace slipstream

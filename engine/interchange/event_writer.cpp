// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <optional>
#include <span>

#include "engine/base/replacing_file.h"
#include "engine/base/text.h"
#include "engine/interchange/event_fields.h"
#include "engine/interchange/event_file.h"
#include "engine/interchange/protobuf_fields.h"
#include "engine/interchange/tf_record.h"

namespace slipstream {
namespace {

namespace field = event_field;

constexpr std::size_t flushedBytes = 1 << 20;

/// The number that a text is, where a double has it: of whole numbers not all.
std::optional<double> numberOf(const std::string& text) {
  constexpr double mostWhole = 9007199254740992;  // 2^53
  const auto number = parseNumber(text);
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return number && whole && std::abs(*number) > mostWhole ? std::nullopt : number;
}

/// google.protobuf.Value: a number or a flag where the text is one.
std::string valueOf(const std::string& text) {
  std::string value;
  if (const auto number = numberOf(text)) {
    addFixed(value, field::numberValue, *number);
  } else if (text == "true" || text == "false") {
    addInteger(value, field::boolValue, text == "true" ? 1 : 0);
  } else {
    addText(value, field::stringValue, text);
  }
  return value;
}

std::string sessionStart(const std::map<std::string, std::string>& settings, const std::string& group,
                         double wallSeconds) {
  std::string start;
  for (const auto& [key, text] : settings) {
    std::string entry;
    addText(entry, field::mapKey, key);
    addText(entry, field::mapValue, valueOf(text));
    addText(start, field::hyperparameters, entry);
  }
  addText(start, field::groupName, group);
  addFixed(start, field::startTime, wallSeconds);
  std::string data;
  addText(data, field::sessionStart, start);
  return data;
}

std::string sessionEnd(bool succeeded, double wallSeconds) {
  std::string end;
  addInteger(end, field::endStatus, succeeded ? field::succeeded : field::failed);
  addFixed(end, field::endTime, wallSeconds);
  std::string data;
  addText(data, field::sessionEnd, end);
  return data;
}

/// A tensor of floats that has none, which the plug-in puts where it has nothing but data of its own.
std::string emptyTensor() {
  std::string dimension, shape, tensor;
  addInteger(dimension, field::dimensionSize, 0);
  addText(shape, field::dimension, dimension);
  addInteger(tensor, field::dataType, field::typeFloat);
  addText(tensor, field::shape, shape);
  return tensor;
}

}  // namespace

EventFileWriter::EventFileWriter(std::unique_ptr<ReplacingFile> file) : file_(std::move(file)) {}
EventFileWriter::EventFileWriter(EventFileWriter&& other) noexcept = default;
EventFileWriter& EventFileWriter::operator=(EventFileWriter&& other) noexcept = default;
EventFileWriter::~EventFileWriter() = default;

Result<EventFileWriter> EventFileWriter::create(const std::filesystem::path& file, double wallSeconds) {
  SLIPSTREAM_TRY(place, ReplacingFile::create(file));
  EventFileWriter writer(std::move(place));
  std::string event;
  addFixed(event, field::wallTime, wallSeconds);
  addText(event, field::fileVersion, "brain.Event:2");
  SLIPSTREAM_CHECK(writer.addEvent(event));
  return writer;
}

Status EventFileWriter::begin(const std::map<std::string, std::string>& settings, const std::string& group,
                              double wallSeconds) {
  return addPluginData(field::sessionStartTag, sessionStart(settings, group, wallSeconds), wallSeconds);
}

Status EventFileWriter::add(std::string_view tag, const ScalarPoint& point) {
  value_.clear();
  addText(value_, field::tag, tag);
  addFixed(value_, field::simpleValue, static_cast<float>(point.value));
  event_.clear();
  addFixed(event_, field::wallTime, point.wallSeconds);
  addInteger(event_, field::step, point.step);
  std::string summary;
  addText(summary, field::summaryValue, value_);
  addText(event_, field::summary, summary);
  return addEvent(event_);
}

Status EventFileWriter::end(bool succeeded, double wallSeconds) {
  return addPluginData(field::sessionEndTag, sessionEnd(succeeded, wallSeconds), wallSeconds);
}

Status EventFileWriter::addPluginData(const char* tag, std::string_view content, double wallSeconds) {
  std::string plugin, metadata, value, summary, event;
  addText(plugin, field::pluginName, field::hparamsPlugin);
  addText(plugin, field::pluginContent, content);
  addText(metadata, field::pluginData, plugin);
  addText(value, field::tag, tag);
  addText(value, field::tensor, emptyTensor());
  addText(value, field::metadata, metadata);
  addText(summary, field::summaryValue, value);
  addFixed(event, field::wallTime, wallSeconds);
  addText(event, field::summary, summary);
  return addEvent(event);
}

Status EventFileWriter::addEvent(std::string_view event) {
  addRecord(bytes_, event);
  return bytes_.size() < flushedBytes ? Status() : flush();
}

Status EventFileWriter::flush() {
  const Status written = file_->write(std::as_bytes(std::span(bytes_.data(), bytes_.size())));
  bytes_.clear();
  return written;
}

Status EventFileWriter::commit() {
  SLIPSTREAM_CHECK(flush());
  return file_->commit();
}

}  // namespace slipstream

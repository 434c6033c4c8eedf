// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

class ReplacingFile;

/// One number of an event file.
struct ScalarPoint {
  std::int64_t step = 0;
  double wallSeconds = 0;  ///< since 1970
  double value = 0;
};

/// What TensorBoard's event files of one run say in numbers.
struct ScalarEvents {
  std::map<std::string, std::vector<ScalarPoint>> points;  ///< by tag, in the order in which they were written
  std::map<std::string, std::string> settings;             ///< hyperparameters of the plug-in `hparams`
  std::map<std::string, std::int64_t> passedOver;          ///< summaries that are no numbers, by plug-in or kind
  std::vector<std::string> cut;                            ///< "FILE: byte N: PROBLEM" where a file was left off
};

/// What becomes of a file with a damaged record, or an end within one.
enum class DamagedRecord { isFailure, endsTheFile };

/// Adds what an event file holds (TFRecords of the message Event of TensorFlow's core/util/event.proto): scalars as
/// `simple_value` and as tensors of one number. The files of a run are added in the order of their names. Where one
/// says that the run was started anew at a step, earlier points from that step on are dropped, as TensorBoard does.
Status addEventFile(const std::filesystem::path& file, DamagedRecord damaged, ScalarEvents& events);

/// Writes an event file of one run, as TensorBoard reads it; it takes its place at commit().
class EventFileWriter {
 public:
  static Result<EventFileWriter> create(const std::filesystem::path& file, double wallSeconds);
  EventFileWriter(EventFileWriter&& other) noexcept;
  EventFileWriter& operator=(EventFileWriter&& other) noexcept;
  ~EventFileWriter();

  /// For the plug-in `hparams`; runs of one group are shown as repetitions of each other.
  Status begin(const std::map<std::string, std::string>& settings, const std::string& group, double wallSeconds);
  /// As single precision, the one that `simple_value` has.
  Status add(std::string_view tag, const ScalarPoint& point);
  Status end(bool succeeded, double wallSeconds);
  Status commit();

 private:
  explicit EventFileWriter(std::unique_ptr<ReplacingFile> file);
  Status addEvent(std::string_view event);
  Status addPluginData(const char* tag, std::string_view content, double wallSeconds);
  Status flush();

  std::unique_ptr<ReplacingFile> file_;
  std::string bytes_;
  std::string value_, event_;  ///< room that every point needs again
};

}  // namespace slipstream

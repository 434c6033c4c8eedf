// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/interchange/event_file.h"
#include "engine/trackers/run_export.h"

namespace slipstream {
namespace {

double secondsOf(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

/// NaN is NaN in either precision.
bool isRounded(double value) {
  return !std::isnan(value) && static_cast<double>(static_cast<float>(value)) != value;
}

Status addSeries(const std::string& tag, const Series& series, EventFileWriter& file, ExportedRun& exported) {
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    SLIPSTREAM_CHECK(file.add(tag, {series.steps[i], secondsOf(series.wallNanoseconds[i]), series.values[i]}));
    exported.rounded += isRounded(series.values[i]) ? 1 : 0;
  }
  exported.points += std::ssize(series.steps);
  return {};
}

/// Runs that are the same but for their seed.
std::string groupOf(const RunToExport& run) {
  return run.record.variant.empty() ? run.record.name : run.record.name + " / " + run.record.variant;
}

Status writeFile(RunStore& store, const RunToExport& run, const std::filesystem::path& place, ExportedRun& exported) {
  const RunRecord& record = run.record;
  const double started = secondsOf(record.startedAt > 0 ? record.startedAt : record.createdAt);
  const std::string name =
      fmt::format("events.out.tfevents.{:010d}.slipstream.{}", static_cast<std::int64_t>(started), record.id);
  SLIPSTREAM_TRY(file, EventFileWriter::create(place / name, started));
  SLIPSTREAM_CHECK(file.begin(run.settings, groupOf(run), started));
  for (const std::string& metric : run.metrics) {
    SLIPSTREAM_CHECK(addSeries(metric, seriesOf(store, run, metric), file, exported));
  }
  if (isTerminal(record.state)) {
    SLIPSTREAM_CHECK(file.end(record.state == RunState::done, secondsOf(record.endedAt)));
  }
  return file.commit();
}

}  // namespace

std::filesystem::path tensorBoardPlace(const RunToExport& run) {
  return folderNameOf(run);
}

Result<ExportedRun> exportToTensorBoard(RunStore& store, const RunToExport& run, const std::filesystem::path& place) {
  ExportedRun exported{run.record.id, place, std::ssize(run.metrics)};
  SLIPSTREAM_CHECK(makeFolder(place));
  const Status written = writeFile(store, run, place, exported);
  if (written) return exported;
  std::error_code ignored;
  std::filesystem::remove(place, ignored);  // only if nothing is in it
  return tl::unexpected(written.error());
}

}  // namespace slipstream

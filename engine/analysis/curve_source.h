// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "engine/analysis/curve_plan.h"
#include "engine/base/lru_cache.h"
#include "engine/store/series.h"

namespace slipstream {

struct CurveRun {
  std::string id;
  std::string version;  ///< another text whenever the run's series may have become other ones
};

/// What one chart wants to show.
struct CurveQuery {
  std::vector<CurveRun> runs;
  std::string metric;  ///< "orthogonality/*": the mean of all whose names begin so
  double factor = 1;   ///< from the stored unit to the one that is shown
  ChartX x = ChartX::step;
  double smoothing = 0;  ///< 0: none
  bool rawLine = true;   ///< behind the smoothed one
  bool logarithmic = false;
  bool bands = false;  ///< runs that differ in their seed alone are one curve: mean, lowest, highest
  std::optional<std::pair<double, double>> range;  ///< of x; nothing: all of it
  int columns = 1000;                              ///< device pixels
};

/// The raw sample farthest above the smoothed line, within the range.
struct Spike {
  double x = 0, y = 0;
  double smoothed = 0;  ///< the line there
};

/// One curve, thinned for its chart.
struct ThinCurve {
  std::vector<std::size_t> runs;  ///< indices into the query's
  std::vector<Line> raw, line, lowest, highest;
  std::vector<double> gaps;  ///< x of samples that are no numbers, within the range
  std::size_t samples = 0;   ///< of the whole curve
  std::optional<Spike> spike;
};

/// Where a stage begins, over the query's axis.
struct CurveBorder {
  double x = 0;
  std::string stage;
};

struct CurveAnswer {
  std::vector<ThinCurve> curves;  ///< of runs that have the metric
  double first = 0, last = 1;     ///< of x, of all samples and of what the runs were planned to be
  std::size_t samples = 0, drawn = 0;
  std::vector<CurveBorder> borders;      ///< of the first run that has stages
  std::optional<double> targetAccuracy;  ///< in 0..1, of the first run that has one
  int ranks = 0;                         ///< of the first run
  std::vector<std::size_t> damaged;      ///< indices of runs whose values cannot be read
};

/// The values under a cursor, from the full data.
struct CurveReading {
  std::vector<std::size_t> runs;
  double x = 0, smoothed = 0, raw = 0;
};
struct CursorAnswer {
  double x = 0;                        ///< of the sample that was found
  std::vector<CurveReading> readings;  ///< of curves that have a sample there
};

/// Rows of the visible samples: `x`, then a value a curve.
struct CurveTable {
  std::vector<std::vector<std::size_t>> runs;  ///< of each column
  std::vector<double> x;
  std::vector<std::vector<double>> values;  ///< a column a curve
  std::vector<std::vector<bool>> present;   ///< where a curve has a sample, which may be no number
};

/// Reads, smooths, bundles and thins curves, and keeps what it has read, so that zooming reads nothing again. For one
/// thread.
class CurveSource {
 public:
  CurveSource();
  ~CurveSource();

  CurveAnswer read(RunStore& store, const CurveQuery& query);
  /// The sample nearest to `x`, or `move` samples from it, of the first curve that has any.
  CursorAnswer at(RunStore& store, const CurveQuery& query, double x, int move = 0);
  /// A series as it is stored, kept like what is drawn.
  /// Empty where its values are damaged.
  std::shared_ptr<const Series> seriesOf(RunStore& store, const CurveRun& run, const std::string& metric);
  /// Every sample in the query's range.
  CurveTable table(RunStore& store, const CurveQuery& query);

 private:
  struct Curve;
  using CurvePointer = std::shared_ptr<const Curve>;

  const CurvePlan& planOf(RunStore& store, const CurveRun& run);
  void addPlans(RunStore& store, const CurveQuery& query, CurveAnswer& answer);
  std::vector<std::vector<std::size_t>> groups(RunStore& store, const CurveQuery& query);
  std::vector<std::pair<std::vector<std::size_t>, CurvePointer>> curves(RunStore& store, const CurveQuery& query);
  std::vector<std::size_t> damagedOf(const CurveQuery& query) const;
  CurvePointer curve(RunStore& store, const CurveQuery& query, const std::vector<std::size_t>& runs);

  LruCache kept_;
  std::map<std::string, std::unique_ptr<CurvePlan>> plans_;
  std::set<std::string> damaged_;  ///< keys of series
};

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/analysis/curve_overview.h"
#include "engine/analysis/curve_plan.h"
#include "engine/base/lru_cache.h"
#include "engine/record/series.h"
#include "engine/store/run_store.h"

namespace slipstream {

struct CurveRun {
  std::string id;
  std::string version;  ///< another text whenever the run's series may have become other ones
};

/// Of more curves no raw lines are drawn behind the smoothed ones: they would hide all.
inline constexpr std::size_t mostWithRawLines = 5;

/// What one chart wants to show.
struct CurveQuery {
  std::vector<CurveRun> runs;
  std::string metric;  ///< "orthogonality/*": the mean of all whose names begin so
  double factor = 1;   ///< from the stored unit to the one that is shown
  ChartX x = ChartX::step;
  double smoothing = 0;  ///< 0: none
  bool rawLine = true;   ///< behind the smoothed one, of few curves
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

struct CurveSample {
  double x = 0, smoothed = 0, raw = 0;
};

/// One curve, thinned for its chart.
struct ThinCurve {
  std::vector<std::size_t> runs;  ///< indices into the query's
  std::size_t seeds = 1;          ///< that they have: several runs of one count once
  std::vector<Line> raw, line, lowest, highest;
  std::vector<double> gaps;         ///< x of samples that are no numbers, within the range
  std::size_t samples = 0;          ///< of the whole curve
  std::optional<CurveSample> last;  ///< where the whole curve ends
  std::optional<Spike> spike;
};

/// Where a stage begins, over the query's axis.
struct CurveBorder {
  double x = 0;
  std::string stage;
};

struct CurveAnswer {
  std::vector<ThinCurve> curves;  ///< of runs that have the metric
  double first = 0, last = 1;     ///< of x, of all samples, and of what runs were planned to be that are almost there
  double planned = 0;             ///< where the longest of the runs would end; 0: not known on this axis
  std::size_t samples = 0, drawn = 0;
  std::size_t unread = 0;                ///< curves that are still to be read
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

/// Reads, smooths, bundles and thins curves, and keeps what it has read, so that zooming reads nothing again: short
/// curves whole, of many long ones an overview and the parts that were looked at. For one thread.
class CurveSource {
 public:
  /// `mostBytes`: of samples that are kept, and as much again of overviews.
  explicit CurveSource(std::size_t mostBytes = std::size_t{512} << 20);
  ~CurveSource();

  /// `seconds`: once they are over, what was not read before is left out and counted as unread; the next call goes on.
  CurveAnswer read(RunStore& store, const CurveQuery& query, double seconds = std::numeric_limits<double>::infinity());
  /// The sample nearest to `x`, or `move` samples from it, of the first curve that has any. Where a pixel holds many
  /// samples it is one of those, and where `exact` is set the nearest all the same. Of very many curves those are left
  /// out whose samples there cannot be read in a tenth of a second.
  CursorAnswer at(RunStore& store, const CurveQuery& query, double x, int move = 0, bool exact = false);
  /// A series as it is stored, kept like what is drawn.
  /// Empty where its values are damaged.
  std::shared_ptr<const Series> seriesOf(RunStore& store, const CurveRun& run, const std::string& metric);
  /// Every sample in the query's range; nothing where the table would have more than `mostCells`, which is found out
  /// before it fills the memory.
  std::optional<CurveTable> table(RunStore& store, const CurveQuery& query,
                                  std::size_t mostCells = std::numeric_limits<std::size_t>::max());

 private:
  using Runs = std::vector<std::size_t>;  ///< indices into a query's
  using SamplesPointer = std::shared_ptr<const CurveSamples>;
  using OverviewPointer = std::shared_ptr<const CurveOverview>;

  const CurvePlan& planOf(RunStore& store, const CurveRun& run);
  std::size_t seedsOf(RunStore& store, const CurveQuery& query, const Runs& runs);
  void addPlans(RunStore& store, const CurveQuery& query, CurveAnswer& answer);
  std::vector<Runs> groups(RunStore& store, const CurveQuery& query);
  Runs damagedOf(const CurveQuery& query) const;

  /// What is kept of a curve: one of the two, or neither.
  struct Known {
    SamplesPointer whole;
    OverviewPointer overview;
    bool empty() const { return !whole && !overview; }
  };
  struct Made {
    Known curve;
    std::set<std::string> damaged;  ///< keys of series
  };
  Known known(const CurveQuery& query, const Runs& runs);
  Made make(RunStore& store, const CurveQuery& query, const Runs& runs,
            std::vector<std::shared_ptr<const Series>> series, std::size_t curves);
  Made readAlone(RunStore& store, const CurveQuery& query, const Runs& runs, std::size_t curves);
  void readTogether(RunStore& store, const CurveQuery& query, const std::vector<Runs>& all, double seconds);
  void keep(const CurveQuery& query, const Runs& runs, const Made& made);
  Known readWhole(RunStore& store, const CurveQuery& query, const Runs& runs, std::size_t curves);
  SamplesPointer knownPart(const CurveQuery& query, const Runs& runs, const StepRange& steps);
  SamplesPointer part(RunStore& store, const CurveQuery& query, const Runs& runs, const CurveOverview& overview,
                      const StepRange& steps);
  CurveSamples samplesOf(RunStore& store, const CurveQuery& query, const Runs& runs,
                         std::vector<std::shared_ptr<const Series>> series, bool smooth,
                         std::vector<std::int64_t>* steps);
  Series readSeries(RunStore& store, const CurveRun& run, const std::string& metric,
                    const std::optional<StepRange>& steps, std::vector<std::string>& damaged);
  Known knownOrRead(RunStore& store, const CurveQuery& query, const Runs& runs);
  double moved(RunStore& store, const CurveQuery& query, const Runs& runs, const Known& known, double x, int move);
  /// How the values at one place are read.
  struct ReadingMode {
    bool exact = false, mayRead = true;  ///< from the store
  };
  SamplesPointer samplesAt(RunStore& store, const CurveQuery& query, const Runs& runs, const CurveOverview& overview,
                           double x, bool mayRead);
  std::optional<CurveReading> readingAt(RunStore& store, const CurveQuery& query, const Runs& runs, const Known& known,
                                        double x, ReadingMode mode);

  std::size_t mostBytes_;
  LruCache kept_, overviews_;
  std::vector<std::unique_ptr<RunStore>> helpers_;  ///< connections of the threads that read together
  std::map<std::string, std::unique_ptr<CurvePlan>> plans_;
  std::set<std::string> damaged_;  ///< keys of series
};

}  // namespace slipstream

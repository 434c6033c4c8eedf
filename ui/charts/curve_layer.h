// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPixmap>
#include <memory>
#include <utility>

#include "ui/charts/curve_strokes.h"

namespace slipstream::ui {

/// A picture of curves, which is shown at its new place when axes change, until a newer one has come. Drawn at once by
/// somebody else (`take`), or in the pool: one drawing at a time, and what comes while it goes on is drawn next.
class CurveLayer : public QObject {
  Q_OBJECT

 public:
  /// The picture is no longer that of its curves.
  void markStale() { stale_ = true; }
  bool isStale() const { return stale_; }
  /// Shows its curves, and nothing newer is asked for.
  bool isCurrent() const { return !stale_ && (!drawing_ || outdated_); }

  void take(QPixmap picture, const ChartLayout& frame);
  /// `drawn` follows. Of the chart its curves are read, by another thread. `width` of the lines; 0: as the chart has
  /// them.
  void draw(std::shared_ptr<const ChartModel> chart, const ChartLayout& frame, const QSize& size, double ratio,
            double width = 0);
  /// Shows nothing, also of a drawing that goes on, and is stale.
  void clear();

  /// Whether axes like these show what the picture shows: any wider or narrower, it would say nothing.
  bool fits(const ChartLayout& frame) const;
  /// Nothing where the picture does not fit.
  void paint(QPainter& painter, const ChartLayout& frame) const;

 Q_SIGNALS:
  void drawn();

 private:
  QPixmap picture_;
  ChartLayout frame_;  ///< where the curves were when they were drawn
  bool stale_ = true;
  bool drawing_ = false;   ///< in the pool …
  bool outdated_ = false;  ///< … what is not to be shown any more
};

}  // namespace slipstream::ui

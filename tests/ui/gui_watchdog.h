// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

namespace slipstream::ui {

/// One event that the window's thread was busy with.
struct Stall {
  double milliseconds = 0;     ///< that passed
  double cpuMilliseconds = 0;  ///< that the thread itself took: less where others had the processor
  QString receiver;            ///< class and name of the object
  int eventType = 0;           ///< QEvent::Type
};

/// An application that measures how long the handling of each event keeps the window's thread from the next one, for
/// tests and measurements. Events inside others count for the outer one, but for those of loops that wait inside it:
/// each of theirs counts alone. A quarter of a millisecond more or less is not seen.
class WatchedApplication : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override;

  /// The longest by the thread's own time since the last forget().
  const Stall& longest() const { return longest_; }
  void forget() { longest_ = {}; }

 private:
  double threadAt(double wall);

  Stall longest_;
  int depth_ = 0;                    ///< of events within events
  int loopLevel_ = 0;                ///< of the loop that the outer event came from
  double alone_ = 0;                 ///< the thread's milliseconds in events that count alone
  double askedAt_ = 0, thread_ = 0;  ///< when the thread's time was last asked for, and what it was, in milliseconds
};

}  // namespace slipstream::ui

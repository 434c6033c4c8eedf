// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/arrivals.h"

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>

namespace slipstream::test {
namespace {

using namespace std::chrono_literals;

constexpr auto lookEvery = 5ms;

/// The last step that any line of the image reaches; -1: none.
std::int64_t newestStepOf(const ui::ShownChart& picture) {
  double newest = -1;
  for (const ChartCurve& curve : picture.curves) {
    for (const auto* lines : {&curve.raw, &curve.line}) {
      for (const Line& line : *lines) {
        if (!line.x.empty()) newest = std::max(newest, line.x.back());
      }
    }
  }
  return static_cast<std::int64_t>(newest);
}

}  // namespace

WrittenSteps::WrittenSteps(const std::filesystem::path& store, std::string run)
    : run_(std::move(run)), thread_([this, store] { watch(store); }) {}

WrittenSteps::~WrittenSteps() {
  over_ = true;
  thread_.join();
}

void WrittenSteps::watch(const std::filesystem::path& folder) {
  const auto store = RunStore::open(folder, StoreAccess::read);
  if (!store) return;
  for (std::int64_t known = -1; !over_; std::this_thread::sleep_for(lookEvery)) {
    const std::int64_t version = (*store)->dataVersion();
    if (version == known) continue;
    const Moment now = std::chrono::steady_clock::now();
    known = version;
    const Series loss = (*store)->series(run_, "loss");
    if (loss.steps.empty()) continue;
    const std::lock_guard guard(lock_);
    seen_.try_emplace(loss.steps.back(), now);
  }
}

std::map<std::int64_t, Moment> WrittenSteps::seen() const {
  const std::lock_guard guard(lock_);
  return seen_;
}

PaintedSteps::PaintedSteps(ui::MetricChart& chart) : QObject(&chart), chart_(chart) {
  chart.installEventFilter(this);
}

/// Lets the chart paint, and looks at the clock afterwards.
bool PaintedSteps::eventFilter(QObject* watched, QEvent* event) {
  if (painting_ || event->type() != QEvent::Paint) return false;
  painting_ = true;
  QCoreApplication::sendEvent(watched, event);
  painting_ = false;
  note();
  return true;
}

void PaintedSteps::note() {
  const std::int64_t newest = newestStepOf(chart_.model());
  if (newest >= 0) seen_.try_emplace(newest, std::chrono::steady_clock::now());
}

std::vector<double> delays(const std::map<std::int64_t, Moment>& written,
                           const std::map<std::int64_t, Moment>& painted) {
  std::vector<double> milliseconds;
  for (const auto& [step, when] : written) {
    const auto shown = painted.lower_bound(step);
    if (shown == painted.end()) break;
    milliseconds.push_back(std::chrono::duration<double, std::milli>(shown->second - when).count());
  }
  return milliseconds;
}

}  // namespace slipstream::test

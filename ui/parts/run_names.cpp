// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/run_names.h"

#include <QCoreApplication>

namespace slipstream::ui {
namespace {

QString plainName(const RunRow& row) {
  if (!row.label.title.empty()) return row.title();
  return QCoreApplication::translate("RunTree", "%1 · seed %2").arg(row.title()).arg(row.run.seed);
}

const std::string& ownName(const RunRow& row) {
  if (!row.label.title.empty()) return row.label.title;
  return row.run.variant.empty() ? row.run.name : row.run.variant;
}

bool sameName(const RunRow& a, const RunRow& b) {
  const bool titled = !a.label.title.empty();
  return titled == !b.label.title.empty() && (titled || a.run.seed == b.run.seed) && ownName(a) == ownName(b) &&
         a.run.experimentName == b.run.experimentName;
}

QString mark(int repeat) {
  return repeat < 2 ? QString() : QStringLiteral(" #%1").arg(repeat);
}

}  // namespace

RunNames::RunNames(const StoreSnapshot& snapshot) {
  std::unordered_map<std::string, int> known;
  known.reserve(snapshot.runs.size());
  for (const RunRow& row : snapshot.runs) {
    std::string key = row.run.experimentName + '\n' + ownName(row);
    if (row.label.title.empty()) key += '\n' + std::to_string(row.run.seed);
    if (const int repeat = ++known[std::move(key)]; repeat > 1) repeats_.emplace(row.run.id, repeat);
  }
}

QString RunNames::of(const RunRow& row) const {
  return plainName(row) + markOf(row);
}

QString RunNames::markOf(const RunRow& row) const {
  const auto found = repeats_.find(row.run.id);
  return found == repeats_.end() ? QString() : mark(found->second);
}

QString runName(const StoreSnapshot& snapshot, const RunRow& row) {
  int repeat = 1;
  for (const RunRow& other : snapshot.runs) {
    if (other.run.id == row.run.id) break;
    if (sameName(other, row)) ++repeat;
  }
  return plainName(row) + mark(repeat);
}

}  // namespace slipstream::ui

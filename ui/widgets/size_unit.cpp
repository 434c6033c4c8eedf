// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/size_unit.h"

#include <QLocale>

namespace slipstream::ui {

QString SizeUnit::of(std::int64_t size) const {
  constexpr double least = 0.005;
  const double value = static_cast<double>(size) / bytes;
  if (size == 0) return QStringLiteral("0");
  if (value > 0 && value < least) return QStringLiteral("< %1").arg(QLocale().toString(0.01));
  return QLocale().toString(value, 'f', 2);
}

SizeUnit unitFor(double bytes) {
  constexpr double gigabyte = 1e9, megabyte = 1e6, kilobyte = 1e3;
  if (bytes >= 10 * gigabyte) return {QStringLiteral("GB"), gigabyte};
  if (bytes >= megabyte) return {QStringLiteral("MB"), megabyte};
  return {QStringLiteral("kB"), kilobyte};
}

}  // namespace slipstream::ui

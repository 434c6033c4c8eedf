// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/json_fields.h"

#include <QLineEdit>
#include <QWheelEvent>
#include <cmath>

#include "engine/base/text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString textOf(const Json& value) {
  if (!value.is_number()) return {};
  if (value.is_number_integer()) return QString::fromStdString(value.dump());
  return QString::fromStdString(numberText(value.get<double>()));
}

}  // namespace

NumberField::NumberField(bool whole, const Limits& limits, QWidget* parent)
    : QAbstractSpinBox(parent), whole_(whole), limits_(limits) {
  setFocusPolicy(Qt::StrongFocus);
  setAlignment(Qt::AlignLeft);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
    if (value()) Q_EMIT edited();
  });
}

void NumberField::setValue(const Json& value) {
  const auto shown = this->value();
  if (shown && *shown == value) return;
  if (lineEdit()->text() != textOf(value)) lineEdit()->setText(textOf(value));
}

std::optional<Json> NumberField::value() const {
  const std::string typed = trim(lineEdit()->text().toStdString());
  if (typed.empty()) return Json();
  if (const auto integer = parseInteger(typed)) return Json(*integer);
  const auto number = whole_ ? std::nullopt : parseNumber(typed);
  return number ? std::optional<Json>(*number) : std::nullopt;
}

/// Of a fraction a tenth of its leading digit's place: 0.02 goes to 0.021.
double NumberField::stepSize() const {
  const auto now = value();
  const double size = now && now->is_number() ? std::abs(now->get<double>()) : 0;
  if (whole_ || size >= 10) return 1;
  return size == 0 ? 0.1 : std::pow(10.0, std::floor(std::log10(size)) - 1);
}

void NumberField::stepBy(int steps) {
  const auto now = value();
  const double from = now && now->is_number() ? now->get<double>() : 0;
  const double size = stepSize();
  const double next = std::round((from + steps * size) / size) * size;
  if (!limits_.allow(next)) return;
  const double clean = std::stod(QString::number(next, 'g', 12).toStdString());
  lineEdit()->setText(textOf(whole_ ? Json(std::llround(next)) : Json(clean)));
  Q_EMIT edited();
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
  const auto now = value();
  const double at = now && now->is_number() ? now->get<double>() : 0;
  StepEnabled enabled;
  if (limits_.allow(at + stepSize())) enabled |= StepUpEnabled;
  if (limits_.allow(at - stepSize())) enabled |= StepDownEnabled;
  return enabled;
}

/// A page that is scrolled changes nothing on its way.
void NumberField::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) return QAbstractSpinBox::wheelEvent(event);
  event->ignore();
}

QString rangeText(const Limits& limits) {
  const auto number = [](double value) { return QString::number(value, 'g', 12); };
  // Ends that nobody reaches tell nothing.
  const bool low = std::isfinite(limits.least);
  const bool high = std::isfinite(limits.most) && limits.most < 1e6;
  if (low && high && !limits.openBelow && !limits.openAbove) {
    return QStringLiteral("%1 … %2").arg(number(limits.least), number(limits.most));
  }
  QStringList parts;
  if (low) parts << (limits.openBelow ? QStringLiteral("> ") : QStringLiteral("≥ ")) + number(limits.least);
  if (high) parts << (limits.openAbove ? QStringLiteral("< ") : QStringLiteral("≤ ")) + number(limits.most);
  return parts.join(QStringLiteral(", "));
}

}  // namespace slipstream::ui

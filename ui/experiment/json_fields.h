// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>

#include <nlohmann/json.hpp>

#include "engine/config/fields.h"

namespace slipstream::ui {

/// A number of any size, as a file would hold it: whole or not, or none where the field is empty.
class NumberField : public QAbstractSpinBox {
  Q_OBJECT

 public:
  NumberField(bool whole, const Limits& limits, QWidget* parent = nullptr);

  /// Null: none. What is being typed is left alone where it means the same.
  void setValue(const Json& value);
  /// Null where the field is empty; nothing where it holds no number.
  std::optional<Json> value() const;

  void stepBy(int steps) override;

 Q_SIGNALS:
  void edited();  ///< by a person, to another number or to none

 protected:
  StepEnabled stepEnabled() const override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double stepSize() const;

  bool whole_;
  Limits limits_;
};

/// The numbers that a field takes, in signs: "1 … 54", "≥ 1".
QString rangeText(const Limits& limits);

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

namespace slipstream::ui {

/// A field of what a store keeps, while people type in it: what they type stays until it is kept, whatever the store
/// says meanwhile.
class TypedText {
 public:
  /// Whether a field that holds `text` shall show what the store has now.
  bool gives(const QString& stored, const QString& text) {
    const bool isNew = seen_ != stored;
    const bool typed = isTyped(text);
    seen_ = stored;
    if (!isNew || typed) return false;
    kept_ = stored;
    return true;
  }
  /// Something is in the field that was neither shown nor kept.
  bool isTyped(const QString& text) const { return seen_ && text != kept_; }
  /// It is on its way to the store.
  void keep(const QString& text) { kept_ = text; }
  /// It did not get there.
  void unkeep() { kept_ = seen_.value_or(QString()); }

 private:
  std::optional<QString> seen_;  ///< what the store had last; nothing before the first look
  QString kept_;                 ///< what the field was given, or gave
};

}  // namespace slipstream::ui

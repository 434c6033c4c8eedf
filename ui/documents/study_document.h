// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "engine/study/cell_plan.h"
#include "ui/documents/document.h"
#include "ui/store/latest_request.h"

namespace slipstream::ui {

/// A study that is written and not frozen yet, and what checking makes of it: everything that is wrong with it, or the
/// study with a plan for every variant and combination of factors.
class StudyDocument : public Document {
  Q_OBJECT

 public:
  explicit StudyDocument(QObject* parent);

  QString proposedName() const override;
  void recheck() override;

  /// Nothing was begun or opened.
  bool isBlank() const;
  /// The text as JSON; no object where it is none.
  const Json& root() const { return root_; }
  /// The base experiment, as its file was when the text was last checked; no object where it could not be read.
  const Json& base() const { return base_; }
  /// Where the file is, or will be: `studies/NAME.json` beside the base experiment. Empty without a base.
  std::filesystem::path place() const;

  /// One undo step that changes the text as it is read; what cannot be read is not changed. Steps in a row with one
  /// `mergeKey` (not negative) are one.
  void change(const QString& label, const std::function<void(Json&)>& edits, int mergeKey = -1);

  struct Checked {
    std::optional<Study> study;  ///< nothing where it could not be read
    StudyCheck check;
  };
  /// Of text() where isCurrent(), else of an earlier text; never null.
  std::shared_ptr<const Checked> checked() const { return checked_; }
  bool isCurrent() const { return current_; }

 Q_SIGNALS:
  void checkedChanged();
  void placeWanted(const QString& path);  ///< a problem's place is to be shown: a key path

 private:
  struct Checking;
  void receive(const Checking& checking);
  void reread();

  QTimer timer_;
  LatestRequest latest_;
  std::shared_ptr<RememberedInspection> inspection_ = std::make_shared<RememberedInspection>();
  std::shared_ptr<const Checked> checked_ = std::make_shared<Checked>();
  bool current_ = false;
  Json root_, base_;
};

}  // namespace slipstream::ui

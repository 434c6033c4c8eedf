// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/documents/study_document.h"

class QPushButton;
class QVBoxLayout;

namespace slipstream::ui {

/// The variants of a study in its form: those of the base experiment and fair rivals to tick, and those that the study
/// describes itself, with their settings.
class VariantRows : public QWidget {
  Q_OBJECT

 public:
  explicit VariantRows(StudyDocument& document, QWidget* parent = nullptr);

  /// Shows what the document holds now.
  void refresh();

 private:
  struct Shown;
  std::vector<Shown> shownVariants() const;
  QWidget* makeRow(const Shown& shown);
  void setTicked(const Shown& shown, bool ticked);
  void setTuned(const std::string& name, bool tuned);
  void rename(const std::string& name, const QString& to);
  void setSettings(const std::string& name, const QString& typed);
  void addVariant();

  StudyDocument& document_;
  QVBoxLayout* rows_;
  std::optional<std::string> built_;  ///< what the rows were made of
};

/// A variant of the study's own document, as its file has it: the name alone where it is one of the base's.
std::string variantName(const Json& variant);

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_saver.h"

#include <QFileDialog>

#include "engine/paper/paper.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

Status writeVerdict(RunStore& store, const std::string& name, const std::filesystem::path& file, Language language) {
  try {
    SLIPSTREAM_TRY(record, store.studies().find(name));
    return writePaper({store, record}, file, {.language = language});
  } catch (const std::exception& error) {
    return slipstream::fail(file.string(), "", error.what(), "try again");
  }
}

}  // namespace

StudySaver::StudySaver(Workspace& workspace, QWidget* window)
    : QObject(window), workspace_(workspace), window_(window) {}

void StudySaver::ask() {
  const StudySummary* study = workspace_.currentStudy();
  if (study == nullptr) return fail(tr("No study is chosen"));
  auto* dialog = new QFileDialog(window_, tr("Save report"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const QStringList filters{tr("Web page (*.html)"), tr("Document (*.pdf)"), tr("LaTeX (*.tex)"),
                            tr("Table of what is compared (*.csv)"), tr("For programs (*.json)")};
  const QStringList endings{QStringLiteral("html"), QStringLiteral("pdf"), QStringLiteral("tex"), QStringLiteral("csv"),
                            QStringLiteral("json")};
  dialog->setNameFilters(filters);
  dialog->setDefaultSuffix(endings.front());
  dialog->selectFile(text(study->record.name).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".html"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters, endings](const QString& filter) {
    dialog->setDefaultSuffix(endings[std::max<qsizetype>(0, filters.indexOf(filter))]);
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { save(file.toStdString()); });
  dialog->open();
}

void StudySaver::save(const std::filesystem::path& file) {
  const StudySummary* study = workspace_.currentStudy();
  if (study == nullptr) return fail(tr("No study is chosen"));
  workspace_.store().longReader().readToTheEnd(
      this,
      [name = study->record.name, file, language = windowLanguage()](RunStore& store) {
        return writeVerdict(store, name, file, language);
      },
      [this, file, exporting = workspace_.beginExport()](const Status& written) {
        if (!written) return fail(text(toText(written.error())));
        workspace_.report(tr("Report saved: %1").arg(text(file.string())));
        Q_EMIT saved(text(file.string()));
      },
      [this](const QString& words) { fail(words); });
}

void StudySaver::fail(const QString& words) {
  workspace_.report(words);
  Q_EMIT failed(words);
}

}  // namespace slipstream::ui

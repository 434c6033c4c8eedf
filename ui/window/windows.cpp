// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/windows.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <QTranslator>

#include "engine/base/text.h"
#include "ui/charts/charts_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

/// Qt's own texts (Cancel, Save), then ours.
QTranslator& translator(std::size_t index) {
  static QTranslator translators[2];
  return translators[index];
}

}  // namespace

void useLanguage(const QString& language) {
  QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
  // Files, logs and the engine's own words have a point: a comma beside it would be read as something else.
  if (locale.decimalPoint() != QStringLiteral(".")) locale = QLocale(QLocale::English);
  const bool grouped = Settings::groupsDigits();
  locale.setNumberOptions(grouped ? QLocale::DefaultNumberOptions : QLocale::OmitGroupSeparator);
  groupDigits(grouped);
  QLocale::setDefault(locale);
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}})
    QCoreApplication::removeTranslator(&translator(index));
  if (translator(0).load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                         QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QCoreApplication::installTranslator(&translator(0));
  }
  const QString ours = QStringLiteral(":/i18n");
  if (translator(1).load(locale, QStringLiteral("slipstream"), QStringLiteral("_"), ours) ||
      translator(1).load(QStringLiteral("slipstream_en"), ours)) {
    QCoreApplication::installTranslator(&translator(1));
  }
}

Windows::Windows(Workspace& workspace) : workspace_(workspace) {}

Windows::~Windows() = default;

MainWindow& Windows::open() {
  window_ = std::make_unique<MainWindow>(workspace_);
  // Later: the window that asks is deleted then.
  connect(window_.get(), &MainWindow::languageChosen, this, &Windows::replace, Qt::QueuedConnection);
  window_->resize(window_->size().boundedTo(window_->screen()->availableSize()));
  window_->show();
  return *window_;
}

/// What a page is writing to a file would end with it.
void Windows::replace() {
  if (workspace_.isExporting()) {
    return workspace_.report(tr("Something is being written to a file: the language changes with the next start"));
  }
  const std::unique_ptr<MainWindow> old = std::move(window_);
  old->saveLayout();
  useLanguage(Settings::language());
  applyTheme(*qApp, Settings::theme());  // fonts are the language's
  MainWindow& next = open();
  next.restoreGeometry(old->saveGeometry());
  chartsOf(next).setOptions(chartsOf(*old).options());
  next.showPage(old->frontPage());
}

ChartsPage& Windows::chartsOf(const MainWindow& window) {
  return *static_cast<ChartsPage*>(window.page(PageId::charts));
}

void Windows::reportRefusal(QWidget* parent, const std::string& message) {
  if (QGuiApplication::platformName() == QStringLiteral("offscreen")) return;
  showMessage(parent, icon(Symbol::error, IconInk::error), tr("Slipstream cannot start"),
              QString::fromStdString(message));
}

}  // namespace slipstream::ui

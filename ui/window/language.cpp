// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/language.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace slipstream::ui {
namespace {

/// Qt's own words (Cancel, Save), then ours.
QTranslator& translator(std::size_t index) {
  static QTranslator translators[2];
  return translators[index];
}

}  // namespace

void useLanguage(const QString& language) {
  const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
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

}  // namespace slipstream::ui

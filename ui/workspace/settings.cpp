// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/settings.h"

#include <QSettings>

namespace slipstream::ui {
namespace {

constexpr int rememberedStores = 8;
const QString themeKey = QStringLiteral("theme");
const QString languageKey = QStringLiteral("language");
const QString storesKey = QStringLiteral("stores");
const QString runsGoOnKey = QStringLiteral("knowsRunsGoOn");
const QString chartsKey = QStringLiteral("charts");
const QString layoutGroup = QStringLiteral("layout");
const QStringList themeNames{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};

}  // namespace

ThemeChoice Settings::theme() {
  const auto found = themeNames.indexOf(QSettings().value(themeKey).toString());
  return found < 0 ? ThemeChoice::system : static_cast<ThemeChoice>(found);
}

void Settings::setTheme(ThemeChoice choice) {
  QSettings().setValue(themeKey, themeNames[static_cast<int>(choice)]);
}

QString Settings::language() {
  return QSettings().value(languageKey).toString();
}
void Settings::setLanguage(const QString& language) {
  QSettings().setValue(languageKey, language);
}

QStringList Settings::recentStores() {
  return QSettings().value(storesKey).toStringList();
}

void Settings::rememberStore(const std::filesystem::path& folder) {
  QStringList stores = recentStores();
  const QString name = QString::fromStdString(folder.string());
  stores.removeAll(name);
  stores.prepend(name);
  QSettings().setValue(storesKey, stores.mid(0, rememberedStores));
}

bool Settings::knowsRunsGoOn() {
  return QSettings().value(runsGoOnKey).toBool();
}
void Settings::setKnowsRunsGoOn() {
  QSettings().setValue(runsGoOnKey, true);
}

QStringList Settings::addedCharts() {
  return QSettings().value(chartsKey).toStringList();
}
void Settings::setAddedCharts(const QStringList& metrics) {
  QSettings().setValue(chartsKey, metrics);
}

QByteArray Settings::layout(const QString& name) {
  return QSettings().value(layoutGroup + QLatin1Char('/') + name).toByteArray();
}

void Settings::setLayout(const QString& name, const QByteArray& state) {
  QSettings().setValue(layoutGroup + QLatin1Char('/') + name, state);
}

void Settings::forgetLayouts() {
  QSettings().remove(layoutGroup);
}

}  // namespace slipstream::ui

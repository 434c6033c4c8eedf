// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/settings.h"

#include <QSettings>

namespace slipstream::ui {
namespace {

constexpr int rememberedStores = 8;
const QString themeKey = QStringLiteral("theme");
const QString languageKey = QStringLiteral("language");
const QString fontKey = QStringLiteral("fontPercent");
const QString digitsKey = QStringLiteral("groupsDigits");
const QString seedsKey = QStringLiteral("seedsTogether");
const QString storeKey = QStringLiteral("store");
const QString storesKey = QStringLiteral("stores");
const QString runsGoOnKey = QStringLiteral("knowsRunsGoOn");
const QString noticesKey = QStringLiteral("desktopNotices");
const QString chartsKey = QStringLiteral("charts");
const QString chartLayoutGroup = QStringLiteral("chartLayouts");
const QString layoutGroup = QStringLiteral("layout");
const QStringList themeNames{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};

/// Names of experiments hold anything, keys no slashes.
QString chartLayoutKey(const QString& experiment) {
  return QStringLiteral("%1/%2").arg(chartLayoutGroup, QString::fromLatin1(experiment.toUtf8().toPercentEncoding()));
}

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

int Settings::fontPercent() {
  return QSettings().value(fontKey, usualFontPercent).toInt();
}
void Settings::setFontPercent(int percent) {
  QSettings().setValue(fontKey, percent);
}

bool Settings::groupsDigits() {
  return QSettings().value(digitsKey, true).toBool();
}
void Settings::setGroupsDigits(bool grouped) {
  QSettings().setValue(digitsKey, grouped);
}

bool Settings::seedsTogether() {
  return QSettings().value(seedsKey, true).toBool();
}
void Settings::setSeedsTogether(bool together) {
  QSettings().setValue(seedsKey, together);
}

QString Settings::storeFolder() {
  return QSettings().value(storeKey).toString();
}
void Settings::setStoreFolder(const QString& folder) {
  QSettings().setValue(storeKey, folder);
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

bool Settings::desktopNotices() {
  return QSettings().value(noticesKey, true).toBool();
}
void Settings::setDesktopNotices(bool shown) {
  QSettings().setValue(noticesKey, shown);
}

QStringList Settings::addedCharts() {
  return QSettings().value(chartsKey).toStringList();
}
void Settings::setAddedCharts(const QStringList& metrics) {
  QSettings().setValue(chartsKey, metrics);
}

QString Settings::chartLayout(const QString& experiment) {
  return QSettings().value(chartLayoutKey(experiment)).toString();
}

void Settings::setChartLayout(const QString& experiment, const QString& layout) {
  if (layout.isEmpty()) return QSettings().remove(chartLayoutKey(experiment));
  QSettings().setValue(chartLayoutKey(experiment), layout);
}

QStringList Settings::chartLayouts() {
  QSettings settings;
  settings.beginGroup(chartLayoutGroup);
  QStringList experiments;
  for (const QString& key : settings.childKeys()) {
    experiments << QString::fromUtf8(QByteArray::fromPercentEncoding(key.toLatin1()));
  }
  return experiments;
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

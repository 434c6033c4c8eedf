// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <filesystem>

#include "ui/theme/theme.h"

namespace slipstream::ui {

/// What the window remembers between starts; in the user's configuration folder.
class Settings {
 public:
  static ThemeChoice theme();
  static void setTheme(ThemeChoice choice);

  /// "en", "zh_CN", or empty: the system's.
  static QString language();
  static void setLanguage(const QString& language);

  /// Of text, in percent of the system's.
  static int fontPercent();
  static void setFontPercent(int percent);

  /// Whether long numbers are written in groups of three digits.
  static bool groupsDigits();
  static void setGroupsDigits(bool grouped);

  /// Whether the list of runs has the seeds of a variant together.
  static bool seedsTogether();
  static void setSeedsTogether(bool together);

  /// The store that a window without a flag or variable begins with; empty: the user's own.
  static QString storeFolder();
  static void setStoreFolder(const QString& folder);

  /// Folders of stores, the newest first.
  static QStringList recentStores();
  static void rememberStore(const std::filesystem::path& folder);

  /// Whether it was told that runs go on without the window.
  static bool knowsRunsGoOn();
  static void setKnowsRunsGoOn();

  /// Whether the desktop shows notices about runs while the window is in the background.
  static bool desktopNotices();
  static void setDesktopNotices(bool shown);

  /// Metrics of the charts that were added to the usual ones.
  static QStringList addedCharts();
  static void setAddedCharts(const QStringList& metrics);

  /// How the charts of an experiment are arranged, as JSON; empty: as usual.
  static QString chartLayout(const QString& experiment);
  static void setChartLayout(const QString& experiment, const QString& layout);
  /// The experiments whose charts were arranged.
  static QStringList chartLayouts();

  /// Positions of docks and splitters, by the name of a widget.
  static QByteArray layout(const QString& name);
  static void setLayout(const QString& name, const QByteArray& state);
  static void forgetLayouts();
};

}  // namespace slipstream::ui

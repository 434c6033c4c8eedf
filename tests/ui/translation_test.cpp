// SPDX-License-Identifier: GPL-3.0-or-later
// The Chinese words are complete: nothing is untranslated, and nothing that the window shows is missing from the file.
#include <QProcess>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/boost/metrics.h"
#include "engine/experiment/experiment_form.h"
#include "engine/runs/run_columns.h"

namespace slipstream::ui {
namespace {

struct Message {
  QString context;
  QString source;
  bool operator<(const Message& other) const {
    return context != other.context ? context < other.context : source < other.source;
  }
};

struct Translations {
  std::set<Message> messages;
  QStringList unfinished;
};

Translations translationsOf(const QString& fileName) {
  Translations result;
  QFile file(fileName);
  if (!file.open(QIODevice::ReadOnly)) return result;
  QXmlStreamReader xml(&file);
  Message message;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name")) message.context = xml.readElementText();
    if (xml.name() == QLatin1String("source")) {
      message.source = xml.readElementText();
      result.messages.insert(message);
    } else if (xml.name() == QLatin1String("translation")) {
      if (xml.attributes().value(QLatin1String("type")) == QLatin1String("unfinished")) {
        result.unfinished << message.context + QStringLiteral(": ") + message.source;
      }
    }
  }
  return result;
}

const QString sources = QStringLiteral(SLIPSTREAM_SOURCE);
const QString chineseFile = sources + QStringLiteral("/resources/translations/slipstream_zh_CN.ts");
const QString englishFile = sources + QStringLiteral("/resources/translations/slipstream_en.ts");

/// The titles and the helps of the engine's descriptions, which the window translates, as a source that lupdate reads.
std::string titlesSource() {
  std::string source;
  const auto add = [&](const char* context, std::string_view title) {
    if (!title.empty()) source += fmt::format("QT_TRANSLATE_NOOP(\"{}\", {});\n", context, Json(title).dump());
  };
  for (const FormKey& key : formOf(Json::object(), {})) {
    add("KeyTitles", key.title);
    add("KeyHelp", key.help);
    for (const std::string& help : key.wordHelps) add("KeyHelp", help);
    add("KeyTitles", key.unit);
  }
  for (const AlgorithmSpec& algorithm : algorithms()) add("KeyTitles", algorithm.title);
  for (const MetricInfo& metric : metricInfos()) add("Metric", metric.title);
  for (const RunColumn& column : runColumns()) {
    add("RunColumn", column.title);
    if (std::string_view(column.brief) != column.title) add("RunColumn", column.brief);
  }
  return source;
}

/// Brings a file of translations up to date with the window's sources and those titles.
void updateTranslations(const QString& file, const QStringList& options) {
  const QTemporaryDir folder;
  const QString titles = folder.filePath(QStringLiteral("titles.cpp"));
  std::ofstream(titles.toStdString()) << titlesSource();
  QProcess lupdate;
  lupdate.start(QStringLiteral("/usr/lib/qt6/bin/lupdate"),
                QStringList{QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                            QStringLiteral("-I"), sources} +
                    options +
                    QStringList{sources + QStringLiteral("/ui"), sources + QStringLiteral("/app/desktop"), titles,
                                QStringLiteral("-ts"), file});
  ASSERT_TRUE(lupdate.waitForFinished()) << "lupdate (Debian: qt6-l10n-tools) does not run";
  ASSERT_EQ(lupdate.exitCode(), 0) << lupdate.readAllStandardError().toStdString();
}

TEST(Translation, TheFileKnowsEveryTextOfTheWindow) {
  if (std::getenv("SLIPSTREAM_WRITE_TABLES") != nullptr) {
    updateTranslations(chineseFile, {QStringLiteral("-no-obsolete")});
    updateTranslations(englishFile, {QStringLiteral("-no-obsolete"), QStringLiteral("-pluralonly")});
    return;
  }
  const QTemporaryDir folder;
  const QString fresh = folder.filePath(QStringLiteral("fresh.ts"));
  updateTranslations(fresh, {});
  const Translations wanted = translationsOf(fresh);
  const Translations chinese = translationsOf(chineseFile);
  ASSERT_GT(wanted.messages.size(), 100U);
  for (const Message& message : wanted.messages) {
    EXPECT_TRUE(chinese.messages.contains(message))
        << message.context.toStdString() << ": " << message.source.toStdString()
        << "\nwrite it anew: SLIPSTREAM_WRITE_TABLES=1 build/release/bin/test_ui --gtest_filter='Translation.*'";
  }
}

TEST(Translation, EveryTextIsThereInChinese) {
  const Translations chinese = translationsOf(chineseFile);
  EXPECT_GT(chinese.messages.size(), 100U);
  EXPECT_TRUE(chinese.unfinished.isEmpty()) << chinese.unfinished.join(QLatin1Char('\n')).toStdString();
}

}  // namespace
}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The Chinese words are complete: nothing is untranslated, and nothing in the sources is missing from the file.
#include <QProcess>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <set>
#include <string>

#include <gtest/gtest.h>

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

TEST(Translation, EveryWordIsThereInChinese) {
  const Translations chinese = translationsOf(sources + QStringLiteral("/resources/translations/slipstream_zh_CN.ts"));
  EXPECT_GT(chinese.messages.size(), 100U);
  EXPECT_TRUE(chinese.unfinished.isEmpty()) << chinese.unfinished.join(QLatin1Char('\n')).toStdString();
}

TEST(Translation, TheFileKnowsEveryWordOfTheSources) {
  const QTemporaryDir folder;
  const QString fresh = folder.filePath(QStringLiteral("fresh.ts"));
  QProcess lupdate;
  lupdate.start(QStringLiteral("/usr/lib/qt6/bin/lupdate"),
                {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-I"),
                 sources, sources + QStringLiteral("/ui"), QStringLiteral("-ts"), fresh});
  ASSERT_TRUE(lupdate.waitForFinished()) << "lupdate (Debian: qt6-l10n-tools) does not run";
  const Translations wanted = translationsOf(fresh);
  const Translations chinese = translationsOf(sources + QStringLiteral("/resources/translations/slipstream_zh_CN.ts"));
  ASSERT_GT(wanted.messages.size(), 100U);
  for (const Message& message : wanted.messages) {
    EXPECT_TRUE(chinese.messages.contains(message))
        << message.context.toStdString() << ": " << message.source.toStdString();
  }
}

}  // namespace
}  // namespace slipstream::ui

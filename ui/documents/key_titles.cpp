// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/key_titles.h"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>

#include "engine/boost/algorithms.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {

QString translatedTitle(const std::string& english) {
  return QCoreApplication::translate("KeyTitles", english.c_str());
}

QString keyTitle(const FormKey& key) {
  return key.title.empty() ? QString::fromStdString(key.path.substr(key.path.rfind('.') + 1))
                           : translatedTitle(key.title);
}

QString keyHelp(const FormKey& key) {
  if (key.help.empty()) return {};
  const QString help = QCoreApplication::translate("KeyHelp", key.help.c_str());
  if (key.onlyWith.empty()) return help;
  QStringList words;
  for (const std::string& word : key.onlyWith) words += QString::fromStdString(word);
  return QCoreApplication::translate("KeyHelp", "%1: %2", "names of data sets: help").arg(enumerated(words), help);
}

QString wordHelp(const FormKey& key, const std::string& word) {
  for (std::size_t i = 0; i < key.wordHelps.size(); ++i) {
    if (key.words[i] == word) return QCoreApplication::translate("KeyHelp", key.wordHelps[i].c_str());
  }
  return {};
}

/// A resolved plan has the sections of the dictionary directly in `boost`, and the switches in `boost.boost`.
QString titleOfPath(const std::string& path) {
  static const std::vector<FormKey> form = formOf(Json::object(), {});
  const std::string switches = "boost.boost.", boost = "boost.";
  if (path.starts_with(switches)) {
    const AlgorithmSpec* algorithm = findAlgorithm(path.substr(switches.size()));
    if (algorithm != nullptr) return algorithmTitle(*algorithm);
  }
  if (path == switches + "mode") return QCoreApplication::translate("KeyTitles", "Boost mode");
  if (path == boost + "level") return QCoreApplication::translate("KeyTitles", "Boost level");
  const std::string inFile = path.starts_with(boost) ? "boost.dictionary." + path.substr(boost.size()) : path;
  const auto key = std::ranges::find_if(
      form, [&](const FormKey& one) { return (one.path == inFile || one.path == path) && !one.title.empty(); });
  return key == form.end() ? QString::fromStdString(path) : keyTitle(*key);
}

QString algorithmTitle(const AlgorithmSpec& algorithm) {
  return translatedTitle(algorithm.title);
}

QString algorithmReadme(const AlgorithmSpec& algorithm) {
  QFile file(QStringLiteral(":/boost/%1/README.md").arg(QString::fromStdString(algorithm.folder)));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace slipstream::ui

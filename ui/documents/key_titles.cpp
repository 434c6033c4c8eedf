// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/key_titles.h"

#include <QCoreApplication>
#include <QFile>

#include "engine/boost/algorithms.h"

namespace slipstream::ui {

QString translatedTitle(const std::string& english) {
  return QCoreApplication::translate("KeyTitles", english.c_str());
}

QString keyTitle(const FormKey& key) {
  return key.title.empty() ? QString::fromStdString(key.path.substr(key.path.rfind('.') + 1))
                           : translatedTitle(key.title);
}

QString algorithmTitle(const AlgorithmSpec& algorithm) {
  return translatedTitle(algorithm.title);
}

QString algorithmReadme(const AlgorithmSpec& algorithm) {
  QFile file(QStringLiteral(":/boost/%1/README.md").arg(QString::fromStdString(algorithm.folder)));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace slipstream::ui

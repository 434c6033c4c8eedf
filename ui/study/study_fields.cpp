// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_fields.h"

#include <QStringList>
#include <cmath>

#include "engine/base/text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

const QString between = QStringLiteral("…");

/// Commas within brackets belong to what they are in.
QStringList partsOf(const QString& typed) {
  QStringList parts{QString()};
  int depth = 0;
  for (const QChar letter : typed) {
    if (letter == QLatin1Char('[') || letter == QLatin1Char('{')) ++depth;
    if (letter == QLatin1Char(']') || letter == QLatin1Char('}')) --depth;
    if (letter == QLatin1Char(',') && depth == 0) {
      parts << QString();
    } else {
      parts.last() += letter;
    }
  }
  QStringList wanted;
  for (const QString& part : parts) {
    if (!part.trimmed().isEmpty()) wanted << part.trimmed();
  }
  return wanted;
}

constexpr double mostWhole = 1e15;

/// As few digits as tell the number: a share times a hundred is no round number.
double rounded(double value) {
  return std::round(value * 1e10) / 1e10;
}

}  // namespace

Json typedValue(const QString& typed) {
  const std::string words = typed.trimmed().toStdString();
  if (words.empty()) return nullptr;
  Json read = Json::parse(words, nullptr, false);
  return read.is_discarded() ? Json(words) : read;
}

Json typedText(const QString& typed) {
  return typed.trimmed().isEmpty() ? Json() : Json(typed.toStdString());
}

QString fieldOf(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return text(value.get<std::string>());
  const bool whole = value.is_number_float() && std::abs(value.get<double>()) < mostWhole &&
                     value.get<double>() == std::round(value.get<double>());
  return text(whole ? std::to_string(std::llround(value.get<double>())) : value.dump());
}

Json typedList(const QString& typed) {
  Json list = Json::array();
  for (const QString& part : partsOf(typed)) list.push_back(typedValue(part));
  return list;
}

QString fieldOfList(const Json& values) {
  if (!values.is_array()) return fieldOf(values);
  QStringList parts;
  for (const Json& value : values) parts << fieldOf(value);
  return parts.join(QStringLiteral(", "));
}

Json typedShare(const QString& typed) {
  const Json value = typedValue(typed);
  return value.is_number() ? Json(rounded(value.get<double>() / 100)) : value;
}

QString fieldOfShare(const Json& share) {
  return share.is_number() ? fieldOf(rounded(100 * share.get<double>())) : fieldOf(share);
}

Json typedSettings(const QString& typed) {
  Json settings = Json::object();
  for (const QString& part : partsOf(typed)) {
    const qsizetype equals = part.indexOf(QLatin1Char('='));
    const QString key = part.left(equals < 0 ? part.size() : equals).trimmed();
    settings[key.toStdString()] = equals < 0 ? Json() : typedValue(part.mid(equals + 1));
  }
  return settings;
}

QString fieldOfSettings(const Json& settings) {
  if (!settings.is_object()) return fieldOf(settings);
  QStringList parts;
  for (const auto& [key, value] : settings.items()) {
    parts << (value.is_null() ? text(key) : QStringLiteral("%1 = %2").arg(text(key), fieldOf(value)));
  }
  return parts.join(QStringLiteral(", "));
}

Json typedAxis(const QString& typed, bool logarithmic) {
  QString plain = typed;
  plain.replace(QStringLiteral("..."), between);
  const QStringList ends = plain.split(between);
  if (ends.size() != 2) return typedList(typed);
  return {{"low", typedValue(ends[0])}, {"high", typedValue(ends[1])}, {"scale", logarithmic ? "log" : "linear"}};
}

QString fieldOfAxis(const Json& axis) {
  if (!axis.is_object()) return fieldOfList(axis);
  const auto end = [&](const char* key) { return axis.contains(key) ? fieldOf(axis[key]) : QString(); };
  return QStringLiteral("%1 … %2").arg(end("low"), end("high"));
}

bool isLogarithmic(const Json& axis) {
  return axis.is_object() && axis.contains("scale") && axis["scale"] == "log";
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_form_parts.h"

#include <algorithm>

#include "engine/config/json_edit.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {

const Json& valueAt(const Json& root, const std::string& key) {
  static const Json none;
  const Json* found = root.is_object() ? findValue(root, key) : nullptr;
  return found == nullptr ? none : *found;
}

void writeValue(Json& root, const std::string& key, const Json& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) {
    if (value.is_null()) {
      root.erase(key);
    } else {
      root[key] = value;
    }
    return;
  }
  const std::string section = key.substr(0, dot);
  if (value.is_null() && !root.contains(section)) return;
  if (!root.contains(section) || !root[section].is_object()) root[section] = Json::object();
  writeValue(root[section], key.substr(dot + 1), value);
  if (root[section].empty()) root.erase(section);
}

const StudyMeasure* measureAsked(const Json& root) {
  const Json& key = valueAt(root, "question.measure");
  return findStudyMeasure(key.is_string() ? key.get<std::string>() : "accuracy");
}

QLabel* secondLabel(const QString& words) {
  return label(words, TextSize::secondary, true);
}

void growTo(QWidget& field, int width) {
  field.setMinimumWidth(widthForFont(std::min(width, narrowField)));
  field.setMaximumWidth(widthForFont(width));
  field.setSizePolicy(QSizePolicy::Expanding, field.sizePolicy().verticalPolicy());
}

}  // namespace slipstream::ui

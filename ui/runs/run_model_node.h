// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_model.h"

namespace slipstream::ui {

struct RunModel::Node {
  Kind kind = Kind::experiment;
  std::string key;
  QString title;
  const RunRow* row = nullptr;
  int number = 0, place = 0;
  Node* parent = nullptr;
  int position = 0;  ///< among its siblings
  std::vector<std::unique_ptr<Node>> children;

  void count() {
    for (std::size_t i = 0; i < children.size(); ++i) children[i]->position = static_cast<int>(i);
  }
  int runsBelow() const {
    int runs = kind == Kind::run ? 1 : 0;
    for (const auto& child : children) runs += child->runsBelow();
    return runs;
  }
};

}  // namespace slipstream::ui

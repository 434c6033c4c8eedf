// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace slipstream::ui {

/// What a key is called in a form: "Parameter groups" for boost.dictionary.grad_freeze.param_groups.
QString keyTitle(const std::string& path);
/// One sentence about it: from the options of the algorithms or from the schema of the files. Empty where there is
/// none.
QString keyHelp(const std::string& path);

/// "Adasum", "Less batch norm", …
QString algorithmTitle(const std::string& key);
/// The README of a folder of engine/boost, as Markdown; empty where there is none.
QString algorithmReadme(const std::string& key);

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/experiment/experiment_form.h"

namespace slipstream {
struct AlgorithmSpec;
}  // namespace slipstream

namespace slipstream::ui {

/// A title of the engine's descriptions in the language of the window.
QString translatedTitle(const std::string& english);

/// What a key is called in a form: "Parameter groups" for boost.dictionary.grad_freeze.param_groups.
QString keyTitle(const FormKey& key);

/// What a key means, in the language of the window; empty where nothing is said of it.
QString keyHelp(const FormKey& key);

/// What one of the key's words means; empty where its help says enough.
QString wordHelp(const FormKey& key, const std::string& word);

/// The title of a key by its path, in a file or in a resolved plan; the path where it has no title.
QString titleOfPath(const std::string& path);

/// "Adasum", "Less batch norm", …
QString algorithmTitle(const AlgorithmSpec& algorithm);
/// Its README, as Markdown; empty where there is none.
QString algorithmReadme(const AlgorithmSpec& algorithm);

}  // namespace slipstream::ui

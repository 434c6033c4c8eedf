// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/streams/delivery.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/streams/output.h"
#include "engine/base/files.h"

namespace slipstream::cli {
namespace {

/// A JSON document as such, anything else as text.
nlohmann::ordered_json contentOf(const std::string& text) {
  auto table = nlohmann::ordered_json::parse(text, nullptr, false);
  if (table.is_discarded()) return {{"text", text}};
  return {{"table", std::move(table)}};
}

}  // namespace

int deliver(const std::string& text, const std::string& fileName, const Delivery& delivery) {
  std::filesystem::path path = delivery.output;
  std::error_code error;
  if (!fileName.empty() && std::filesystem::is_directory(path, error)) path /= fileName;
  if (!path.empty()) {
    if (const Status written = writeFile(path, text); !written) return report(written.error());
  }
  if (delivery.json) {
    nlohmann::ordered_json document{
        {"file", path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(path.string())}};
    document.update(contentOf(text));
    print(document);
  } else {
    std::fputs(path.empty() ? text.c_str() : (path.string() + "\n").c_str(), stdout);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli

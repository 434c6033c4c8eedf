// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/plan/rank_table.h"
#include "engine/plan/rank_table_lines.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {

namespace {

/// A text that is no JSON is told apart by the keys that only one of both kinds has, so that it is opened for repair
/// where its problems can be mended.
bool readsLikeRankTable(const std::string& text) {
  const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
  return (has("\"server_list\"") || has("\"group_list\"")) && !has("\"network\"");
}

}  // namespace

Result<DocumentText> readDocument(const std::filesystem::path& file) {
  return diskThread().wait([file]() -> Result<DocumentText> {
    SLIPSTREAM_TRY(text, readDocumentText(file));
    const auto json = readGenerously(text);  // tables with comments and surplus commas can be mended
    const bool isRankTable = json ? looksLikeRankTable(*json) : readsLikeRankTable(text);
    return DocumentText{file, std::move(text), isRankTable};
  });
}

Result<std::vector<DocumentText>> readDocuments(const std::vector<std::filesystem::path>& files) {
  std::vector<DocumentText> documents;
  Failures failures;
  for (const std::filesystem::path& file : files) {
    auto document = readDocument(file);
    if (!collect(document, failures)) continue;
    const auto same = std::find_if(documents.begin(), documents.end(), [&](const DocumentText& other) {
      return other.isRankTable == document->isRankTable;
    });
    if (same != documents.end()) {
      const std::string kind = document->isRankTable ? "a rank table" : "an experiment";
      failures.push_back({"FILE", file.string(),
                          "is " + kind + " like " + same->file.string() + ", and a window edits one",
                          "name one of them, and open the other in a window of its own"});
    }
    documents.push_back(std::move(*document));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return documents;
}

}  // namespace slipstream::ui

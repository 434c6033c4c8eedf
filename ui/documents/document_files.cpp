// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/document_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/rank_table/rank_table.h"
#include "engine/rank_table/rank_table_lines.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {
namespace {

/// A text that is no JSON is told apart by the keys that only one of both kinds has, so that it is opened for repair
/// where its problems can be mended.
bool readsLikeRankTable(const std::string& text) {
  const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
  return (has("\"server_list\"") || has("\"group_list\"")) && !has("\"network\"");
}

/// A study names its base; an experiment has a network.
bool looksLikeStudy(const Json& root) {
  return root.is_object() && root.contains("base") && !root.contains("network") && !root.contains("dataset");
}

DocumentKind kindOf(const std::string& text) {
  const auto json = readGenerously(text);  // tables with comments and surplus commas can be mended
  if (json ? looksLikeRankTable(*json) : readsLikeRankTable(text)) return DocumentKind::rankTable;
  return json && looksLikeStudy(*json) ? DocumentKind::study : DocumentKind::experiment;
}

std::string nameOf(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::rankTable:
      return "a rank table";
    case DocumentKind::study:
      return "a study";
    default:
      return "an experiment";
  }
}

/// Of "experiment.json:3:7" the 3.
std::optional<std::int64_t> lineNamedBy(const std::string& where) {
  const auto parts = split(where, ':');
  if (parts.size() < 3 || !parseInteger(parts.back())) return std::nullopt;
  return parseInteger(parts[parts.size() - 2]);
}

JsonSpan spanOfLine(const std::string& text, std::int64_t line) {
  std::size_t begin = 0;
  for (std::int64_t number = 1; number < line; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return {begin, std::min(text.find('\n', begin), text.size())};
}

/// The last place where the key's name is written as a text: for files that are no JSON only because a key is
/// repeated.
std::optional<JsonSpan> lastOfName(const std::string& text, const std::string& path) {
  const std::string name = '"' + path.substr(path.rfind('.') + 1) + '"';
  const std::size_t begin = text.rfind(name);
  if (begin == std::string::npos) return std::nullopt;
  return JsonSpan{begin, begin + name.size()};
}

/// "a.b[2].c" -> "a.b[2]" -> "a.b" -> "a" -> ""
std::string around(const std::string& path) {
  const std::size_t end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

/// More windows than these keep no drafts.
constexpr int mostPlaces = 32;

bool isThere(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

/// Without separators and control characters, not hidden, and at most so many bytes, cut between characters.
std::string fileStemOf(const std::string& name) {
  constexpr std::size_t most = 100;
  std::string stem;
  for (const char letter : trim(name)) {
    const bool isPlain =
        letter != '/' && letter != '\\' && (static_cast<unsigned char>(letter) >= ' ') && letter != 127;
    stem += isPlain ? letter : '-';
  }
  while (stem.starts_with('.')) stem.erase(0, 1);
  std::size_t end = std::min(most, stem.size());
  while (end > 0 && end < stem.size() && (static_cast<unsigned char>(stem[end]) & 0xC0) == 0x80) --end;
  stem.resize(end);
  return stem.empty() ? "experiment" : stem;
}

}  // namespace

Result<DocumentText> readDocument(const std::filesystem::path& file) {
  return diskThread().wait([file]() -> Result<DocumentText> {
    SLIPSTREAM_TRY(text, readDocumentText(file));
    const DocumentKind kind = kindOf(text);
    return DocumentText{file, std::move(text), kind};
  });
}

Result<std::vector<DocumentText>> readDocuments(const std::vector<std::filesystem::path>& files) {
  std::vector<DocumentText> documents;
  Failures failures;
  for (const std::filesystem::path& file : files) {
    auto document = readDocument(file);
    if (!collect(document, failures)) continue;
    const auto same = std::find_if(documents.begin(), documents.end(),
                                   [&](const DocumentText& other) { return other.kind == document->kind; });
    if (same != documents.end()) {
      failures.push_back({"FILE", file.string(),
                          "is " + nameOf(document->kind) + " like " + same->file.string() + ", and a window edits one",
                          "name one of them, and open the other in a window of its own"});
    }
    documents.push_back(std::move(*document));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return documents;
}

std::string keyPathOf(const std::string& where) {
  return where.substr(0, where.find(' '));
}

std::filesystem::path experimentsOf(const std::filesystem::path& store) {
  return store / "experiments";
}

Result<std::filesystem::path> experimentFileIn(const std::filesystem::path& store, const std::string& name,
                                               const std::string& text) {
  const std::filesystem::path folder = experimentsOf(store);
  SLIPSTREAM_CHECK(makeFolder(folder));
  const std::string stem = fileStemOf(name);
  for (int number = 1;; ++number) {
    const std::string end = number == 1 ? ".json" : "-" + std::to_string(number) + ".json";
    const std::filesystem::path file = folder / (stem + end);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return file;
    if (const auto there = readFile(file); there && *there == text) return file;
  }
}

std::optional<JsonSpan> textPlaceOf(const std::string& text, const std::string& where) {
  // What follows after a blank may name the line of another file.
  const bool ofAnotherFile = where.find(' ') != std::string::npos;
  const auto line = lineNamedBy(where);
  if (line && !(ofAnotherFile && spanOf(text, keyPathOf(where)))) return spanOfLine(text, *line);
  for (std::string path = keyPathOf(where); !path.empty(); path = around(path)) {
    if (const auto span = spanOf(text, path)) return span;
  }
  // The whole is where something is missing: its first bracket.
  const auto whole = spanOf(text, "");
  if (!whole) return lastOfName(text, keyPathOf(where));
  return JsonSpan{whole->begin, whole->begin};
}

std::filesystem::path DraftSlot::fileAt(int place) const {
  const std::filesystem::path folder = userDataFolder() / "drafts";
  if (place <= 1) return folder / name_;
  const std::filesystem::path name = name_;
  return folder / fmt::format("{}-{}{}", name.stem().string(), place, name.extension().string());
}

bool DraftSlot::hold(int place) {
  if (place_ == place) return true;
  auto lock = std::make_unique<QLockFile>(QString::fromStdString(fileAt(place).string()) + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);  // however long a window is open
  if (!lock->tryLock(0)) return false;
  lock_ = std::move(lock);
  place_ = place;
  return true;
}

std::optional<DraftSlot::Draft> DraftSlot::recover() {
  for (int place = 1; place <= mostPlaces; ++place) {
    if (!isThere(fileAt(place)) || !hold(place)) continue;
    std::error_code error;
    const auto writtenAt = std::filesystem::last_write_time(fileAt(place), error);
    auto text = readFile(fileAt(place));
    if (text && !error) return Draft{std::move(*text), writtenAt};
  }
  return std::nullopt;
}

bool DraftSlot::write(const std::string& text) {
  if (!makeFolder(fileAt(1).parent_path())) return false;
  // A draft that nobody has taken up yet is not written over.
  for (int place = 1; place_ == 0 && place <= mostPlaces; ++place) {
    if (!isThere(fileAt(place))) hold(place);
  }
  return place_ > 0 && writeFile(fileAt(place_), text).has_value();
}

void DraftSlot::drop() {
  std::error_code gone;
  if (place_ > 0) std::filesystem::remove(fileAt(place_), gone);
}

}  // namespace slipstream::ui

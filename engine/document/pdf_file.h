// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/document/drawing.h"
#include "engine/document/true_type.h"

namespace slipstream {

/// Writes drawings as the pages of a PDF 1.4 (ISO 32000-1). Latin text is in Helvetica and Courier, which every reader
/// has; other characters are in a font of the system, of which the used part is embedded. The same drawings give the
/// same bytes.
class PdfFile {
 public:
  PdfFile(std::string title, Language language) : title_(std::move(title)), language_(language) {}

  /// Fails where a page has characters that no font can show.
  Status addPage(const Drawing& page);
  std::string finish();

 private:
  friend struct PdfPainter;

  int add(const std::string& object);
  int addStream(const std::string& keys, const std::string& content);
  int addEmbeddedFont();
  /// The name of the graphics state that lets so much of what is behind through.
  std::string stateOf(double opacity);

  std::string title_;
  Language language_;
  std::vector<std::string> objects_;            ///< number 1 first
  std::vector<std::pair<int, Drawing>> pages_;  ///< content and size
  std::vector<double> opacities_;
  std::optional<TrueTypeFont> font_;
  std::map<std::uint16_t, char32_t> used_;  ///< glyphs of it
};

}  // namespace slipstream

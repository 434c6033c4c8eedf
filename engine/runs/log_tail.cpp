// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fstream>

#include "engine/runs/run_logs.h"

namespace slipstream {
namespace {

std::string bytesOf(const std::filesystem::path& file, std::uintmax_t from, std::uintmax_t count) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(count, '\0');
  stream.seekg(static_cast<std::streamoff>(from));
  stream.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return bytes;
}

LogPiece pieceOf(const RankLog& log, std::uintmax_t& position, bool ended, std::uintmax_t mostBytes) {
  LogPiece piece{log, {}, false};
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(log.file, error);
  if (error) return piece;
  if (size < position) position = 0;
  if (size - position > mostBytes) {
    piece.skipped = true;
    position = size - mostBytes;
  }
  piece.text = bytesOf(log.file, position, size - position);
  position += piece.text.size();
  // What was left out ends in the middle of a line.
  if (piece.skipped) piece.text.erase(0, std::min(piece.text.find('\n'), piece.text.size() - 1) + 1);
  const std::size_t whole = piece.text.rfind('\n') + 1;  // npos + 1 is 0
  if (whole == piece.text.size()) return piece;
  if (ended) {
    piece.text += '\n';
  } else {
    position -= piece.text.size() - whole;
    piece.text.resize(whole);
  }
  return piece;
}

}  // namespace

std::vector<LogPiece> newLogText(const std::vector<RankLog>& logs, LogPositions& positions, bool ended,
                                 std::uintmax_t mostBytes) {
  std::vector<LogPiece> pieces;
  for (const RankLog& log : logs) {
    LogPiece piece = pieceOf(log, positions[log.file], ended, mostBytes);
    if (!piece.text.empty()) pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace slipstream

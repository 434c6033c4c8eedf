// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/streams/safe_output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>

#include <sys/types.h>
#include <unistd.h>

#include "engine/base/characters.h"

namespace slipstream::cli {
namespace {

constexpr std::string_view kept = "\n\t";

bool isPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) {
    return (letter >= ' ' && letter <= '~') || kept.find(letter) != std::string_view::npos;
  });
}

/// How many bytes at the end of `text` begin a character of UTF-8 that goes on.
std::size_t unfinished(std::string_view text) {
  constexpr std::size_t longest = 4;
  for (std::size_t count = 1; count < std::min(longest, text.size() + 1); ++count) {
    const auto byte = static_cast<unsigned char>(text[text.size() - count]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > count ? count : 0;
  }
  return 0;
}

bool writeWhole(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::FILE* unfiltered = stdout;

/// Writes text on in pieces.
class EscapedOutput {
 public:
  bool write(std::string_view piece) {
    if (begun_.empty() && isPlain(piece)) return writeWhole(piece);
    const std::string text = begun_ + std::string(piece);
    const std::size_t left = unfinished(text);
    begun_ = text.substr(text.size() - left);
    return writeWhole(printable(std::string_view(text).substr(0, text.size() - left), kept));
  }

 private:
  std::string begun_;  ///< of a character that two pieces share
};

/// Returns 0 for an error, as fopencookie(3) asks of a writer.
ssize_t writeEscaped(void* output, const char* data, std::size_t size) {
  return static_cast<EscapedOutput*>(output)->write({data, size}) ? static_cast<ssize_t>(size) : 0;
}

/// std::cout by way of stdout, so that both keep their order.
class ThroughStdout final : public std::streambuf {
 protected:
  int_type overflow(int_type letter) override {
    if (traits_type::eq_int_type(letter, traits_type::eof())) return sync() == 0 ? 0 : traits_type::eof();
    return std::fputc(letter, stdout) == EOF ? traits_type::eof() : letter;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    return static_cast<std::streamsize>(std::fwrite(data, 1, static_cast<std::size_t>(size), stdout));
  }
  int sync() override { return std::fflush(stdout); }
};

}  // namespace

std::FILE* terminal() {
  return unfiltered;
}

void escapeControlCharacters() {
  // Neither is ever destroyed: stdout and std::cout are flushed for the last time after all static objects are gone.
  static auto* const output = new EscapedOutput;
  static auto* const through = new ThroughStdout;
  std::FILE* safe = ::fopencookie(output, "w", {nullptr, writeEscaped, nullptr, nullptr});
  if (safe == nullptr) return;
  std::setvbuf(safe, nullptr, ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = safe;
  std::cout.rdbuf(through);
}

}  // namespace slipstream::cli

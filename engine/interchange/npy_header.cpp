// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/npy_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/interchange/file_contents.h"

namespace slipstream {
namespace {

struct TypeName {
  ArrayType type;
  std::string_view written;  ///< in headers, behind the byte order
  std::string_view name;
  std::int64_t bytes;
};

constexpr std::array<TypeName, 12> typeNames{{{ArrayType::boolean, "b1", "bool", 1},
                                              {ArrayType::u8, "u1", "uint8", 1},
                                              {ArrayType::i8, "i1", "int8", 1},
                                              {ArrayType::u16, "u2", "uint16", 2},
                                              {ArrayType::i16, "i2", "int16", 2},
                                              {ArrayType::u32, "u4", "uint32", 4},
                                              {ArrayType::i32, "i4", "int32", 4},
                                              {ArrayType::u64, "u8", "uint64", 8},
                                              {ArrayType::i64, "i8", "int64", 8},
                                              {ArrayType::f16, "f2", "float16", 2},
                                              {ArrayType::f32, "f4", "float32", 4},
                                              {ArrayType::f64, "f8", "float64", 8}}};

const TypeName& entryOf(ArrayType type) {
  return *std::ranges::find(typeNames, type, &TypeName::type);
}

/// numpy writes | for bytes; some other writers write < there too.
std::optional<ArrayType> typeOfText(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto found = std::ranges::find(typeNames, text.substr(1), &TypeName::written);
  if (found == typeNames.end()) return std::nullopt;
  const bool known = text.front() == '<' || (text.front() == '|' && found->bytes == 1);
  return known ? std::optional(found->type) : std::nullopt;
}

/// More than any array has; the fields of a structured type may be many.
constexpr std::size_t longestHeader = 64 * 1024;

/// Reads the dictionary of a header, a literal of Python: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class DictionaryReader {
 public:
  explicit DictionaryReader(std::string_view text) : text_(text) {}

  /// What is wrong with it, as it follows on "its header"; empty where nothing is.
  std::string read(NpyHeader& header) {
    if (!take('{')) return wanted("{");
    while (!take('}')) {
      if (auto problem = readEntry(header); !problem.empty()) return problem;
      if (take(',')) continue;
      if (take('}')) break;
      return wanted("a comma or }");
    }
    skipBlanks();
    if (at_ < text_.size()) return fmt::format("goes on behind its end, at its character {}", at_ + 1);
    return missing(header);
  }

 private:
  std::string readEntry(NpyHeader& header) {
    const auto key = quoted();
    if (!key) return wanted("a name in quotation marks");
    if (!take(':')) return wanted("a colon");
    bool* seen = *key == "descr"           ? &hasType_
                 : *key == "fortran_order" ? &hasOrder_
                 : *key == "shape"         ? &hasShape_
                                           : nullptr;
    if (seen == nullptr) return fmt::format("has an entry {}, which no header has", printable(*key));
    if (std::exchange(*seen, true)) return fmt::format("has {} twice", *key);
    if (seen == &hasType_) return readType(header);
    return seen == &hasOrder_ ? readOrder(header) : readShape(header);
  }

  std::string readType(NpyHeader& header) {
    skipBlanks();
    if (at_ < text_.size() && text_[at_] == '[') return readFields(header);
    const auto type = quoted();
    if (!type) return wanted("a type");
    header.typeText = *type;
    header.type = typeOfText(*type);
    return "";
  }

  /// A list of fields, whose own brackets and quotation marks say where it ends.
  std::string readFields(NpyHeader& header) {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '\'' || letter == '"') {
        if (!quoted()) break;
        continue;
      }
      ++at_;
      if (letter == '[' || letter == '(' || letter == '{') ++depth;
      if (letter != ']' && letter != ')' && letter != '}') continue;
      if (--depth > 0) continue;
      header.typeText = text_.substr(begin, at_ - begin);
      return "";
    }
    return "has a list of fields without an end";
  }

  std::string readOrder(NpyHeader& header) {
    header.byColumns = takeWord("True");
    return header.byColumns || takeWord("False") ? "" : wanted("True or False");
  }

  std::string readShape(NpyHeader& header) {
    if (!take('(')) return wanted("(");
    while (!take(')')) {
      const auto size = number();
      if (!size) return wanted("a whole number that fits into 63 bits");
      if (header.shape.size() == mostDimensions) return fmt::format("has more than {} dimensions", mostDimensions);
      header.shape.push_back(*size);
      if (take(',')) continue;
      if (header.shape.size() == 1) return wanted("a comma");  // (3) is no tuple
      if (take(')')) break;
      return wanted("a comma or )");
    }
    return "";
  }

  std::string missing(const NpyHeader& header) const {
    if (!hasType_ || !hasOrder_ || !hasShape_) {
      return std::string("has no entry ") + (!hasType_ ? "descr" : !hasOrder_ ? "fortran_order" : "shape");
    }
    std::vector<std::int64_t> sizes = header.shape;
    std::erase(sizes, 0);
    const std::int64_t bytes = header.type ? bytesOf(*header.type) : 1;
    const bool fits = elementsOf(sizes, std::numeric_limits<std::int64_t>::max() / bytes).has_value();
    return fits ? "" : "has a shape " + tupleText(header.shape) + " of more bytes than fit into 63 bits";
  }

  void skipBlanks() {
    constexpr std::string_view blanks = " \t\n\r\f\v";
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
  }

  bool take(char letter) {
    skipBlanks();
    if (at_ == text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  bool takeWord(std::string_view word) {
    skipBlanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// A text in quotation marks of either kind. Names with a backslash belong to no type that is read, and are kept as
  /// they are written.
  std::optional<std::string> quoted() {
    skipBlanks();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const char mark = text_[at_];
    for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_[end] == mark) {
        const std::size_t begin = std::exchange(at_, end + 1) + 1;
        return std::string(text_.substr(begin, end - begin));
      }
    }
    return std::nullopt;
  }

  /// Python 2 wrote an L behind long ones.
  std::optional<std::int64_t> number() {
    skipBlanks();
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    const auto value = parseInteger(text_.substr(at_, end - at_));
    if (!value) return std::nullopt;
    at_ = end;
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  std::string wanted(std::string_view what) const { return fmt::format("lacks {} at its character {}", what, at_ + 1); }

  std::string_view text_;
  std::size_t at_ = 0;
  bool hasType_ = false;
  bool hasOrder_ = false;
  bool hasShape_ = false;
};

tl::unexpected<Failures> noNpy(const std::string& place, const std::string& why) {
  return fail(place, "", "is no .npy file: " + why, "write it with numpy.save");
}

}  // namespace

std::int64_t bytesOf(ArrayType type) {
  return entryOf(type).bytes;
}

std::string_view nameOf(ArrayType type) {
  return entryOf(type).name;
}

bool isFloat(ArrayType type) {
  return type == ArrayType::f16 || type == ArrayType::f32 || type == ArrayType::f64;
}

Result<NpyHeader> readNpyHeader(const std::string& place, std::int64_t size, const NextBytes& next) {
  std::array<unsigned char, 12> head{};
  const auto get = [&](std::size_t from, std::size_t count) {
    return next(std::as_writable_bytes(std::span(head).subspan(from, count)));
  };
  if (size < 10) return noNpy(place, fmt::format("{} bytes are too few", size));
  SLIPSTREAM_CHECK(get(0, 10));
  if (std::memcmp(head.data(), npyMagic.data(), npyMagic.size()) != 0) {
    return noNpy(place, "it begins with something else");
  }
  const int version = head[6];
  if (version < 1 || version > 3) return noNpy(place, fmt::format("its version {} is none of 1 to 3", version));
  std::size_t start = 10;
  std::size_t length = head[8] + (std::size_t{head[9]} << 8);
  if (version > 1) {
    if (size < 12) return noNpy(place, fmt::format("{} bytes are too few", size));
    SLIPSTREAM_CHECK(get(10, 2));
    start = 12;
    length += (std::size_t{head[10]} << 16) + (std::size_t{head[11]} << 24);
  }
  if (length > longestHeader) return noNpy(place, fmt::format("its header has {} bytes, more than 65536", length));
  if (static_cast<std::int64_t>(start + length) > size) return noNpy(place, "it ends inside its header");
  std::string text(length, ' ');
  SLIPSTREAM_CHECK(next(std::as_writable_bytes(std::span(text))));
  NpyHeader header;
  header.start = static_cast<std::int64_t>(start + length);
  const std::string problem = DictionaryReader(text).read(header);
  if (!problem.empty()) return noNpy(place, "its header " + problem);
  return header;
}

std::string tupleText(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace slipstream

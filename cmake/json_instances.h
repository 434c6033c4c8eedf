// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Included before everything else where headers are precompiled: JSON's templates are compiled once, in
// json_instances.cpp, rather than in each file that reads or writes JSON, which takes a second for each of them.

#include <string>

#include <nlohmann/json.hpp>

// DECLARATION: `extern template` here, `template` where they are compiled.
#define SLIPSTREAM_JSON_OF(DECLARATION, JSON)                                                          \
  DECLARATION class detail::serializer<JSON>;                                                          \
  DECLARATION class detail::json_sax_dom_parser<JSON>;                                                 \
  DECLARATION class detail::json_sax_dom_callback_parser<JSON>;                                        \
  DECLARATION class detail::lexer<JSON, detail::iterator_input_adapter<std::string::const_iterator>>;  \
  DECLARATION class detail::parser<JSON, detail::iterator_input_adapter<std::string::const_iterator>>; \
  DECLARATION class detail::lexer<JSON, detail::iterator_input_adapter<const char*>>;                  \
  DECLARATION class detail::parser<JSON, detail::iterator_input_adapter<const char*>>

#define SLIPSTREAM_JSON(DECLARATION)             \
  namespace nlohmann {                           \
  DECLARATION class basic_json<>;                \
  DECLARATION class basic_json<ordered_map>;     \
  SLIPSTREAM_JSON_OF(DECLARATION, json);         \
  SLIPSTREAM_JSON_OF(DECLARATION, ordered_json); \
  }

SLIPSTREAM_JSON(extern template)

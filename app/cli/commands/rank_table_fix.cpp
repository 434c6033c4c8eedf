#include "engine/plan/rank_table_fix.h"

#include <iostream>

#include "app/cli/reading.h"
#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/plan/document_text.h"

namespace slipstream::cli {

/// The mended table goes to stdout or into a file; what was done, and what is left to its author, to stderr.
int rankTableFix(const RankTableFixArguments& arguments, const CommandLine&) {
  const auto text = readDocumentText(arguments.file);
  if (!text) return report(text.error());
  const MendedRankTable mended = mendRankTable(*text);
  for (const std::string& done : mended.done) std::cerr << printable(arguments.file + ": " + done) << "\n";
  const Failures left = rejectionsOf(readRankTable(mended.text, arguments.file), arguments.file);
  if (!left.empty()) return report(left);
  if (arguments.output.empty()) {
    std::cout << mended.text;
    return done;
  }
  const Status written = writeFile(arguments.output, mended.text);
  if (!written) return report(written.error());
  std::cout << arguments.output << "\n";
  return done;
}

}  // namespace slipstream::cli

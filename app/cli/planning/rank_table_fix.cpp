// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_fix.h"

#include "app/cli/planning/commands.h"
#include "app/cli/streams/delivery.h"
#include "app/cli/streams/output.h"
#include "engine/config/document_text.h"

namespace slipstream::cli {

/// What was done, and what is left to its author, goes to stderr.
int rankTableFix(const RankTableFixArguments& arguments, const CommandLine&) {
  const auto text = readDocumentText(arguments.file);
  if (!text) return report(text.error());
  const FixedRankTable mended = mendRankTable(*text);
  for (const std::string& done : mended.done) remark("note", arguments.file + ": " + done);
  const Failures left = rejectionsOf(readRankTable(mended.text, arguments.file), arguments.file);
  if (!left.empty()) return report(left);
  return deliver(mended.text, "", {arguments.output, arguments.json});
}

}  // namespace slipstream::cli

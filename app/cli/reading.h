#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/arguments.h"
#include "engine/record/run_store.h"

namespace slipstream::cli {

/// Prints the failures on stderr; returns the exit code of invalid input.
int report(const Failures& failures);

/// The store of the command line, after runs whose supervisor is gone were marked as lost. Creates nothing.
Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line);

/// Each by id, unique prefix or `last`; all that cannot be found, or come twice, are named.
Result<std::vector<RunRecord>> findRuns(RunStore& store, const std::vector<std::string>& names);

/// "name / variant", or the name alone.
std::string titleOf(const RunRecord& run);

/// The number, or the strings nan, inf, -inf, which JSON has no numbers for.
nlohmann::ordered_json jsonNumber(double value);
/// Prints a document and a line end. Bytes that are not UTF-8 become replacement characters.
void print(const nlohmann::ordered_json& document);

}  // namespace slipstream::cli

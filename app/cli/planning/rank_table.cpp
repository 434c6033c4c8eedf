// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table.h"

#include "app/cli/planning/commands.h"
#include "app/cli/streams/delivery.h"
#include "app/cli/streams/output.h"
#include "engine/base/process_identity.h"
#include "engine/config/document_text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream::cli {
namespace {

int deliver(const Result<NamedRankTable>& made, const Delivery& delivery) {
  if (!made) return report(made.error());
  return deliver(toJsonText(made->table), made->fileName, delivery);
}

}  // namespace

int rankTableNew(const RankTableNewArguments& arguments, const CommandLine&) {
  if (arguments.hosts.empty()) {
    const std::string server = arguments.server.empty() ? hostName() : arguments.server;
    return deliver(generateRankTable({arguments.devices, arguments.visibleDevices, server, arguments.addresses}),
                   {arguments.output, arguments.json});
  }
  if (!arguments.devices.empty() || !arguments.server.empty() || !arguments.visibleDevices.empty()) {
    return report({{"--hosts", "", "conflicts with --devices, --visible-devices or --server",
                    "give --hosts a:4,b:4 alone, or describe one server"}});
  }
  const auto made = rankTableOfHosts(arguments.hosts, arguments.addresses);
  if (made && made->table.servers.size() > 1 && arguments.addresses.empty()) {
    remark("note",
           "device_ip: placeholders from 198.18.0.0/15, good for CPU and GPU ranks; Ascend cards need --addresses");
  }
  return deliver(made, {arguments.output, arguments.json});
}

int rankTableMerge(const RankTableMergeArguments& arguments, const CommandLine&) {
  Failures failures;
  std::vector<RankTable> tables;
  for (const std::string& file : arguments.files) {
    auto table = loadRankTable(file);
    if (collect(table, failures)) tables.push_back(std::move(*table));
  }
  if (!failures.empty()) return report(failures);
  return deliver(mergeRankTables(tables, arguments.files), {arguments.output, arguments.json});
}

int rankTableConvert(const RankTableConvertArguments& arguments, const CommandLine&) {
  const auto text = readDocumentText(arguments.file);
  if (!text) return report(text.error());
  const auto table = importRankTable(*text, arguments.file);
  if (!table) return report(table.error());
  if (arguments.to == "1.0") return deliver(toJsonText(*table), "rank_table.json", {arguments.output, arguments.json});
  if (arguments.to != "hostfile" && arguments.to != "rankfile") {
    return report({{"--to", arguments.to, "is not a form to convert to", "write hostfile, rankfile or 1.0"}});
  }
  const auto converted = arguments.to == "hostfile" ? hostFileText(*table) : rankFileText(*table);
  if (!converted) return report(converted.error());
  return deliver(*converted, arguments.to, {arguments.output, arguments.json});
}

}  // namespace slipstream::cli

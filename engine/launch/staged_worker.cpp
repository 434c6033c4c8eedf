// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/staged_worker.h"

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <regex>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/private_files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/hosts/ask_program.h"
#include "engine/hosts/remote_shell.h"
#include "engine/hosts/run_folder.h"
#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using Libraries = std::map<std::string, fs::path>;

constexpr const char* workerName = "slipstream-worker";
constexpr const char* scriptName = "worker";
constexpr const char* completeName = "complete";
/// Of the C library and of the compiler's: a host's other programs need its own.
constexpr std::array<std::string_view, 11> systemLibraries{"linux-vdso.", "ld-linux",   "libc.",    "libm.",
                                                           "libpthread.", "libdl.",     "librt.",   "libresolv.",
                                                           "libutil.",    "libstdc++.", "libgcc_s."};
constexpr int somebodyElses = 3;

Libraries librariesOf(const fs::path& program) {
  const ProgramAnswer answer = askProgram({.words = {"ldd", program.string()}});
  if (answer.exitCode != 0) throw Error("ldd " + program.string() + ": " + trim(answer.errors));
  return librariesIn(answer.output);
}

Libraries stagedLibraries(const fs::path& worker) {
  const Libraries all = librariesOf(worker);
  const auto openMpi = std::ranges::find_if(all, [](const auto& entry) { return entry.first.starts_with("libmpi."); });
  return librariesToStage(all, openMpi == all.end() ? Libraries{} : librariesOf(openMpi->second));
}

Result<std::string> hashOf(const fs::path& worker, const Libraries& libraries) {
  Sha256 hash;
  const auto add = [&](const std::string& name, const fs::path& file) -> Status {
    SLIPSTREAM_TRY(content, readFile(file));
    const std::string line = name + " " + sha256(content) + "\n";
    hash.add(std::as_bytes(std::span(line)));
    return {};
  };
  SLIPSTREAM_CHECK(add(workerName, worker));
  for (const auto& [name, file] : libraries) SLIPSTREAM_CHECK(add(name, file));
  constexpr std::size_t digits = 16;
  return hash.text().substr(0, digits);
}

/// What a host needs no build for: the caller's variable of libraries comes after ours.
std::string scriptIn(const fs::path& folder) {
  const std::string libraries = shellLine({(folder / "lib").string()});
  return fmt::format("#!/bin/sh\nexport LD_LIBRARY_PATH={}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\nexec {} \"$@\"\n",
                     libraries, shellLine({(folder / workerName).string()}));
}

/// Copies into a folder beside it, and renames: who finds the folder finds all of it.
Status fill(const StagedWorker& staged, const fs::path& worker, const Libraries& libraries) {
  const OwnFolder part(staged.folder.parent_path() / fmt::format("part-{}", ::getpid()), "staging");
  std::error_code problem;
  const fs::path made = part.path() / "made";
  fs::create_directories(made / "lib", problem);
  fs::copy_file(worker, made / workerName, problem);
  for (const auto& [name, file] : libraries) {
    if (!problem) fs::copy_file(file, made / "lib" / name, problem);
  }
  if (problem) return fail("--stage", made.string(), problem.message(), "make room, or name another SLIPSTREAM_STAGE");
  SLIPSTREAM_CHECK(writeFile(made / scriptName, scriptIn(staged.folder)));
  SLIPSTREAM_CHECK(writeFile(made / completeName, ""));
  fs::permissions(made / scriptName, fs::perms::owner_all, problem);
  fs::rename(made, staged.folder, problem);
  if (problem && !fs::exists(staged.folder / completeName)) {
    return fail("--stage", staged.folder.string(), problem.message(),
                "remove the folder, or name another SLIPSTREAM_STAGE");
  }
  return {};
}

/// Nobody else may have made the folder that programs are started from.
Status isOurs(const fs::path& folder) {
  struct stat found {};
  const bool ours = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
                    (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (ours) return {};
  return fail("--stage", folder.string(), "is not a folder of yours alone",
              "remove it, or name another folder in SLIPSTREAM_STAGE");
}

/// Prints `present` where the folder $1 is complete; with a second word takes it from a tar on standard input. One
/// line, since shellLine() quotes lines for bash alone.
constexpr const char* hostScript =
    "set -e; umask 077; parent=${1%/*}; mkdir -p \"$parent\"; "
    "[ -O \"$parent\" ] && [ ! -L \"$parent\" ] || { echo \"$parent is not a folder of yours alone\" >&2; exit 3; }; "
    "if [ -e \"$1/complete\" ]; then echo present; exit 0; fi; [ -n \"$2\" ] || exit 0; "
    "part=$(mktemp -d \"$parent/part-XXXXXX\"); trap 'rm -rf \"$part\"' EXIT; tar -x -f - -C \"$part\"; "
    "mv -T \"$part/${1##*/}\" \"$1\" 2>/dev/null || [ -e \"$1/complete\" ]; echo present";

std::vector<std::string> commandOn(const std::string& host, const StagedWorker& staged, bool sends) {
  std::vector<std::string> command{"sh", "-c", hostScript, "sh", staged.folder.string(), sends ? "send" : ""};
  return onHost(host, command);
}

Failure refusal(const std::string& host, const ProgramAnswer& answer, std::chrono::seconds silence) {
  const auto words = split(trim(answer.errors), '\n');
  const std::string problem = !answer.inTime         ? lateText({.words = {}, .silence = silence})
                              : words.back().empty() ? fmt::format("exit code {}", answer.exitCode)
                                                     : words.back();
  return {"host " + host, "", "the worker cannot be copied there: " + problem,
          answer.exitCode == somebodyElses ? "name another folder in SLIPSTREAM_STAGE"
                                           : "check that `ssh " + host + " true` asks nothing and that there is room"};
}

bool isPresent(const ProgramAnswer& answer) {
  const auto lines = split(trim(answer.output), '\n');
  return answer.exitCode == 0 && lines.back() == "present";  // a login script may have spoken before
}

std::vector<ProgramAnswer> askAll(const std::vector<std::string>& hosts, const StagedWorker& staged,
                                  const fs::path& archive, std::chrono::seconds silence) {
  std::vector<std::future<ProgramAnswer>> asked;
  for (const std::string& host : hosts) {
    asked.push_back(std::async(std::launch::async, [&staged, &archive, silence, host] {
      return askProgram({.words = commandOn(host, staged, !archive.empty()), .inputFile = archive, .silence = silence});
    }));
  }
  std::vector<ProgramAnswer> answers;
  for (auto& answer : asked) answers.push_back(answer.get());
  return answers;
}

}  // namespace

Libraries librariesIn(const std::string& lddOutput) {
  static const std::regex line(R"(^\s*(\S+) => (/.*) \(0x[0-9a-f]+\)$)");
  Libraries libraries;
  for (const std::string& text : split(lddOutput, '\n')) {
    std::smatch found;
    if (std::regex_match(text, found, line)) libraries[found[1]] = found[2].str();
  }
  return libraries;
}

Libraries librariesToStage(const Libraries& ofWorker, const Libraries& ofOpenMpi) {
  Libraries staged;
  for (const auto& [name, file] : ofWorker) {
    const auto begins = [&, &name = name](std::string_view beginning) { return name.starts_with(beginning); };
    const bool openMpis = ofOpenMpi.contains(name) || name.starts_with("libmpi");
    if (!openMpis && std::ranges::none_of(systemLibraries, begins)) staged[name] = file;
  }
  return staged;
}

fs::path stagingFolder() {
  if (const auto named = environment("SLIPSTREAM_STAGE")) return fs::absolute(*named);
  return fmt::format("/var/tmp/slipstream-{}-programs", ::geteuid());
}

Result<StagedWorker> stageHere(const fs::path& worker) {
  const Libraries libraries = stagedLibraries(worker);
  SLIPSTREAM_TRY(hash, hashOf(worker, libraries));
  const fs::path parent = stagingFolder();
  SLIPSTREAM_CHECK(makePrivateFolder(parent));
  SLIPSTREAM_CHECK(isOurs(parent));
  StagedWorker staged{parent / hash, parent / hash / scriptName};
  if (!fs::exists(staged.folder / completeName)) SLIPSTREAM_CHECK(fill(staged, worker, libraries));
  return staged;
}

Status stageOnHosts(const StagedWorker& staged, const std::vector<std::string>& hosts, std::chrono::seconds silence) {
  std::vector<std::string> others;
  std::ranges::copy_if(hosts, std::back_inserter(others), [](const auto& host) { return !isThisHost(host); });
  Failures failures;
  std::vector<std::string> lacking;
  const auto found = askAll(others, staged, {}, silence);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (found[i].exitCode != 0) failures.push_back(refusal(others[i], found[i], silence));
    if (!isPresent(found[i])) lacking.push_back(others[i]);
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  if (lacking.empty()) return {};
  const auto scratch = makeScratchFolder();
  const fs::path archive = scratch->path() / "worker.tar";
  const ProgramAnswer packed =
      askProgram({.words = {"tar", "-c", "-f", archive.string(), "-C", staged.folder.parent_path().string(),
                            staged.folder.filename().string()}});
  if (packed.exitCode != 0) throw Error("tar: " + trim(packed.errors));
  const auto sent = askAll(lacking, staged, archive, silence);
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    if (!isPresent(sent[i])) failures.push_back(refusal(lacking[i], sent[i], silence));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream

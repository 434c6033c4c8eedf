// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/connection.h"

#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/hosts/remote_shell.h"

namespace slipstream {
namespace {

/// A path of a socket takes 107 bytes; ssh puts 40 digits and, for a moment, 17 letters behind ours.
constexpr std::size_t longestControlFolder = 45;
constexpr const char* keepLogIn = "ControlPersist=600";
constexpr std::chrono::milliseconds pause{5};
constexpr int mostPauses = 200;
constexpr int notFound = 127;

bool isReplaced() {
  return environment("SLIPSTREAM_SSH").has_value();
}

/// For sockets and for what ssh says; the user's alone.
std::filesystem::path connectionFolder() {
  if (const auto runtime = environment("XDG_RUNTIME_DIR")) return std::filesystem::path(*runtime) / "slipstream";
  return userDataFolder() / "ssh";
}

/// Where others may write, one of them may have been first with its name.
bool isOursAlone(const std::filesystem::path& folder) {
  struct stat status {};
  constexpr mode_t othersMay = 077;
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & othersMay) == 0;
}

std::string controlPathFor() {
  if (isReplaced()) return "";
  const auto usual = connectionFolder();
  const bool fits = usual.string().size() <= longestControlFolder;
  const auto folder = fits ? usual : std::filesystem::path(fmt::format("/tmp/slipstream-{}-ssh", ::geteuid()));
  if (!makePrivateFolder(folder) || (!fits && !isOursAlone(folder))) return "";
  return (folder / "%C").string();
}

std::string lastLineOf(const std::string& text) {
  const auto lines = split(trim(text), '\n');
  return lines.empty() ? "" : trim(lines.back());
}

std::filesystem::path newErrorFile() {
  static std::atomic<int> count{0};
  const auto folder = connectionFolder();
  if (!makePrivateFolder(folder)) throw Error(folder.string() + " cannot be made");
  return folder / fmt::format("said-{}-{}.log", ::getpid(), ++count);
}

}  // namespace

RemoteConnection::RemoteConnection(Remote remote, const RemoteTimeouts& timeouts)
    : remote_(std::move(remote)), timeouts_(timeouts), controlPath_(controlPathFor()) {}

std::vector<std::string> RemoteConnection::sshWords(bool logsIn) const {
  std::vector<std::string> words = slipstream::sshWords();
  if (controlPath_.empty()) return words;
  words.insert(words.end(), {"-S", controlPath_, "-o", logsIn ? "ControlMaster=auto" : "ControlMaster=no"});
  if (logsIn) words.insert(words.end(), {"-o", keepLogIn});
  return words;
}

bool RemoteConnection::isOpen() const {
  if (controlPath_.empty()) return false;
  const std::vector<std::string> words{"ssh", "-S", controlPath_, "-O", "check", "--", remote_.host};
  return askProgram({.words = words, .limit = timeouts_.logIn}).exitCode == 0;
}

Failure RemoteConnection::unreachable(const std::string& problem) const {
  return {"remote " + remote_.name, remote_.host, problem.empty() ? "cannot be reached" : problem,
          fmt::format(
              "check the name and the network; where it asks for something, log in once: slipstream remote check {}",
              remote_.name)};
}

Failure RemoteConnection::withoutProgram(const std::string& problem) const {
  Remote named = remote_;
  named.program = "PATH";
  return {"remote " + remote_.name, remote_.host, problem.empty() ? "slipstream does not answer there" : problem,
          "install the same build there, and name its program: " + addingLine(named)};
}

/// The log-in stays for some minutes after its last command, so that whoever needs a password gives it once.
Status RemoteConnection::open(bool mayAsk) {
  if (controlPath_.empty() || isOpen()) return {};
  std::vector<std::string> words{"ssh"};
  if (!mayAsk) words.insert(words.end(), {"-o", "BatchMode=yes"});
  words.insert(words.end(),
               {"-x", "-T", "-M", "-N", "-f", "-S", controlPath_, "-o", keepLogIn, "-o", "ConnectTimeout=5", "-o",
                "ServerAliveInterval=3", "-o", "ServerAliveCountMax=3", "--", remote_.host});
  const AskedProgram asked{.words = std::move(words), .limit = mayAsk ? timeouts_.typing : timeouts_.logIn};
  const ProgramAnswer answer = askProgram(asked);
  if (!answer.inTime) return tl::unexpected(Failures{unreachable(lateText(asked))});
  if (answer.exitCode == 0) return {};
  return tl::unexpected(Failures{unreachable(lastLineOf(answer.errors))});
}

std::vector<std::string> RemoteConnection::wordsFor(std::vector<std::string> arguments, bool logsIn) const {
  arguments.insert(arguments.begin(), remote_.program);
  if (!remote_.store.empty()) arguments.insert(arguments.end(), {"--store", remote_.store});
  std::vector<std::string> words = sshWords(logsIn);
  words.push_back(remote_.host);
  words.push_back(shellLine(arguments));
  return words;
}

Result<std::string> RemoteConnection::ask(const std::vector<std::string>& arguments) const {
  const AskedProgram asked{.words = wordsFor(arguments), .silence = timeouts_.silence};
  ProgramAnswer answer = askProgram(asked);
  if (!answer.inTime) return tl::unexpected(Failures{unreachable(lateText(asked))});
  const std::string words = lastLineOf(answer.errors);
  if (answer.exitCode == cannotConnect) return tl::unexpected(Failures{unreachable(words)});
  if (isProgramMissing(answer.exitCode)) return tl::unexpected(Failures{withoutProgram(words)});
  if (answer.exitCode == 0) return std::move(answer.output);
  const std::string problem = words.empty() ? fmt::format("ended with exit code {}", answer.exitCode) : words;
  return fail("remote " + remote_.name, remote_.host, problem, "try it there: slipstream " + shellLine(arguments));
}

int RemoteConnection::pass(const std::vector<std::string>& arguments, const std::string& input) const {
  return passProgram({.words = wordsFor(arguments), .input = input});
}

bool isProgramMissing(std::optional<int> exitCode) {
  constexpr int notExecutable = 126;
  return exitCode == notFound || exitCode == notExecutable;
}

RemoteCommand::RemoteCommand(const RemoteConnection& connection, const std::vector<std::string>& arguments)
    : errors_(newErrorFile()), child_(std::make_unique<TalkingChild>(connection.wordsFor(arguments, true), errors_)) {}

RemoteCommand::~RemoteCommand() {
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove(errors_, ignored);
}

std::string RemoteCommand::lastWords() {
  ChildProcess& process = child_->process();
  for (int pauses = 0; pauses < mostPauses && !process.poll(); ++pauses) std::this_thread::sleep_for(pause);
  std::string words = lastLineOf(readFile(errors_).value_or(""));
  const auto end = process.poll();
  if (end && end->exitCode == notFound && words.empty()) return "there is no slipstream";
  return words;
}

std::optional<int> RemoteCommand::exitCode() {
  const auto end = child_->process().poll();
  return end && end->signal == 0 ? std::optional(end->exitCode) : std::nullopt;
}

}  // namespace slipstream

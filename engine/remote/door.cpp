// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/door.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/hosts/remote_shell.h"

extern char** environ;

namespace slipstream {
namespace {

/// A path of a socket takes 107 bytes; ssh puts 40 digits and, for a moment, 17 letters behind ours.
constexpr std::size_t longestControlFolder = 45;
constexpr const char* keepLogIn = "ControlPersist=600";
constexpr std::chrono::milliseconds pause{5};
constexpr int mostPauses = 200;

bool isReplaced() {
  return environment("SLIPSTREAM_SSH").has_value();
}

/// For sockets and for what ssh says; the user's alone.
std::filesystem::path doorFolder() {
  if (const auto runtime = environment("XDG_RUNTIME_DIR")) return std::filesystem::path(*runtime) / "slipstream";
  return userDataFolder() / "doors";
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
  const auto usual = doorFolder();
  const bool fits = usual.string().size() <= longestControlFolder;
  const auto folder = fits ? usual : std::filesystem::path(fmt::format("/tmp/slipstream-{}-doors", ::geteuid()));
  if (!makePrivateFolder(folder) || (!fits && !isOursAlone(folder))) return "";
  return (folder / "%C").string();
}

struct Streams {
  int input = -1;
  int output = -1;  ///< -1: ours
  int errors = -1;  ///< -1: ours
};

/// Runs words to their end; the exit code, 128 + N after a signal.
int runWords(const std::vector<std::string>& words, const Streams& streams) {
  std::vector<std::string> texts = words;
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
  if (streams.output >= 0) ::posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  if (streams.errors >= 0) ::posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO);
  // A pipe that nobody reads any more ends it, as it ends any program; we ignore that ourselves.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t standard;
  ::sigemptyset(&standard);
  ::sigaddset(&standard, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &standard);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error(fmt::format("{} cannot be started", words.front()));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A file without a name that holds the text, to be read from its beginning.
int fileWith(const std::string& text) {
  const int file = ::memfd_create("slipstream", MFD_CLOEXEC);
  if (file < 0) throw Error("no memory for what a command reads");
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto written = ::write(file, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) break;
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

std::string lastLineOf(const std::string& text) {
  const auto lines = split(trim(text), '\n');
  return lines.empty() ? "" : trim(lines.back());
}

std::filesystem::path newErrorFile() {
  static std::atomic<int> count{0};
  const auto folder = doorFolder();
  if (!makePrivateFolder(folder)) throw Error(folder.string() + " cannot be made");
  return folder / fmt::format("said-{}-{}.log", ::getpid(), ++count);
}

}  // namespace

Door::Door(Remote remote) : remote_(std::move(remote)), controlPath_(controlPathFor()) {}

std::vector<std::string> Door::sshWords(bool logsIn) const {
  std::vector<std::string> words = slipstream::sshWords();
  if (controlPath_.empty()) return words;
  words.insert(words.end(), {"-S", controlPath_, "-o", logsIn ? "ControlMaster=auto" : "ControlMaster=no"});
  if (logsIn) words.insert(words.end(), {"-o", keepLogIn});
  return words;
}

bool Door::isOpen() const {
  if (controlPath_.empty()) return false;
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int code =
      runWords({"ssh", "-S", controlPath_, "-O", "check", "--", remote_.host}, {nothing, nothing, nothing});
  ::close(nothing);
  return code == 0;
}

Failure Door::unreachable(const std::string& problem) const {
  return {"remote " + remote_.name, remote_.host, problem.empty() ? "cannot be reached" : problem,
          fmt::format(
              "check the name and the network; where it asks for something, log in once: slipstream remote check {}",
              remote_.name)};
}

Failure Door::withoutProgram(const std::string& problem) const {
  Remote named = remote_;
  named.program = "PATH";
  return {"remote " + remote_.name, remote_.host, problem.empty() ? "slipstream does not answer there" : problem,
          "install the same build there, and name its program: " + addingLine(named)};
}

/// The log-in stays for some minutes after its last command, so that whoever needs a password gives it once.
Status Door::open(bool mayAsk) {
  if (controlPath_.empty() || isOpen()) return {};
  std::vector<std::string> words{"ssh"};
  if (!mayAsk) words.insert(words.end(), {"-o", "BatchMode=yes"});
  words.insert(words.end(),
               {"-x", "-T", "-M", "-N", "-f", "-S", controlPath_, "-o", keepLogIn, "-o", "ConnectTimeout=5", "-o",
                "ServerAliveInterval=3", "-o", "ServerAliveCountMax=3", "--", remote_.host});
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int said = fileWith("");
  const int code = runWords(words, {nothing, nothing, said});
  ::close(nothing);
  std::string errors(4096, '\0');
  const auto count = ::pread(said, errors.data(), errors.size(), 0);
  errors.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  ::close(said);
  if (code == 0) return {};
  return tl::unexpected(Failures{unreachable(lastLineOf(errors))});
}

std::vector<std::string> Door::wordsFor(std::vector<std::string> arguments, bool logsIn) const {
  arguments.insert(arguments.begin(), remote_.program);
  if (!remote_.store.empty()) arguments.insert(arguments.end(), {"--store", remote_.store});
  std::vector<std::string> words = sshWords(logsIn);
  words.push_back(remote_.host);
  words.push_back(shellLine(arguments));
  return words;
}

int Door::pass(const std::vector<std::string>& arguments, const std::string& input) const {
  const int text = fileWith(input);
  std::fflush(nullptr);
  const int code = runWords(wordsFor(arguments), {text, -1, -1});
  ::close(text);
  return code;
}

DoorStream::DoorStream(const Door& door, const std::vector<std::string>& arguments) : errors_(newErrorFile()) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) throw Error("no socket for a remote");
  socket_ = pair[0];
  try {
    process_ = std::make_unique<ChildProcess>(ProcessSettings{door.wordsFor(arguments, true), {}, errors_, pair[1]});
  } catch (...) {
    ::close(pair[0]);
    ::close(pair[1]);
    throw;
  }
  ::close(pair[1]);
}

DoorStream::~DoorStream() {
  ::close(socket_);
  process_.reset();
  std::error_code ignored;
  std::filesystem::remove(errors_, ignored);
}

std::string DoorStream::lastWords() {
  for (int pauses = 0; pauses < mostPauses && !process_->poll(); ++pauses) std::this_thread::sleep_for(pause);
  std::string words = lastLineOf(readFile(errors_).value_or(""));
  const auto end = process_->poll();
  constexpr int notFound = 127;
  if (end && end->exitCode == notFound && words.empty()) return "there is no slipstream";
  return words;
}

std::optional<int> DoorStream::exitCode() {
  const auto end = process_->poll();
  return end && end->signal == 0 ? std::optional(end->exitCode) : std::nullopt;
}

}  // namespace slipstream

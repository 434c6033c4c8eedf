// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/launcher_variables.h"

extern char** environ;

namespace slipstream {
namespace {

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!added.contains(std::string(name)) && !isLauncherVariable(name)) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything that the child needs, made before the fork: between fork and exec only system calls are safe.
struct Execution {
  std::string program;
  std::vector<char*> arguments;
  std::vector<char*> variables;
  pid_t parent = 0;
  int input = -1;
  int output = -1;
  int errors = -1;
  bool keepsOn = false;
  int problem = -1;  ///< gets errno where exec fails
};

/// A file descriptor that is closed with it.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

[[noreturn]] void execute(const Execution& execution) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != execution.parent) ::_exit(1);
  ::setsid();
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::sigaction(number, &standard, nullptr);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  if (execution.keepsOn) ::sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  ::dup2(execution.input, STDIN_FILENO);
  ::dup2(execution.output, STDOUT_FILENO);
  ::dup2(execution.errors, STDERR_FILENO);
  ::execve(execution.program.c_str(), execution.arguments.data(), execution.variables.data());
  const int problem = errno;
  [[maybe_unused]] const auto written = ::write(execution.problem, &problem, sizeof problem);
  ::_exit(127);
}

int openFile(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (file < 0) throw Error(fmt::format("{} cannot be opened: {}", path, std::generic_category().message(errno)));
  return file;
}

bool isZombie(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  // The command's name may hold blanks and brackets: the state follows the last bracket.
  const auto bracket = line.rfind(')');
  return bracket != std::string::npos && line.substr(bracket).starts_with(") Z");
}

}  // namespace

Result<std::filesystem::path> findProgram(const std::string& name, const std::string& remedy) {
  if (name.find('/') != std::string::npos) return name;
  const std::string folders = environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (const std::string& folder : split(folders, ':')) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return fail(name, "", "the program is in none of the folders of PATH: " + folders, remedy);
}

std::string toText(const ProcessEnd& end) {
  if (end.signal == 0) return fmt::format("exit code {}", end.exitCode);
  return fmt::format("signal {} ({})", end.signal, ::strsignal(end.signal));
}

ChildProcess::ChildProcess(const ProcessSettings& settings) {
  std::vector<std::string> arguments = settings.argv;
  std::vector<std::string> variables = mergedEnvironment(settings.environment);
  const auto found = findProgram(arguments.at(0), "");
  if (!found) throw Error(trim(toText(found.error())));
  const std::string program = found->string();
  const File input(openFile("/dev/null", O_RDONLY));
  const File output(openFile(settings.outputFile.string(), O_WRONLY | O_CREAT | O_APPEND));
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw Error("no pipe for a new process");
  const File problem(pipe[0]);
  File childsEnd(pipe[1]);
  const bool talks = settings.conversation >= 0;
  const Execution execution{.program = program,
                            .arguments = pointersTo(arguments),
                            .variables = pointersTo(variables),
                            .parent = ::getpid(),
                            .input = talks ? settings.conversation : input.number(),
                            .output = talks ? settings.conversation : output.number(),
                            .errors = output.number(),
                            .keepsOn = settings.keepsOn,
                            .problem = childsEnd.number()};
  pid_ = ::fork();
  if (pid_ == 0) execute(execution);
  int code = pid_ < 0 ? errno : 0;
  childsEnd.close();
  if (pid_ > 0 && ::read(problem.number(), &code, sizeof code) > 0) ::waitpid(pid_, nullptr, 0);
  if (code == 0) return;
  pid_ = 0;
  throw Error(fmt::format("{} cannot be started: {}", program, std::generic_category().message(code)));
}

bool ChildProcess::ignoresDeadChild() const {
  std::error_code gone;
  const std::string own = fmt::format("/proc/{}", pid_);
  for (const auto& thread : std::filesystem::directory_iterator(own + "/task", gone)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      if (isZombie(child)) return true;
    }
  }
  return false;
}

ChildProcess::~ChildProcess() {
  if (pid_ == 0 || poll()) return;
  signal(SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<ProcessEnd> ChildProcess::poll() {
  if (end_) return end_;
  int status = 0;
  const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended == pid_) end_ = WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)} : ProcessEnd{WEXITSTATUS(status), 0};
  // A sweep killed and reaped it.
  if (ended < 0 && errno == ECHILD) end_ = ProcessEnd{0, SIGKILL};
  return end_;
}

void ChildProcess::signal(int number) const {
  if (!end_) ::kill(pid_, number);
}

TalkingChild::TalkingChild(const std::vector<std::string>& argv, const std::filesystem::path& errors) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    throw Error(fmt::format("no socket for {}", argv.at(0)));
  File own(pair[0]);
  const File childs(pair[1]);
  process_ = std::make_unique<ChildProcess>(ProcessSettings{argv, {}, errors, childs.number()});
  socket_ = own.release();
}

/// It hears the end of the conversation first.
TalkingChild::~TalkingChild() {
  ::close(socket_);
}

}  // namespace slipstream

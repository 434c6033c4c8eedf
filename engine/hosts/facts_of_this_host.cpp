// SPDX-License-Identifier: GPL-3.0-or-later
#include <cerrno>
#include <filesystem>
#include <regex>
#include <system_error>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/hosts/ask_program.h"
#include "engine/hosts/host_facts.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t mostFiles = 20'000;
constexpr int connectMilliseconds = 3000;

DataFacts unlessTooMany(const DataFacts& facts) {
  return facts.files > mostFiles ? DataFacts{true, -1, -1} : facts;
}

DataFacts dataAt(const fs::path& path) {
  std::error_code problem;
  if (!fs::exists(path, problem)) return {};
  DataFacts facts{true, 0, 0};
  if (!fs::is_directory(path, problem)) return {true, 1, static_cast<std::int64_t>(fs::file_size(path, problem))};
  const auto options = fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator entry(path, options, problem), end; entry != end && facts.files <= mostFiles;
       entry.increment(problem)) {
    if (!entry->is_regular_file(problem)) continue;
    ++facts.files;
    facts.bytes += static_cast<std::int64_t>(entry->file_size(problem));
  }
  return unlessTooMany(facts);
}

std::int64_t freeSharedMemory() {
  std::error_code unknown;
  if (::access("/dev/shm", W_OK) != 0) return 0;
  const auto space = fs::space("/dev/shm", unknown);
  return unknown ? 0 : static_cast<std::int64_t>(space.available);
}

int devicesNamed(const char* pattern) {
  const std::regex name(pattern);
  std::error_code problem;
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/dev", problem)) {
    if (std::regex_match(entry.path().filename().string(), name)) ++count;
  }
  return count;
}

/// Empty where the connection came about.
std::string whyNotConnected(int socket, const sockaddr_in& address) {
  const auto text = [](int problem) { return std::generic_category().message(problem); };
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return "";
  if (errno != EINPROGRESS) return text(errno);
  pollfd waiting{socket, POLLOUT, 0};
  if (::poll(&waiting, 1, connectMilliseconds) <= 0) return "no answer within 3 s";
  int problem = 0;
  socklen_t length = sizeof problem;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length);
  return problem == 0 ? "" : text(problem);
}

std::string wayBackTo(const std::string& supervisor) {
  const auto colon = supervisor.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  const bool readable =
      colon != std::string::npos && ::inet_pton(AF_INET, supervisor.substr(0, colon).c_str(), &address.sin_addr) == 1;
  if (!readable) return supervisor + " is no address";
  address.sin_port = htons(static_cast<std::uint16_t>(parseInteger(supervisor.substr(colon + 1)).value_or(0)));
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const std::string problem = whyNotConnected(socket, address);
  ::close(socket);
  return problem.empty() ? "" : fmt::format("{}: {}", supervisor, problem);
}

}  // namespace

HostFacts factsOfThisHost(const HostRequest& request, const std::string& openMpi) {
  HostFacts facts;
  facts.name = hostName();
  facts.build = sha256(readFile("/proc/self/exe").value_or(""));
  facts.openMpi = openMpi;
  facts.instructionSet = nameOf(instructionSet());
  facts.cores = coresOnHost();
  facts.memory = memoryOfThisMachine();
  facts.sharedMemory = freeSharedMemory();
  facts.gpus = devicesNamed("nvidia[0-9]+");
  facts.npus = devicesNamed("davinci[0-9]+");
  // A process of its own opens them, so that nothing on a device stays taken while the session lasts.
  if (request.devices) facts.devices = askProgram({.words = {"/proc/self/exe", "--devices"}}).output;
  for (const std::string& path : request.data) facts.data[path] = dataAt(path);
  if (!request.supervisor.empty()) facts.wayBack = wayBackTo(request.supervisor);
  facts.wallNanoseconds = wallNanoseconds();
  return facts;
}

}  // namespace slipstream

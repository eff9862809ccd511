#include "app/tasks/verify/child_process.h"

#include "app/tasks/run/interruption.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

extern char** environ;

namespace et::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// How often to look whether somebody wants to end.
constexpr std::chrono::milliseconds interval{100};
/// The descriptor of reportPath.
constexpr int reportDescriptor = 3;
/// What is kept of stdout and stderr.
constexpr std::size_t lastWords = 4096;

core::Error systemError(std::string_view what, int error) {
    return {core::ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(error)), {}};
}

/// A file descriptor that closes with it.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : fd(number) {}
    Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd, other.fd);
        return *this;
    }
    ~Descriptor() { close(); }

    [[nodiscard]] int get() const { return fd; }
    void close() {
        if (fd >= 0) {
            ::close(std::exchange(fd, -1));
        }
    }

  private:
    int fd = -1;
};

struct Pipe {
    Descriptor read;
    Descriptor write;

    [[nodiscard]] static core::Result<Pipe> make() {
        // Other threads start processes too: none may inherit this by accident.
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return std::unexpected(systemError("cannot make a pipe", errno));
        }
        return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
    }
};

/// What the new process gets.
class SpawnActions {
  public:
    SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }

    void noInput() { ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
    void connect(const Descriptor& from, int to) {
        ::posix_spawn_file_actions_adddup2(&actions, from.get(), to);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions; }

  private:
    posix_spawn_file_actions_t actions{};
};

/// What starts this program again. Where a dynamic loader runs it (bin/et-inspect on an older host), the
/// process's own file is that loader, and the launcher says what to start instead.
const char* ownProgram() {
    const char* launcher = std::getenv("ET_INSPECT_LAUNCHER");
    return launcher != nullptr && *launcher != '\0' ? launcher : "/proc/self/exe";
}

core::Result<pid_t> spawn(const std::vector<std::string>& arguments, const Pipe& report, const Pipe& said) {
    std::vector<std::string> words{"et-inspect"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    SpawnActions actions;
    actions.noInput();
    actions.connect(said.write, STDOUT_FILENO);
    actions.connect(said.write, STDERR_FILENO);
    actions.connect(report.write, reportDescriptor);
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, ownProgram(), actions.get(), nullptr, argv.data(), environ);
    if (failed != 0) {
        return std::unexpected(systemError("cannot start a process", failed));
    }
    return pid;
}

/// Reads both pipes until they end, which they do with the process.
class Listener {
  public:
    Listener(pid_t child, Pipe& reportPipe, Pipe& saidPipe, std::optional<Clock::time_point> deadline)
        : pid(child), report(reportPipe.read), said(saidPipe.read), end(deadline) {}

    ChildEnd listen() {
        ChildEnd result;
        while (report.get() >= 0 || said.get() >= 0) {
            std::array<pollfd, 2> waiting{pollfd{.fd = report.get(), .events = POLLIN, .revents = 0},
                                          pollfd{.fd = said.get(), .events = POLLIN, .revents = 0}};
            const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(interval.count()));
            endIfDue(result);
            if (ready > 0) {
                take(waiting[0], report, result.report);
                take(waiting[1], said, result.said);
                if (result.said.size() > 2 * lastWords) {
                    result.said.erase(0, result.said.size() - lastWords);
                }
            }
        }
        return result;
    }

  private:
    void endIfDue(ChildEnd& result) {
        if (result.timedOut || result.cancelled) {
            return;
        }
        result.timedOut = end && Clock::now() >= *end;
        result.cancelled = !result.timedOut && InterruptionGuard::requested();
        if (result.timedOut || result.cancelled) {
            ::kill(pid, SIGKILL);
        }
    }

    static void take(const pollfd& ready, Descriptor& from, std::string& into) {
        if (from.get() < 0 || ready.revents == 0) {
            return;
        }
        std::array<char, 65536> part{};
        const ssize_t size = ::read(from.get(), part.data(), part.size());
        if (size > 0) {
            into.append(part.data(), static_cast<std::size_t>(size));
        } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
            from.close();
        }
    }

    pid_t pid;
    Descriptor& report;
    Descriptor& said;
    std::optional<Clock::time_point> end;
};

}  // namespace

core::Result<ChildEnd> runSelf(const std::vector<std::string>& arguments,
                               std::optional<std::chrono::duration<double>> timeout) {
    ET_ASSIGN(Pipe report, Pipe::make());
    ET_ASSIGN(Pipe said, Pipe::make());
    std::optional<Clock::time_point> end;
    if (timeout) {
        end = Clock::now() + std::chrono::duration_cast<Clock::duration>(*timeout);
    }
    ET_ASSIGN(const pid_t pid, spawn(arguments, report, said));
    report.write.close();
    said.write.close();
    ChildEnd result = Listener(pid, report, said, end).listen();
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return result;
}

std::string signalText(int signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    const char* description = ::sigdescr_np(signal);
    return abbreviation == nullptr || description == nullptr
               ? fmt::format("signal {}", signal)
               : fmt::format("SIG{} ({})", abbreviation, description);
}

}  // namespace et::cli

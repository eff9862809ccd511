#include "runtime/core/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace et::core {
namespace {

using Clock = std::chrono::steady_clock;

/// An empty file in memory, for file systems without /dev/null. Its number is above those of redirections.
Descriptor makeNothing() {
    constexpr int aboveRedirections = 64;
    const Descriptor made(::memfd_create("nothing", MFD_CLOEXEC));
    return Descriptor(::fcntl(made.get(), F_DUPFD_CLOEXEC, aboveRedirections));
}

/// File actions of posix_spawn().
class SpawnActions {
  public:
    explicit SpawnActions(std::span<const Redirection> redirections) {
        ::posix_spawn_file_actions_init(&actions);
        for (const Redirection& each : redirections) {
            if (each.from >= 0) {
                ::posix_spawn_file_actions_adddup2(&actions, each.from, each.number);
            } else if (::access("/dev/null", R_OK | W_OK) == 0) {
                ::posix_spawn_file_actions_addopen(&actions, each.number, "/dev/null", O_RDWR, 0);
            } else {
                if (!nothing) {
                    nothing = makeNothing();
                }
                ::posix_spawn_file_actions_adddup2(&actions, nothing.get(), each.number);
            }
        }
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }

    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions; }

  private:
    posix_spawn_file_actions_t actions{};
    Descriptor nothing;
};

ProcessEnd endOfStatus(int status) {
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

/// Returns nothing if the process still runs, which requires `flags` to be non-blocking.
std::optional<ProcessEnd> reap(pid_t pid, int flags) {
    int status = 0;
    pid_t got = 0;
    do {
        got = ::waitpid(pid, &status, flags);
    } while (got < 0 && errno == EINTR);
    if (got == 0) {
        return std::nullopt;
    }
    // If the process was reaped elsewhere, its exit status is lost.
    return got < 0 ? ProcessEnd{} : endOfStatus(status);
}

/// Reads the available data. False if it exceeds the limit.
bool takeSome(PipeReader& intake) {
    std::array<char, 65536> part{};
    const ssize_t size = ::read(intake.from.get(), part.data(), part.size());
    if (size <= 0) {
        if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
            intake.from.close();
        }
        return true;
    }
    intake.into.append(part.data(), static_cast<std::size_t>(size));
    if (intake.keepsEnd) {
        if (intake.into.size() > 2 * intake.maxBytes) {
            intake.into.erase(0, intake.into.size() - intake.maxBytes);
        }
        return true;
    }
    return intake.into.size() <= intake.maxBytes;
}

}  // namespace

std::string signalText(int signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    const char* description = ::sigdescr_np(signal);
    return abbreviation == nullptr || description == nullptr
               ? fmt::format("signal {}", signal)
               : fmt::format("SIG{} ({})", abbreviation, description);
}

std::string endText(const ProcessEnd& end) {
    if (end.killed) {
        return "the process was killed";
    }
    return end.signal != 0 ? fmt::format("crashed: the process got {}", signalText(end.signal))
                           : fmt::format("the process ended with exit code {}", end.code);
}

Result<ChildProcess> ChildProcess::spawn(const ProcessStart& start) {
    std::vector<std::string> copies = start.argv;
    std::vector<char*> argv;
    argv.reserve(copies.size() + 1);
    for (std::string& each : copies) {
        argv.push_back(each.data());
    }
    argv.push_back(nullptr);
    const SpawnActions actions(start.redirections);
    pid_t pid = -1;
    if (const int failed =
            ::posix_spawn(&pid, start.program.c_str(), actions.get(), nullptr, argv.data(), environ);
        failed != 0) {
        return std::unexpected(systemError("cannot start", failed, start.program));
    }
    return ChildProcess(pid);
}

Result<ChildProcess> ChildProcess::fork(const std::function<void()>& body) {
    const pid_t pid = ::fork();
    if (pid < 0) {
        return std::unexpected(systemError("cannot start a process", errno));
    }
    if (pid == 0) {
        body();
        ::_exit(0);
    }
    return ChildProcess(pid);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    // A moved-from object has no process; kill() would treat -1 as all processes.
    : pid(std::exchange(other.pid, -1)), over(std::exchange(other.over, ProcessEnd())) {
}

ChildProcess::~ChildProcess() {
    if (pid > 0) {
        end();
    }
}

std::optional<ProcessEnd> ChildProcess::wait(std::chrono::milliseconds patience) {
    constexpr Clock::duration longest = std::chrono::milliseconds(20);
    const auto deadline = Clock::now() + patience;
    Clock::duration step = std::chrono::microseconds(100);
    while (!over) {
        over = reap(pid, WNOHANG);
        const auto left = deadline - Clock::now();
        if (over || left <= Clock::duration::zero()) {
            break;
        }
        std::this_thread::sleep_for(std::min(step, left));
        step = std::min(2 * step, longest);
    }
    return over;
}

ProcessEnd ChildProcess::end(std::chrono::milliseconds patience) {
    if (!wait(patience) && pid > 0) {
        ::kill(pid, SIGKILL);
        over = reap(pid, 0);
        over->killed = true;
    }
    return over.value_or(ProcessEnd());
}

Clock::time_point deadlineIn(std::chrono::duration<double> time) {
    constexpr std::chrono::hours longest{24 * 365};
    const auto now = Clock::now();
    return time > longest ? Clock::time_point::max()
                          : now + std::chrono::duration_cast<Clock::duration>(time);
}

std::optional<ReadEnd> reached(const ReadLimits& limits) {
    if (limits.deadline && Clock::now() >= *limits.deadline) {
        return ReadEnd::Deadline;
    }
    return limits.cancelled && limits.cancelled() ? std::optional(ReadEnd::Cancelled) : std::nullopt;
}

ReadEnd waitWithin(ChildProcess& child, const ReadLimits& limits) {
    while (!child.wait(limits.interval)) {
        if (const auto limit = reached(limits)) {
            return *limit;
        }
    }
    return ReadEnd::Closed;
}

ReadEnd readAll(std::span<PipeReader> intakes, const ReadLimits& limits) {
    std::vector<pollfd> waiting(intakes.size());
    while (std::ranges::any_of(intakes, [](const PipeReader& each) { return bool(each.from); })) {
        if (const auto limit = reached(limits)) {
            return *limit;
        }
        std::ranges::transform(intakes, waiting.begin(), [](const PipeReader& each) {
            return pollfd{.fd = each.from.get(), .events = POLLIN, .revents = 0};
        });
        if (::poll(waiting.data(), waiting.size(), static_cast<int>(limits.interval.count())) <= 0) {
            continue;
        }
        for (std::size_t i = 0; i < intakes.size(); ++i) {
            if (waiting[i].revents != 0 && !takeSome(intakes[i])) {
                return ReadEnd::TooLong;
            }
        }
    }
    return ReadEnd::Closed;
}

}  // namespace et::core

#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Runs other processes without Qt: starts them, reads their output within limits, and waits for their end.
namespace et::core {

/// Exit status of a process.
struct ProcessEnd {
    int code = 0;         ///< exit code, unless a signal ended the process
    int signal = 0;       ///< terminating signal; 0: none
    bool killed = false;  ///< by us, because of a timeout
    bool operator==(const ProcessEnd&) const = default;
};

/// "SIGSEGV (Segmentation fault)".
[[nodiscard]] std::string signalText(int signal);
/// "crashed: the process got SIGSEGV (Segmentation fault)", "the process ended with exit code 1".
[[nodiscard]] std::string endText(const ProcessEnd& end);

/// A descriptor passed to a new process.
struct Redirection {
    int number = 0;  ///< in the new process
    int from = -1;   ///< in this process; -1: /dev/null
};

/// Parameters of a new process. It inherits only the descriptors in `redirections`, and stdin, stdout and
/// stderr unless these are redirected.
struct ProcessStart {
    std::string program;            ///< path; PATH is not searched
    std::vector<std::string> argv;  ///< starting with the program's name
    std::vector<Redirection> redirections;
};

/// A child process. It is terminated and reaped at the latest when this object is destroyed.
class ChildProcess {
  public:
    /// Errors: Io (cannot be started).
    [[nodiscard]] static Result<ChildProcess> spawn(const ProcessStart& start);
    /// Forks a process that runs `body` and ends with exit code 0. Requires that there are no other threads.
    /// Errors: Io.
    [[nodiscard]] static Result<ChildProcess> fork(const std::function<void()>& body);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();  ///< kills the process if it still runs

    /// Waits at most `patience` for the process to end. Nothing if it still runs.
    [[nodiscard]] std::optional<ProcessEnd> wait(std::chrono::milliseconds patience);
    /// Waits at most `patience` for the process to end, then kills it.
    ProcessEnd end(std::chrono::milliseconds patience = {});

    [[nodiscard]] pid_t id() const { return pid; }

  private:
    explicit ChildProcess(pid_t started) : pid(started) {}

    pid_t pid = -1;
    std::optional<ProcessEnd> over;  ///< set once reaped; `pid` may then belong to another process
};

/// Limits on reading or waiting.
struct ReadLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::function<bool()> cancelled{};        ///< polled every `interval`
    std::chrono::milliseconds interval{100};  ///< maximum delay of a cancellation
};

enum class ReadEnd : std::uint8_t { Closed, Deadline, Cancelled, TooLong };

/// The time point `time` from now, clamped to the clock's maximum.
[[nodiscard]] std::chrono::steady_clock::time_point deadlineIn(std::chrono::duration<double> time);

/// The limit that has been reached, if any.
[[nodiscard]] std::optional<ReadEnd> reached(const ReadLimits& limits);

/// Waits until `child` ends (Closed) or a limit is reached, in which case it keeps running.
[[nodiscard]] ReadEnd waitWithin(ChildProcess& child, const ReadLimits& limits);

/// A pipe to read and its destination.
struct PipeReader {
    Descriptor& from;
    std::string& into;
    std::size_t maxBytes;
    bool keepsEnd = false;  ///< keep the end of longer data (up to twice maxBytes while reading)
};

/// Reads all pipes until a limit is reached or each was closed at the other end, which also closes ours.
[[nodiscard]] ReadEnd readAll(std::span<PipeReader> intakes, const ReadLimits& limits);

}  // namespace et::core

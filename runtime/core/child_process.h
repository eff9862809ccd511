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

// Running other processes without Qt: start, read what they write within limits, and see them end.
namespace et::core {

/// How a process ended.
struct ProcessEnd {
    int code = 0;         ///< exit code, where no signal ended it
    int signal = 0;       ///< that ended it; 0: none
    bool killed = false;  ///< by us, as it did not end in time
    bool operator==(const ProcessEnd&) const = default;
};

/// "SIGSEGV (Segmentation fault)".
[[nodiscard]] std::string signalText(int signal);
/// "crashed: the process got SIGSEGV (Segmentation fault)", "the process ended with exit code 1".
[[nodiscard]] std::string endText(const ProcessEnd& end);

/// A descriptor that a new process finds open.
struct Redirection {
    int number = 0;  ///< in the new process
    int from = -1;   ///< in this one; -1: /dev/null
};

/// What a new process is. Of our descriptors it gets those of `redirections`, and of stdin, stdout and stderr
/// those that are not among them.
struct ProcessStart {
    std::string program;            ///< a path; PATH is not searched
    std::vector<std::string> argv;  ///< with the program's name in front
    std::vector<Redirection> redirections;
};

/// A process that this one started. It never outlives this object, and is always waited for.
class ChildProcess {
  public:
    /// Errors: Io (it does not start).
    [[nodiscard]] static Result<ChildProcess> spawn(const ProcessStart& start);
    /// A copy of this process that does `body` and ends with exit code 0. Only while there are no threads.
    /// Errors: Io.
    [[nodiscard]] static Result<ChildProcess> fork(const std::function<void()>& body);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();  ///< kills it where it still runs

    /// Waits for its end at most that long. Nothing: it still runs.
    [[nodiscard]] std::optional<ProcessEnd> wait(std::chrono::milliseconds patience);
    /// Waits for its end at most that long, then kills it.
    ProcessEnd end(std::chrono::milliseconds patience = {});

    [[nodiscard]] pid_t id() const { return pid; }

  private:
    explicit ChildProcess(pid_t started) : pid(started) {}

    pid_t pid = -1;
    std::optional<ProcessEnd> over;  ///< it was waited for: `pid` may be another process by now
};

/// When to stop reading, or waiting.
struct ReadLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::function<bool()> cancelled{};        ///< asked every `interval`
    std::chrono::milliseconds interval{100};  ///< how late a cancellation may be noticed
};

enum class ReadEnd : std::uint8_t { Closed, Deadline, Cancelled, TooLong };

/// That much from now; the clock's last moment where it does not reach so far.
[[nodiscard]] std::chrono::steady_clock::time_point deadlineIn(std::chrono::duration<double> time);

/// The limit that is reached now, if any.
[[nodiscard]] std::optional<ReadEnd> reached(const ReadLimits& limits);

/// Waits for the end of `child` (Closed), or until a limit is reached; it goes on running then.
[[nodiscard]] ReadEnd waitWithin(ChildProcess& child, const ReadLimits& limits);

/// Something that is being read.
struct Intake {
    Descriptor& from;
    std::string& into;
    std::size_t maxBytes;
    bool keepsEnd = false;  ///< of what is longer, the end is kept (up to twice maxBytes while reading)
};

/// Reads all of them until the other sides have closed, and closes ours then, or until a limit is reached.
[[nodiscard]] ReadEnd readAll(std::span<Intake> intakes, const ReadLimits& limits);

}  // namespace et::core

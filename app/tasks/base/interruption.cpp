#include "app/tasks/base/interruption.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace et::tasks {
namespace {

constexpr std::array table{
    InterruptionInfo{Interruption::None, "no", "", ExitCode::Fine},
    InterruptionInfo{Interruption::Interrupt, "SIGINT", "interrupted", ExitCode::Interrupted},
    InterruptionInfo{Interruption::Terminate, "SIGTERM", "terminated", ExitCode::Terminated},
    InterruptionInfo{Interruption::Timeout, "timeout", "the time limit of --timeout was reached",
                     ExitCode::TimedOut},
    InterruptionInfo{Interruption::SlowExecution, "max-time", "an execution took longer than --max-time",
                     ExitCode::TimedOut},
    InterruptionInfo{Interruption::CutOff, "cut off", "a file was truncated while it was read",
                     ExitCode::Unreadable},
};

struct Signal {
    int number;
    Interruption cause;
};
constexpr std::array signals{Signal{SIGINT, Interruption::Interrupt},
                             Signal{SIGTERM, Interruption::Terminate}};

// State accessible from a signal handler.
std::atomic<bool> isRequested = false;
std::atomic<Interruption> firstCause = Interruption::None;
std::atomic<std::int64_t> firstSignalAt = 0;  ///< milliseconds; 0: none received

/// One request may come as several signals: timeout(1) sends one to the process and one to its group.
constexpr std::int64_t sameRequestMilliseconds = 500;

std::int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// A terminated process should end soon, but a long instruction does not check for the request.
constexpr unsigned secondsToTerminate = 2;

std::atomic<bool> isGuarded = false;  ///< an InterruptionGuard exists
std::atomic<bool> isExiting = false;  ///< by exitOnSignals()
std::atomic<pid_t> owner = 0;         ///< process that installed the handlers; forked processes inherit them

/// Ends the process in a signal handler.
[[noreturn]] void endWithMessage(const InterruptionInfo& cause) {
    constexpr std::string_view prefix = "et-inspect: ";
    std::array<char, 128> line{};
    char* end = line.data();
    if (::isatty(STDERR_FILENO) != 0) {
        *end++ = '\n';  // after a line of progress
    }
    end = std::ranges::copy(prefix, end).out;
    end = std::ranges::copy(cause.message, end).out;
    *end++ = '\n';
    // If stderr does not work, the message is lost.
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(end - line.data()));
    std::_Exit(static_cast<int>(cause.code));
}

extern "C" void endTerminated(int) {
    endWithMessage(infoOf(Interruption::Terminate));
}

/// Has the effect that the signal has without a handler, after the handler returns.
void endBySignal(int number) {
    std::signal(number, SIG_DFL);
    std::raise(number);
}

extern "C" void noteSignal(int number) {
    const Interruption cause = std::ranges::find(signals, number, &Signal::number)->cause;
    if (!isGuarded) {
        if (::getpid() == owner) {
            endWithMessage(infoOf(cause));
        }
        endBySignal(number);
        return;
    }
    if (number == SIGTERM) {
        std::signal(SIGALRM, endTerminated);
        ::alarm(secondsToTerminate);
    }
    InterruptionGuard::request(cause);
    const std::int64_t now = milliseconds();
    std::int64_t first = 0;
    if (!firstSignalAt.compare_exchange_strong(first, now) && now - first > sameRequestMilliseconds) {
        if (::getpid() == owner) {
            endWithMessage(infoOf(cause));
        }
        endBySignal(number);
    }
}

void install() {
    owner = ::getpid();
    struct sigaction action{};
    action.sa_handler = noteSignal;
    for (const Signal& each : signals) {
        // The parent may have had a signal ignored (nohup, a background job of a script); keep it ignored.
        struct sigaction before{};
        ::sigaction(each.number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {
            ::sigaction(each.number, &action, nullptr);
        }
    }
}

void uninstall() {
    for (const Signal& each : signals) {
        struct sigaction now{};
        ::sigaction(each.number, nullptr, &now);
        if (now.sa_handler == noteSignal) {
            std::signal(each.number, SIG_DFL);
        }
    }
}

}  // namespace

const InterruptionInfo& infoOf(Interruption cause) {
    return *std::ranges::find(table, cause, &InterruptionInfo::cause);
}

void exitOnSignals() {
    isExiting = true;
    install();
}

InterruptionGuard::InterruptionGuard() {
    isRequested = false;
    firstCause = Interruption::None;
    firstSignalAt = 0;
    isGuarded = true;
    install();
}

InterruptionGuard::~InterruptionGuard() {
    isGuarded = false;
    if (!isExiting) {
        uninstall();
    }
}

const std::atomic<bool>& InterruptionGuard::requested() {
    return isRequested;
}

core::Result<> InterruptionGuard::check() {
    return isRequested ? core::fail(core::ErrorCode::Cancelled, "interrupted") : core::Result<>();
}

void InterruptionGuard::request(Interruption cause) {
    Interruption none = Interruption::None;
    firstCause.compare_exchange_strong(none, cause);
    isRequested = true;
}

Interruption InterruptionGuard::cause() {
    return firstCause;
}

bool InterruptionGuard::isBySignal() {
    return std::ranges::contains(signals, firstCause.load(), &Signal::cause);
}

}  // namespace et::tasks

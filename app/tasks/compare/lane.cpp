#include "app/tasks/compare/lane.h"

#include "app/tasks/compare/lane_protocol.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/verify/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// How often to look whether somebody wants to end.
constexpr int intervalMilliseconds = 100;
/// How long an execution may go on then.
constexpr std::chrono::seconds grace{2};

/// Read and write end.
using Pipe = std::array<int, 2>;

std::unexpected<core::Error> systemError(const char* what) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

Result<Lane> Lane::start(LaneJob job) {
    Pipe commands{};
    Pipe replies{};
    if (::pipe2(commands.data(), O_CLOEXEC) != 0 || ::pipe2(replies.data(), O_CLOEXEC) != 0) {
        return systemError("cannot make a pipe");
    }
    const pid_t process = ::fork();
    if (process < 0) {
        return systemError("cannot start a process");
    }
    if (process == 0) {
        ::close(commands[1]);
        ::close(replies[0]);
        lane::serve(job, commands[0], replies[1]);
    }
    ::close(commands[0]);
    ::close(replies[1]);
    return Lane(std::move(job), process, commands[1], replies[0]);
}

Lane::Lane(Lane&& other) noexcept
    : job(std::move(other.job)),
      pid(std::exchange(other.pid, -1)),
      commands(std::exchange(other.commands, -1)),
      replies(std::exchange(other.replies, -1)) {
}

Lane::~Lane() {
    for (const int end : {commands, replies}) {
        if (end >= 0) {
            ::close(end);
        }
    }
    if (pid > 0) {
        ::kill(pid, SIGKILL);
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

std::unexpected<core::Error> Lane::died() {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid = -1;
    return fail(ErrorCode::Unsupported,
                WIFSIGNALED(status) ? fmt::format("crashed: the process got {}", signalText(WTERMSIG(status)))
                                    : fmt::format("the process ended with exit code {}", WEXITSTATUS(status)),
                {.file = job.model.string(), .field = {}, .offset = {}});
}

/// True: there is something to read, if only the end.
Result<bool> Lane::waitForReply() {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> end;
    for (;;) {
        pollfd waiting{.fd = replies, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, intervalMilliseconds) > 0) {
            return true;
        }
        if (!end && InterruptionGuard::requested()) {
            end = Clock::now() + grace;
        }
        if (end && Clock::now() >= *end) {
            return fail(ErrorCode::Cancelled, "ended in the middle of an execution",
                        {.file = job.model.string(), .field = {}, .offset = {}});
        }
    }
}

Result<> Lane::readAll(std::span<std::byte> into) {
    while (!into.empty()) {
        ET_TRY(waitForReply());
        const ssize_t got = ::read(replies, into.data(), into.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return died();
        }
        into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

Result<std::vector<std::byte>> Lane::ask(char command) {
    if (::write(commands, &command, 1) != 1) {
        return died();
    }
    std::array<std::byte, 1> kind{};
    std::array<std::byte, sizeof(std::uint64_t)> size{};
    ET_TRY(readAll(kind));
    ET_TRY(readAll(size));
    ET_ASSIGN(const std::uint64_t length, lane::decodeNumber(size));
    std::vector<std::byte> body(length);
    ET_TRY(readAll(body));
    if (kind[0] != std::byte{0}) {
        return std::unexpected(lane::decodeError(body));
    }
    return body;
}

Result<> Lane::load() {
    ET_TRY(ask(lane::load));
    return {};
}

Result<std::uint64_t> Lane::execute(Recording recording) {
    ET_ASSIGN(const std::vector<std::byte> reply,
              ask(recording == Recording::On ? lane::record : lane::execute));
    return lane::decodeNumber(reply);
}

Result<LaneResult> Lane::finish() {
    ET_ASSIGN(const std::vector<std::byte> reply, ask(lane::finish));
    return lane::decodeResult(reply);
}

}  // namespace et::cli

#include "app/tasks/compare/model_process.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/model_process_protocol.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Pipe;
using core::Result;

/// Interval for checking interruption requests.
constexpr std::chrono::milliseconds laneInterval{100};
/// Maximum time that an execution may continue after such a request, and that a process may take to end after
/// closing its pipes.
constexpr std::chrono::seconds laneGrace{2};

}  // namespace

Result<ModelProcess> ModelProcess::start(ModelProcessJob job) {
    ET_ASSIGN(Pipe commands, Pipe::make());
    ET_ASSIGN(Pipe replies, Pipe::make());
    ET_ASSIGN(core::ChildProcess process, core::ChildProcess::fork([&] {
                  commands.write.close();
                  replies.read.close();
                  doPlaced(job.placement,
                           [&] { model_process::serve(job, commands.read.get(), replies.write.get()); });
              }));
    return ModelProcess(std::move(job), std::move(commands.write), std::move(replies.read),
                        std::move(process));
}

std::unexpected<core::Error> ModelProcess::died() {
    return fail(ErrorCode::Unsupported, core::endText(process.end(laneGrace)),
                {.file = job.model.string(), .field = {}, .offset = {}});
}

/// Waits until a reply, or the end of the stream, can be read.
Result<> ModelProcess::waitForReply() {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> end;
    while (!core::readable(replies, laneInterval)) {
        if (!end && InterruptionGuard::requested()) {
            end = Clock::now() + laneGrace;
        }
        if (end && Clock::now() >= *end) {
            return fail(ErrorCode::Cancelled, "stopped during an execution",
                        {.file = job.model.string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

Result<> ModelProcess::readAll(std::span<std::byte> into) {
    while (!into.empty()) {
        ET_TRY(waitForReply());
        const ssize_t got = ::read(replies.get(), into.data(), into.size());
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

Result<std::vector<std::byte>> ModelProcess::ask(char command) {
    if (core::writeAll(commands.get(), std::as_bytes(std::span(&command, 1))) != 0) {
        return died();
    }
    std::array<std::byte, 1> kind{};
    std::array<std::byte, sizeof(std::uint64_t)> size{};
    ET_TRY(readAll(kind));
    ET_TRY(readAll(size));
    ET_ASSIGN(const std::uint64_t length, model_process::decodeNumber(size));
    std::vector<std::byte> body(length);
    ET_TRY(readAll(body));
    if (kind[0] != std::byte{0}) {
        return std::unexpected(model_process::decodeError(body));
    }
    return body;
}

Result<> ModelProcess::load() {
    ET_TRY(ask(model_process::load));
    return {};
}

Result<std::uint64_t> ModelProcess::execute(Recording recording) {
    ET_ASSIGN(const std::vector<std::byte> reply,
              ask(recording == Recording::On ? model_process::record : model_process::execute));
    return model_process::decodeNumber(reply);
}

Result<ModelProcessResult> ModelProcess::finish() {
    ET_ASSIGN(const std::vector<std::byte> reply, ask(model_process::finish));
    return model_process::decodeResult(reply);
}

}  // namespace et::tasks

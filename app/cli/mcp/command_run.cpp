#include "app/cli/mcp/command_run.h"

#include "app/cli/dap/json_value.h"
#include "runtime/core/child_process.h"
#include "runtime/core/own_programs.h"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

namespace et::cli::mcp {
namespace {

using core::ErrorCode;
using core::Pipe;
using core::PipeReader;
using core::Result;

constexpr std::size_t maxDocumentBytes = std::size_t{32} << 20;
constexpr std::size_t maxMessageBytes = std::size_t{64} << 10;
/// Descriptor of --progress-fd.
constexpr int progressDescriptor = 3;
/// Time to write partial results and remove files.
constexpr std::chrono::seconds patienceAtEnd{3};

/// Reports complete lines of --progress json, from `at`.
void reportProgress(const std::string& lines, std::size_t& at, const ProgressReport& report) {
    while (true) {
        const std::size_t end = lines.find('\n', at);
        if (end == std::string::npos) {
            return;
        }
        const auto line = dap::JsonText::parse(std::string_view(lines).substr(at, end - at));
        at = end + 1;
        if (!line || !report) {
            continue;
        }
        const double total = static_cast<double>((*line)["total"].integer().value_or(0));
        const double done = static_cast<double>((*line)["done"].integer().value_or(0));
        report(total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0.0, (*line)["phase"].text());
    }
}

std::vector<std::string> messagesOf(std::string_view text) {
    constexpr std::string_view prefix = "et-inspect: ";
    constexpr std::size_t most = 20;
    std::vector<std::string> all;
    while (!text.empty() && all.size() < most) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        line.remove_prefix(line.starts_with(prefix) ? prefix.size() : 0);
        if (!line.empty()) {
            all.emplace_back(line.substr(0, 1000));
        }
    }
    return all;
}

core::Error whyEnded(core::ReadEnd end, const CommandLimits& limits) {
    switch (end) {
        case core::ReadEnd::Cancelled:
            return {.code = ErrorCode::Cancelled, .message = "cancelled", .where = {}};
        case core::ReadEnd::TooLong:
            return {.code = ErrorCode::Limit,
                    .message = fmt::format("the result is longer than {} bytes", maxDocumentBytes),
                    .where = {}};
        default:
            return {.code = ErrorCode::Limit,
                    .message =
                        fmt::format("not finished after {} s; raise max_seconds", limits.time.count() / 1000),
                    .where = {}};
    }
}

/// The descriptors of a command.
struct Streams {
    Pipe input;
    Pipe document;
    Pipe messages;
    Pipe progress;

    [[nodiscard]] static Result<Streams> make() {
        ET_ASSIGN(Pipe input, Pipe::make());
        ET_ASSIGN(Pipe document, Pipe::make());
        ET_ASSIGN(Pipe messages, Pipe::make());
        ET_ASSIGN(Pipe progress, Pipe::make());
        return Streams{.input = std::move(input),
                       .document = std::move(document),
                       .messages = std::move(messages),
                       .progress = std::move(progress)};
    }
};

Result<core::ChildProcess> startCommand(const CommandCall& call, Streams& streams) {
    core::ProcessStart start{
        .program = core::sameProgram().string(),
        .argv = {"et-inspect"},
        .redirections = {{.number = STDIN_FILENO, .from = streams.input.read.get()},
                         {.number = STDOUT_FILENO, .from = streams.document.write.get()},
                         {.number = STDERR_FILENO, .from = streams.messages.write.get()}}};
    start.argv.insert(start.argv.end(), call.arguments.begin(), call.arguments.end());
    if (call.hasProgress) {
        start.redirections.push_back({.number = progressDescriptor, .from = streams.progress.write.get()});
        const auto afterName = start.argv.begin() + 2;
        start.argv.insert(afterName,
                          {"--progress=json", fmt::format("--progress-fd={}", progressDescriptor)});
    }
    ET_ASSIGN(core::ChildProcess child, core::ChildProcess::spawn(start));
    streams.input.read.close();
    streams.document.write.close();
    streams.messages.write.close();
    streams.progress.write.close();
    return child;
}

}  // namespace

Result<CommandOutput> runCommand(const CommandCall& call, const CommandLimits& limits) {
    ET_ASSIGN(Streams streams, Streams::make());
    ET_ASSIGN(core::ChildProcess child, startCommand(call, streams));
    // The command may print before it has read its input.
    const std::jthread writer([&call, input = std::move(streams.input.write)]() mutable {
        std::ignore = core::writeAll(input.get(), std::as_bytes(std::span(call.input)));
        input.close();
    });
    CommandOutput output;
    std::string messages;
    std::string progress;
    std::size_t reported = 0;
    std::array<PipeReader, 3> readers{
        PipeReader{.from = streams.document.read, .into = output.document, .maxBytes = maxDocumentBytes},
        PipeReader{
            .from = streams.messages.read, .into = messages, .maxBytes = maxMessageBytes, .keepsEnd = true},
        PipeReader{.from = streams.progress.read, .into = progress, .maxBytes = maxDocumentBytes}};
    const core::ReadEnd end =
        core::readAll(readers, {.deadline = core::deadlineIn(limits.time),
                                .cancelled =
                                    [&] {
                                        reportProgress(progress, reported, limits.progress);
                                        return limits.cancelled && limits.cancelled();
                                    },
                                .interval = std::chrono::milliseconds(20)});
    if (end != core::ReadEnd::Closed) {
        ::kill(child.id(), SIGINT);
    }
    output.exitCode = child.end(patienceAtEnd).code;
    if (end != core::ReadEnd::Closed) {
        return std::unexpected(whyEnded(end, limits));
    }
    output.messages = messagesOf(messages);
    return output;
}

}  // namespace et::cli::mcp

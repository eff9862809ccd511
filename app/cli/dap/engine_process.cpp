#include "app/cli/dap/engine_process.h"

#include "runtime/core/own_programs.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

namespace et::cli::dap {
namespace {

using core::Pipe;
using core::Result;

/// Time for the process to remove its files and end.
constexpr std::chrono::seconds endPatience{5};
/// Longest answer; values are printed with at most 1000 elements.
constexpr std::size_t maxAnswerBytes = std::size_t{64} << 20;
/// Longer lines on stderr are split.
constexpr std::size_t maxMessageLine = 4096;

/// Removes and returns the first line, without its end.
std::optional<std::string> takeLine(std::string& bytes) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string::npos) {
        return std::nullopt;
    }
    std::string line = bytes.substr(0, end);
    bytes.erase(0, end + 1);
    return line;
}

}  // namespace

Result<std::unique_ptr<EngineProcess>> EngineProcess::start(const std::vector<std::string>& arguments,
                                                            Interrupter& interrupter, Output output) {
    ET_ASSIGN(Pipe commands, Pipe::make());
    ET_ASSIGN(Pipe answers, Pipe::make());
    ET_ASSIGN(Pipe messages, Pipe::make());
    core::ProcessStart start{.program = core::sameProgram().string(),
                             .argv = {"et-inspect", "debug", "--format=json"},
                             .redirections = {{.number = STDIN_FILENO, .from = commands.read.get()},
                                              {.number = STDOUT_FILENO, .from = answers.write.get()},
                                              {.number = STDERR_FILENO, .from = messages.write.get()}}};
    start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
    ET_ASSIGN(core::ChildProcess child, core::ChildProcess::spawn(start));
    Pipes pipes{.commands = std::move(commands.write),
                .answers = std::move(answers.read),
                .messages = std::move(messages.read)};
    return std::unique_ptr<EngineProcess>(
        new EngineProcess(std::move(child), std::move(pipes), interrupter, std::move(output)));
}

EngineProcess::~EngineProcess() {
    pipes.commands.close();
    process.end(endPatience);
}

bool EngineProcess::readSome(const core::Descriptor& from, std::string& into) {
    std::array<char, 1 << 16> buffer{};
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    into.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    return count > 0 || (count < 0 && errno == EINTR);
}

void EngineProcess::passMessages() {
    if (messageBytes.size() > maxMessageLine && !messageBytes.contains('\n')) {
        messageBytes += '\n';
    }
    while (auto line = takeLine(messageBytes)) {
        lastMessage = *line;
        output(*std::move(line) + "\n");
    }
}

/// The last message of the process, else how it ended.
core::Error EngineProcess::ended() {
    const core::ProcessEnd end = process.end(endPatience);
    while (pipes.messages && readSome(pipes.messages, messageBytes)) {
        passMessages();
    }
    constexpr std::string_view prefix = "et-inspect: ";
    std::string_view message = lastMessage;
    message.remove_prefix(message.starts_with(prefix) ? prefix.size() : 0);
    return {.code = core::ErrorCode::Io,
            .message = message.empty() ? core::endText(end) : std::string(message),
            .where = {}};
}

Result<std::string> EngineProcess::exchange(std::string_view line) {
    const Interrupter::Running running(interrupter, process.id());
    const std::string command = fmt::format("{}\n", line);
    if (core::writeAll(pipes.commands.get(), std::as_bytes(std::span(command))) != 0) {
        return std::unexpected(ended());
    }
    return readAnswer();
}

Result<std::string> EngineProcess::readAnswer() {
    while (true) {
        if (auto answer = takeLine(answerBytes)) {
            return *std::move(answer);
        }
        if (answerBytes.size() > maxAnswerBytes) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("the answer is longer than {} bytes", maxAnswerBytes));
        }
        std::array<pollfd, 2> ready{pollfd{.fd = pipes.answers.get(), .events = POLLIN, .revents = 0},
                                    pollfd{.fd = pipes.messages.get(), .events = POLLIN, .revents = 0}};
        if (::poll(ready.data(), ready.size(), -1) < 0) {
            continue;
        }
        if (ready[1].revents != 0) {
            if (!readSome(pipes.messages, messageBytes)) {
                pipes.messages.close();
            }
            passMessages();
        }
        if (ready[0].revents != 0 && !readSome(pipes.answers, answerBytes)) {
            return std::unexpected(ended());
        }
    }
}

}  // namespace et::cli::dap

#include "app/cli/dap/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace et::cli::dap {
namespace {

using core::Result;

constexpr std::int64_t onlyThread = 1;

/// A request that moves, and the command of the engine.
struct Move {
    std::string_view request;
    std::string_view command;
    bool byLine = false;
};
constexpr std::array moves{
    Move{.request = "continue", .command = "continue"},
    Move{.request = "next", .command = "next", .byLine = true},
    Move{.request = "stepIn", .command = "step", .byLine = true},
    Move{.request = "stepOut", .command = "finish"},
    Move{.request = "stepBack", .command = "reverse-next", .byLine = true},
    Move{.request = "reverseContinue", .command = "reverse-continue"},
};

Result<> withoutAnswer(const Result<JsonText>& answer) {
    return answer ? Result<>() : std::unexpected(answer.error());
}

std::string describe(const Stop& stop) {
    return stop.message.empty() ? stop.place() : fmt::format("{} ({})", stop.message, stop.place());
}

}  // namespace

bool Execution::isMove(std::string_view request) {
    return std::ranges::contains(moves, request, &Move::request);
}

void Execution::handleMove(const Request& request) {
    const auto* const move = std::ranges::find(moves, std::string_view(request.command), &Move::request);
    const auto& stop = debuggee.stop();
    outbox.respond(request, {{"allThreadsContinued", true}});
    const bool isForward = !move->command.starts_with("reverse-");
    if (isForward && stop && stop->reason == "end") {
        debuggee.end();
        return outbox.event("terminated");
    }
    if (!move->byLine || request.arguments["granularity"].text() == "instruction") {
        return execute(move->command);
    }
    report(isForward ? stepLine(move->command) : stepLineBack());
}

void Execution::handleCommand(const Request& request, std::string_view command) {
    outbox.respond(request);
    execute(command);
}

void Execution::execute(std::string_view command) {
    report(withoutAnswer(debuggee.ask(command)));
}

/// Whether the engine is at an instruction of `line`, or at one without a line, which belongs to the line
/// before.
bool Execution::isOnLine(const SourceLine& line) const {
    const auto& stop = debuggee.stop();
    return stop && (!stop->source || *stop->source == line);
}

/// Steps to the next instruction of another line.
Result<> Execution::stepLine(std::string_view command) {
    const auto line = debuggee.stop() ? debuggee.stop()->source : std::nullopt;
    while (true) {
        ET_TRY(withoutAnswer(debuggee.ask(command)));
        if (!debuggee.stop() || !debuggee.stop()->isStep() || !line || !isOnLine(*line) || isPaused()) {
            return {};
        }
    }
}

/// Steps back to the first instruction of the previous line.
Result<> Execution::stepLineBack() {
    ET_TRY(stepLine("reverse-next"));
    const auto target = debuggee.stop() ? debuggee.stop()->source : std::nullopt;
    if (!target || !debuggee.stop()->isStep()) {
        return {};
    }
    while (debuggee.stop()->isStep() && isOnLine(*target) && !isPaused()) {
        ET_TRY(withoutAnswer(debuggee.ask("reverse-next")));
    }
    // One instruction too far, unless a breakpoint or the start came first.
    while ((debuggee.stop()->isStep() || debuggee.stop()->reason == "start") &&
           debuggee.stop()->source != target && !isPaused()) {
        ET_TRY(withoutAnswer(debuggee.ask("next")));
    }
    return {};
}

void Execution::report(const Result<>& moved) {
    if (!moved) {
        outbox.output("stderr", moved.error().message + "\n");
        if (moved.error().code == core::ErrorCode::Io) {
            debuggee.end();
            return outbox.event("terminated");
        }
    }
    sendStopped();
}

std::string_view Execution::stopReason() const {
    const Stop& stop = *debuggee.stop();
    if (stop.reason == "breakpoint" || stop.reason == "watchpoint") {
        return breakpoints.reason(stop.breakpoint.value_or(stop.watchpoint.value_or(-1)));
    }
    if (stop.reason == "error" || stop.reason == "crash") {
        return "exception";
    }
    if (stop.reason == "start") {
        return "entry";
    }
    return stop.reason == "step" ? "step" : "pause";
}

void Execution::sendStopped() {
    Dict body{{"reason", "pause"}, {"threadId", onlyThread}, {"allThreadsStopped", true}};
    if (const auto& stop = debuggee.stop()) {
        body.front().second = std::string(stopReason());
        body.emplace_back("description", describe(*stop));
        if (!stop->message.empty()) {
            body.emplace_back("text", stop->message);
        }
        if (const auto id = stop->breakpoint ? stop->breakpoint : stop->watchpoint) {
            body.emplace_back("hitBreakpointIds", List{*id});
        }
    }
    outbox.event("stopped", std::move(body));
}

Result<Dict> Execution::stackTrace(const Request& request) {
    List frames;
    const auto& stop = debuggee.stop();
    const auto add = [&](std::string name, const std::optional<SourceLine>& at) {
        Dict frame{{"id", static_cast<std::int64_t>(frames.size())},
                   {"name", std::move(name)},
                   {"line", at ? at->line : 0},
                   {"column", std::int64_t{at ? 1 : 0}}};
        if (at) {
            frame.emplace_back("source", debuggee.sources().source(at->file));
        }
        frames.emplace_back(std::move(frame));
    };
    if (stop) {
        add(stop->place(), stop->source);
        for (const PythonFrame& each : stop->stack) {
            add(each.function.empty() ? "module" : each.function, each.source);
        }
    }
    const auto total = static_cast<std::int64_t>(frames.size());
    const std::int64_t first =
        std::clamp<std::int64_t>(request.arguments["startFrame"].integer().value_or(0), 0, total);
    const std::int64_t levels = request.arguments["levels"].integer().value_or(0);
    const std::int64_t last = levels > 0 && levels < total - first ? first + levels : total;
    return Dict{{"stackFrames", List(frames.begin() + first, frames.begin() + last)}, {"totalFrames", total}};
}

Result<Dict> Execution::gotoTargets(const Request& request) {
    SourceMap& sources = debuggee.sources();
    const std::int64_t line = request.arguments["line"].integer().value_or(0);
    List targets;
    for (const auto& [at, instructions] :
         sources.lines(sources.recordFile(request.arguments["source"]["path"].text()), line, line)) {
        for (const MappedInstruction& each : instructions) {
            targets.emplace_back(Dict{{"id", each.instruction},
                                      {"label", fmt::format("instruction {}: {}", each.instruction, each.op)},
                                      {"line", at}});
        }
    }
    return Dict{{"targets", std::move(targets)}};
}

Result<Dict> Execution::breakpointLocations(const Request& request) {
    SourceMap& sources = debuggee.sources();
    const std::int64_t first = request.arguments["line"].integer().value_or(0);
    const std::int64_t last = request.arguments["endLine"].integer().value_or(first);
    List locations;
    for (const auto& [line, instructions] :
         sources.lines(sources.recordFile(request.arguments["source"]["path"].text()), first, last)) {
        locations.emplace_back(Dict{{"line", line}});
    }
    return Dict{{"breakpoints", std::move(locations)}};
}

Result<Dict> Execution::exceptionInfo(const Request& /*request*/) {
    const auto& stop = debuggee.stop();
    if (!stop) {
        return core::fail(core::ErrorCode::InvalidArgument, "the program has not stopped yet");
    }
    return Dict{{"exceptionId", stop->reason}, {"description", describe(*stop)}, {"breakMode", "always"}};
}

}  // namespace et::cli::dap

#include "app/cli/dap/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace et::cli::dap {
namespace {

using core::ErrorCode;
using core::Result;

/// Features of the protocol that the session supports.
constexpr std::array features{
    "supportsConfigurationDoneRequest",
    "supportsFunctionBreakpoints",
    "supportsConditionalBreakpoints",
    "supportsHitConditionalBreakpoints",
    "supportsEvaluateForHovers",
    "supportsStepBack",
    "supportsSetVariable",
    "supportsSetExpression",
    "supportsRestartRequest",
    "supportsGotoTargetsRequest",
    "supportsDataBreakpoints",
    "supportsTerminateRequest",
    "supportsExceptionInfoRequest",
    "supportsExceptionFilterOptions",
    "supportsSteppingGranularity",
    "supportsBreakpointLocationsRequest",
    "supportsLoadedSourcesRequest",
    "supportsCompletionsRequest",
};

Dict capabilities() {
    Dict all;
    for (const char* const feature : features) {
        all.emplace_back(feature, true);
    }
    all.emplace_back("exceptionBreakpointFilters", Breakpoints::exceptionFilters());
    return all;
}

/// Arguments of `et-inspect debug` for a "launch" request.
Result<std::vector<std::string>> launchArguments(const JsonValue& launch) {
    std::vector<std::string> arguments;
    const std::string program = launch["program"].text();
    if (program.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "program: expected the path of a model, got none");
    }
    for (const JsonValue& input : launch["inputs"].items()) {
        arguments.push_back("--input=" + input.display());
    }
    for (const JsonValue& argument : launch["args"].items()) {
        arguments.push_back(argument.display());
    }
    arguments.insert(arguments.end(), {"--", program});
    if (std::string record = launch["record"].text(); !record.empty()) {
        arguments.push_back(std::move(record));
    }
    const bool hasZero =
        std::ranges::any_of(arguments, [](const std::string& each) { return each.contains('\0'); });
    if (hasZero) {
        return core::fail(ErrorCode::InvalidArgument, "launch: an argument contains a NUL character");
    }
    return arguments;
}

}  // namespace

Session::Session(EngineFactory factory, std::function<void(std::string_view)> send,
                 std::function<bool()> paused)
    : debuggee(std::move(factory)),
      outbox(std::move(send)),
      breakpoints(debuggee),
      execution(debuggee, breakpoints, outbox, std::move(paused)),
      variables(debuggee) {
}

Result<> Session::handle(std::string_view message) {
    ET_ASSIGN(const JsonText text, JsonText::parse(message));
    if (text["type"].text() != "request") {
        return {};
    }
    const Request request{.number = text["seq"].integer().value_or(0),
                          .command = text["command"].text(),
                          .arguments = text["arguments"]};
    if (handleFlow(request)) {
        return {};
    }
    const std::uint64_t stops = debuggee.stopCount();
    const std::uint64_t version = debuggee.version();
    auto body = answer(request);
    if (!body) {
        outbox.refuse(request, body.error().toString());
        return {};
    }
    outbox.respond(request, *std::move(body));
    if (request.command == "launch") {
        outbox.event("initialized");
    } else if (debuggee.stopCount() != stops) {
        execution.sendStopped();  // a command in the client's console moved the model
    } else if (debuggee.version() != version && request.command != "evaluate") {
        outbox.event("invalidated", {{"areas", List{"variables"}}});
    }
    return {};
}

bool Session::handleFlow(const Request& request) {
    const std::string_view command = request.command;
    if (command == "configurationDone") {
        execution.handleCommand(request, stopOnEntry ? "start" : "run");
    } else if (command == "restart") {
        execution.handleCommand(request, stopOnEntry ? "start --reset" : "run --reset");
    } else if (command == "goto") {
        execution.handleCommand(request,
                                fmt::format("jump {}", request.arguments["targetId"].integer().value_or(0)));
    } else if (command == "disconnect" || command == "terminate") {
        debuggee.end();
        outbox.respond(request);
        outbox.event("terminated");
        over = command == "disconnect";
    } else if (command == "pause") {
        outbox.respond(request);  // the reader of messages interrupted the engine
    } else if (Execution::isMove(command)) {
        execution.handleMove(request);
    } else {
        return false;
    }
    return true;
}

Result<Dict> Session::answer(const Request& request) {
    struct Handler {
        std::string_view command;
        Result<Dict> (*handle)(Session&, const Request&);
    };
    static constexpr std::array handlers{
        Handler{"initialize", [](Session&, const Request&) { return Result<Dict>(capabilities()); }},
        Handler{"launch", [](Session& s, const Request& r) { return s.launch(r); }},
        Handler{"setBreakpoints", [](Session& s, const Request& r) { return s.breakpoints.setLines(r); }},
        Handler{"setFunctionBreakpoints",
                [](Session& s, const Request& r) { return s.breakpoints.setOperators(r); }},
        Handler{"setExceptionBreakpoints",
                [](Session& s, const Request& r) { return s.breakpoints.setExceptions(r); }},
        Handler{"setDataBreakpoints", [](Session& s, const Request& r) { return s.breakpoints.setData(r); }},
        Handler{"dataBreakpointInfo",
                [](Session& s, const Request& r) { return s.variables.dataBreakpointInfo(r); }},
        Handler{"threads",
                [](Session&, const Request&) {
                    return Result<Dict>(
                        Dict{{"threads", List{Dict{{"id", std::int64_t{1}}, {"name", "model"}}}}});
                }},
        Handler{"stackTrace", [](Session& s, const Request& r) { return s.execution.stackTrace(r); }},
        Handler{"scopes", [](Session& s, const Request& r) { return s.variables.scopes(r); }},
        Handler{"variables", [](Session& s, const Request& r) { return s.variables.variables(r); }},
        Handler{"setVariable", [](Session& s, const Request& r) { return s.variables.setVariable(r); }},
        Handler{"setExpression", [](Session& s, const Request& r) { return s.variables.setExpression(r); }},
        Handler{"evaluate", [](Session& s, const Request& r) { return s.variables.evaluate(r); }},
        Handler{"exceptionInfo", [](Session& s, const Request& r) { return s.execution.exceptionInfo(r); }},
        Handler{"gotoTargets", [](Session& s, const Request& r) { return s.execution.gotoTargets(r); }},
        Handler{"breakpointLocations",
                [](Session& s, const Request& r) { return s.execution.breakpointLocations(r); }},
        Handler{"source", [](Session& s, const Request& r) { return s.source(r); }},
        Handler{"loadedSources", [](Session& s, const Request&) { return s.loadedSources(); }},
        Handler{"completions", [](Session& s, const Request& r) { return s.completions(r); }},
    };
    const auto* const found =
        std::ranges::find(handlers, std::string_view(request.command), &Handler::command);
    if (found == handlers.end()) {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("the request \"{:.60}\" is not supported", request.command));
    }
    return found->handle(*this, request);
}

Result<Dict> Session::launch(const Request& request) {
    ET_ASSIGN(const std::vector<std::string> arguments, launchArguments(request.arguments));
    if (const std::string folder = request.arguments["cwd"].text(); !folder.empty()) {
        std::error_code refused;
        std::filesystem::current_path(folder, refused);
        if (refused) {
            return core::fail(ErrorCode::Io, refused.message(),
                              {.file = folder, .field = "cwd", .offset = {}});
        }
    }
    ET_TRY(debuggee.launch(arguments));
    stopOnEntry = request.arguments["stopOnEntry"].boolean();
    return Dict{};
}

/// The known lines of the current file, for clients that cannot read it.
Result<Dict> Session::source(const Request& /*request*/) {
    ET_ASSIGN(const JsonText answer, debuggee.ask("info source"));
    std::string content;
    std::int64_t next = 1;
    constexpr std::int64_t maxLines = 1'000'000;
    for (const JsonValue& line : answer["info"]["text"].items()) {
        const std::int64_t number = std::min(line["line"].integer().value_or(0), maxLines);
        for (; next < number; ++next) {
            content += '\n';
        }
        content += line["text"].text();
    }
    return Dict{{"content", std::move(content)}, {"mimeType", "text/x-python"}};
}

Result<Dict> Session::loadedSources() {
    List all;
    for (const std::string& file : debuggee.sources().files()) {
        all.emplace_back(debuggee.sources().source(file));
    }
    return Dict{{"sources", std::move(all)}};
}

Result<Dict> Session::completions(const Request& request) {
    ET_ASSIGN(const JsonText answer, debuggee.ask("complete " + request.arguments["text"].text()));
    List all;
    for (const JsonValue& each : answer["info"]["completions"].items()) {
        all.emplace_back(Dict{{"label", each.text()}});
    }
    return Dict{{"targets", std::move(all)}};
}

}  // namespace et::cli::dap

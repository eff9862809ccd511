#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/debug_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

// Commands that move along the time line.
namespace et::tasks::debug_commands {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Splits arguments at blanks; quotation marks keep blanks.
Result<std::vector<std::string>> splitWords(std::string_view text) {
    std::vector<std::string> words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (text.empty()) {
            return words;
        }
        if (text.front() == '"' || text.front() == '\'') {
            const std::size_t end = text.find(text.front(), 1);
            if (end == std::string_view::npos) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("missing closing quotation mark: {}", core::printable(text)));
            }
            words.emplace_back(text.substr(1, end - 1));
            text.remove_prefix(end + 1);
            continue;
        }
        words.emplace_back(takeWord(text));
    }
}

/// Arguments of `run` and `start`.
struct BeginText {
    bool isReset = false;
    std::uint64_t times = 1;
    std::string method{};             ///< empty: as before
    std::vector<std::string> inputs;  ///< empty: as before
};

/// Parses "[--reset] [--times N] [METHOD:] [INPUT]...".
Result<BeginText> parseBegin(std::string_view command, std::string_view arguments) {
    BeginText text;
    ET_ASSIGN(text.inputs, splitWords(arguments));
    text.isReset = std::erase(text.inputs, "--reset") > 0;
    if (const auto at = std::ranges::find(text.inputs, "--times"); at != text.inputs.end()) {
        const auto number = std::next(at);
        ET_ASSIGN(text.times,
                  wholeArgument("--times", number == text.inputs.end() ? std::string_view() : *number));
        constexpr std::uint64_t most = 10'000;
        if (command == "start") {
            return fail(ErrorCode::InvalidArgument, "start: expected an input, got '--times'");
        }
        if (text.times == 0 || text.times > most) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--times: expected 1 to {}, got {}", most, text.times));
        }
        text.inputs.erase(at, std::next(number));
    }
    if (!text.inputs.empty() && text.inputs.front().ends_with(':') && text.inputs.front().front() != '=') {
        text.method = text.inputs.front().substr(0, text.inputs.front().size() - 1);
        text.inputs.erase(text.inputs.begin());
    }
    return text;
}

/// The number that "=EXPRESSION" or "=EXPRESSION:1x1" means at the point; other inputs unchanged.
Result<std::string> computedInput(CommandContext& context, const std::string& input) {
    if (!input.starts_with('=')) {
        return input;
    }
    ET_TRY(requireExecution(context));
    std::string_view text = std::string_view(input).substr(1);
    std::string_view sizes;
    // ":1x1"; ":0" belongs to "output:0".
    if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos &&
                                                   text.find('x', colon) != std::string_view::npos &&
                                                   sizesOf(text.substr(colon + 1))) {
        sizes = text.substr(colon);
        text = text.substr(0, colon);
    }
    ET_ASSIGN(const auto parsed, expression::Expression::parse(text));
    ET_ASSIGN(const expression::Operand operand,
              parsed.evaluate(DebugScope(context.debugger.values(), nullptr)));
    ET_ASSIGN(const auto array, expression::arrayOf(operand));
    if (array->numbers.size() != 1) {
        return fail(ErrorCode::InvalidArgument, fmt::format("input {}: expected one number, got {} elements",
                                                            core::printable(input), array->numbers.size()));
    }
    return fmt::format("{}{}", array->numbers.front(), sizes);
}

/// Begins an execution. Expressions in its inputs read the end of the previous one.
Result<Stop> begin(CommandContext& context, const BeginText& text) {
    Timeline& timeline = context.debugger.timeline();
    std::string method = context.method.empty() ? context.settings.options.method : context.method;
    if (!text.method.empty()) {
        method = text.method;
        context.inputs.clear();
    }
    ET_ASSIGN(const program::Method* const chosen, chooseMethod(context.debugger.index().program(), method));
    const std::vector<std::string> given = text.inputs.empty() ? context.inputs : text.inputs;
    std::vector<std::string> words;
    for (const std::string& each : given) {
        ET_ASSIGN(std::string word, computedInput(context, each));
        words.push_back(std::move(word));
    }
    ET_ASSIGN(InputSet inputs, debugInputs(timeline.model(), *chosen, context.settings, words));
    if (text.isReset) {
        ET_TRY(timeline.reset());
        context.isReset = true;
    }
    ET_ASSIGN(Stop stop, context.debugger.begin(chosen->name, std::move(inputs)));
    context.method = chosen->name;
    context.inputs = given;
    context.begun += fmt::format("{}start {}{}:", context.begun.empty() ? "" : "\n",
                                 text.isReset ? "--reset " : "", chosen->name);
    for (const std::string& each : words) {
        const char quote = each.contains('"') ? '\'' : '"';
        context.begun += fmt::format(" {}{}{}", quote, each, quote);
    }
    if (context.progress != nullptr) {
        context.progress->setBegun(context.begun);
    }
    return stop;
}

/// Begins the first execution if there is none.
Result<bool> beginFirst(CommandContext& context) {
    if (context.debugger.where()) {
        return false;
    }
    ET_TRY(begin(context, BeginText()));
    return true;
}

using Move = Result<Stop> (*)(Debugger& debugger);

/// Moves N times, until it stops for another reason.
Result<Dict> repeat(CommandContext& context, std::string_view command, std::string_view arguments,
                    Move move) {
    std::uint64_t times = 1;
    if (!arguments.empty()) {
        ET_ASSIGN(times, wholeArgument(command, arguments));
    }
    ET_ASSIGN(const bool hasBegun, beginFirst(context));
    std::optional<Stop> stop = context.debugger.where();
    // The first step of a session goes to the first instruction.
    for (std::uint64_t i = hasBegun && command != "continue" ? 1 : 0; i < times; ++i) {
        ET_ASSIGN(stop, move(context.debugger));
        const bool isStep = stop->reason == StopReason::Step;
        const bool isBreak = stop->reason == StopReason::Breakpoint || stop->reason == StopReason::Watchpoint;
        if (!isStep && !(isBreak && command == "continue")) {
            break;
        }
    }
    return stopInfo(context.debugger, *stop);
}

Result<> noArguments(std::string_view command, std::string_view arguments) {
    return arguments.empty()
               ? Result<>()
               : fail(ErrorCode::InvalidArgument,
                      fmt::format("{} takes no arguments, got '{}'", command, core::printable(arguments)));
}

Result<Dict> back(CommandContext& context, std::string_view command, std::string_view arguments, Move move) {
    ET_TRY(requireExecution(context));
    return repeat(context, command, arguments, move);
}

}  // namespace

Result<Dict> run(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(BeginText text, parseBegin("run", arguments));
    for (std::uint64_t i = 1;; ++i) {
        ET_TRY(begin(context, text));
        ET_ASSIGN(const Stop stop, context.debugger.resume(true));
        if (stop.reason != StopReason::End || i == text.times) {
            return stopInfo(context.debugger, stop);
        }
        text.isReset = false;
    }
}

Result<Dict> start(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(const BeginText text, parseBegin("start", arguments));
    ET_ASSIGN(const Stop stop, begin(context, text));
    return stopInfo(context.debugger, stop);
}

Result<Dict> resume(CommandContext& context, std::string_view arguments) {
    if (!context.debugger.where() && arguments.empty()) {
        return run(context, {});
    }
    return repeat(context, "continue", arguments, [](Debugger& debugger) { return debugger.resume(); });
}

Result<Dict> step(CommandContext& context, std::string_view arguments) {
    return repeat(context, "step", arguments, [](Debugger& debugger) { return debugger.step(); });
}

Result<Dict> next(CommandContext& context, std::string_view arguments) {
    return repeat(context, "next", arguments, [](Debugger& debugger) { return debugger.next(); });
}

Result<Dict> finish(CommandContext& context, std::string_view arguments) {
    ET_TRY(noArguments("finish", arguments));
    return back(context, "finish", {}, [](Debugger& debugger) { return debugger.finish(); });
}

Result<Dict> until(CommandContext& context, std::string_view arguments) {
    ET_TRY(beginFirst(context));
    ET_ASSIGN(const Location location,
              findLocation(context.debugger.index(), context.debugger.where()->method, arguments));
    ET_ASSIGN(const Stop stop, context.debugger.until(location));
    return stopInfo(context.debugger, stop);
}

/// "[EXECUTION:]STEP[.NODE]".
Result<Dict> jump(CommandContext& context, std::string_view arguments) {
    ET_TRY(beginFirst(context));
    TimelinePoint to = context.debugger.timeline().point();
    std::string_view rest = arguments;
    if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
        ET_ASSIGN(to.execution, wholeArgument("jump", rest.substr(0, colon)));
        rest.remove_prefix(colon + 1);
    }
    const std::size_t dot = rest.find('.');
    ET_ASSIGN(to.step, wholeArgument("jump", rest.substr(0, dot)));
    to.node.reset();
    if (dot != std::string_view::npos) {
        ET_ASSIGN(to.node, wholeArgument("jump", rest.substr(dot + 1)));
    }
    if (to.execution >= context.debugger.timeline().executionCount()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("no execution {}: {} began", to.execution,
                                                            context.debugger.timeline().executionCount()));
    }
    ET_ASSIGN(const Stop stop, context.debugger.jump(to));
    return stopInfo(context.debugger, stop);
}

Result<Dict> reverseStep(CommandContext& context, std::string_view arguments) {
    return back(context, "reverse-step", arguments,
                [](Debugger& debugger) { return debugger.reverseStep(); });
}

Result<Dict> reverseNext(CommandContext& context, std::string_view arguments) {
    return back(context, "reverse-next", arguments,
                [](Debugger& debugger) { return debugger.reverseNext(); });
}

Result<Dict> reverseFinish(CommandContext& context, std::string_view arguments) {
    ET_TRY(noArguments("reverse-finish", arguments));
    return back(context, "reverse-finish", {}, [](Debugger& debugger) { return debugger.reverseFinish(); });
}

Result<Dict> reverseResume(CommandContext& context, std::string_view arguments) {
    ET_TRY(noArguments("reverse-continue", arguments));
    return back(context, "reverse-continue", {}, [](Debugger& debugger) { return debugger.reverseResume(); });
}

Result<Dict> where(CommandContext& context, std::string_view arguments) {
    ET_TRY(noArguments("where", arguments));
    ET_TRY(requireExecution(context));
    return stopInfo(context.debugger, *context.debugger.where());
}

}  // namespace et::tasks::debug_commands

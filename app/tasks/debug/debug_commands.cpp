#include "app/tasks/debug/debug_commands.h"

#include "app/tasks/base/suggestion.h"
#include "app/tasks/debug/command_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace handlers = debug_commands;
using enum CommandEffect;

/// The process that owns the session handles these.
Result<Dict> swapPlugin(CommandContext&, std::string_view arguments) {
    if (arguments.empty()) {
        return fail(ErrorCode::InvalidArgument, "swap: expected the path of a plugin");
    }
    return makeInfo("swap", {{"plugin", std::string(arguments)}});
}

Result<Dict> quit(CommandContext&, std::string_view) {
    return makeInfo("quit", {});
}

Result<Dict> help(CommandContext& context, std::string_view arguments);

constexpr std::array commandTable{
    DebugCommand{"break", "b", "break [LOCATION] [if CONDITION] [ignore N]",
                 "Stop before instructions: 17, METHOD:17, 17.2 (inside a delegate), an operator or pattern, "
                 "file.py:LINE, module:NAME, handle:N, delegate:N, method:NAME",
                 "break aten.mul.out if max(abs(out)) > 1e4", Definition, &handlers::addBreakpoint},
    DebugCommand{"tbreak", "tb", "tbreak [LOCATION] [if CONDITION]", "As break, for one stop",
                 "tbreak model.py:88", Definition, &handlers::addTemporary},
    DebugCommand{
        "watch", "", "watch SUBJECT [if CONDITION] [ignore N]",
        "Stop after the instruction that makes it true: nan, inf, denormal or zero [VALUE]; saturated "
        "[SHARE] [VALUE]; snr < DB [VALUE]; own_error; shape [VALUE]; VALUE [not] in LOW..HIGH; arena "
        "ID:BEGIN-END [read|write]; overwritten; or that changes VALUE or EXPRESSION",
        "watch nan", Definition, &handlers::addWatchpoint},
    DebugCommand{"condition", "", "condition N [CONDITION]", "Set or remove a condition",
                 "condition 1 execution > 0", Definition, &handlers::setCondition},
    DebugCommand{"ignore", "", "ignore N COUNT", "Skip the next hits", "ignore 1 10", Definition,
                 &handlers::setIgnore},
    DebugCommand{"enable", "en", "enable [N]...", "Enable breakpoints and watchpoints", "enable 1",
                 Definition, &handlers::enable},
    DebugCommand{"disable", "dis", "disable [N]...", "Disable breakpoints and watchpoints", "disable 1 2",
                 Definition, &handlers::disable},
    DebugCommand{"delete", "d", "delete [N]...", "Delete breakpoints and watchpoints", "delete 1", Definition,
                 &handlers::removeStops},
    DebugCommand{"run", "r", "run [--reset] [--times N] [METHOD:] [INPUT]...",
                 "Begin the next execution and run to the first stop; INPUT as --input, or =EXPRESSION of "
                 "values at the end of the previous one. Mutable buffers keep their values, unless --reset "
                 "loads the method again. --times: N executions, until one stops before its end",
                 "run --times 10 =argmax(output:0) =execution+1", None, &handlers::run},
    DebugCommand{"start", "", "start [--reset] [METHOD:] [INPUT]...", "As run, and stop before instruction 0",
                 "start ones", None, &handlers::start},
    DebugCommand{"continue", "c", "continue [N]", "Run to the next stop, N times", "continue", None,
                 &handlers::resume},
    DebugCommand{"step", "s", "step [N]", "Run one instruction; inside a delegate, one operator", "step 5",
                 None, &handlers::step},
    DebugCommand{"next", "n", "next [N]", "Run one instruction; a delegate call as a whole", "next", None,
                 &handlers::next},
    DebugCommand{"finish", "fin", "finish", "Leave the delegate, or run to the end of the execution",
                 "finish", None, &handlers::finish},
    DebugCommand{"until", "u", "until LOCATION", "Run to a location", "until *softmax*", None,
                 &handlers::until},
    DebugCommand{"jump", "j", "jump [EXECUTION:]STEP[.NODE]", "Go to any instruction, forwards or backwards",
                 "jump 0:17", None, &handlers::jump},
    DebugCommand{"reverse-step", "rs", "reverse-step [N]", "Go back one instruction or operator", "rs", None,
                 &handlers::reverseStep},
    DebugCommand{"reverse-next", "rn", "reverse-next [N]", "Go back one instruction", "rn 3", None,
                 &handlers::reverseNext},
    DebugCommand{"reverse-finish", "rf", "reverse-finish",
                 "Go back to the delegate call, or to the start of the execution", "rf", None,
                 &handlers::reverseFinish},
    DebugCommand{"reverse-continue", "rc", "reverse-continue", "Go back to the previous stop", "rc", None,
                 &handlers::reverseResume},
    DebugCommand{"where", "w", "where", "Repeat the last stop", "where", None, &handlers::where},
    DebugCommand{
        "print", "p", "print [/a] [/h] [/r] [/p] VALUE[SLICE]|EXPRESSION",
        "Show a value with statistics; /a: all elements, up to 1048576 instead of 1000, /h: histogram, "
        "/r: difference from the reference, /p: from the previous execution",
        "print /r out[0, :5]", None, &handlers::print},
    DebugCommand{"info", "i", "info TOPIC",
                 "Show breakpoints, values, arena [ID], executions, writers VALUE, branches, source, "
                 "instructions, delegate [N] or methods",
                 "info writers out", None, &handlers::info},
    DebugCommand{"list", "l", "list [N]", "Show the instructions around this one", "list", None,
                 &handlers::list},
    DebugCommand{"set", "", "set VALUE[SLICE] = NUMBER|FILE|reference|EXPRESSION",
                 "Change a value, in a new branch of the time line", "set out = reference", Edit,
                 &handlers::setValue},
    DebugCommand{"skip", "", "skip", "Go past the next instruction without running it", "skip", Edit,
                 &handlers::skip},
    DebugCommand{"force", "", "force", "Give the next instruction the results of the reference", "force",
                 Edit, &handlers::force},
    DebugCommand{"swap", "", "swap PLUGIN",
                 "Load a plugin, whose kernels replace others, and run again to here", "swap ./libmine.so",
                 None, &swapPlugin},
    DebugCommand{"branch", "", "branch [N]", "List the branches, or go to one", "branch 0", Edit,
                 &handlers::branch},
    DebugCommand{"diff", "", "diff BRANCH", "Compare all values at this point with another branch", "diff 0",
                 None, &handlers::diff},
    DebugCommand{"save", "", "save FILE", "Save the recording, to be opened with --recording",
                 "save run.etdbg", None, &handlers::save},
    DebugCommand{"help", "h", "help [COMMAND|expressions|values]", "Explain a command", "help watch", None,
                 &help},
    DebugCommand{"quit", "q", "quit", "End the session", "quit", None, &quit},
};

/// Names in gdb of commands that are named otherwise here.
struct OtherName {
    std::string_view given;
    std::string_view name;
};
constexpr std::array otherNames{
    OtherName{"bt", "where"},        OtherName{"backtrace", "where"}, OtherName{"frame", "where"},
    OtherName{"f", "where"},         OtherName{"exit", "quit"},       OtherName{"inspect", "print"},
    OtherName{"advance", "until"},   OtherName{"stepi", "step"},      OtherName{"si", "step"},
    OtherName{"nexti", "next"},      OtherName{"ni", "next"},         OtherName{"goto", "jump"},
    OtherName{"disassemble", "list"}};

constexpr std::string_view valueHelp =
    "out, out1      results of the instruction that ran last\n"
    "in, in0        inputs of the instruction at which it stopped\n"
    "weight         an argument of that instruction, named as in its schema\n"
    "aten_mul       a node of the Edge graph (with the ETRecord)\n"
    "linear.weight  a constant\n"
    "input:0        an input of the method; output:0: an output\n"
    "%12            the value with id 12\n"
    "Slices are as in NumPy, without steps: out[0, 1:3]\n";

std::string expressionHelp() {
    std::string text =
        "Numbers (1e4, 20ms, 4KiB), texts (\"aten.*\": == accepts * and ?), values ('help values'), op, "
        "module,\n"
        "method, instruction, execution, step, node, hits, + - * /, < <= > >= == !=, and, or, not, and:\n";
    for (const expression::FunctionInfo& each : expression::functions()) {
        text += fmt::format("  {:<13} {}\n",
                            fmt::format("{}({})", each.name,
                                        each.least == 0   ? "[x]"
                                        : each.least == 2 ? "x, y"
                                                          : "x"),
                            each.meaning);
    }
    return text;
}

std::string commandHelp(const DebugCommand& command) {
    return fmt::format("{}\n{}{}.\nExample: {}\n", command.form, command.meaning,
                       command.abbreviation.empty() ? "" : fmt::format(" (short: {})", command.abbreviation),
                       command.example);
}

Result<Dict> help(CommandContext&, std::string_view arguments) {
    std::string text;
    if (arguments == "expressions") {
        text = expressionHelp();
    } else if (arguments == "values") {
        text = valueHelp;
    } else if (!arguments.empty()) {
        ET_ASSIGN(const DebugCommand* const command, findCommand(arguments));
        text = commandHelp(*command);
    } else {
        for (const DebugCommand& each : debugCommands()) {
            text += fmt::format("{:<16} {}\n", each.name,
                                each.meaning.substr(0, each.meaning.find_first_of(":;.")));
        }
        text +=
            "'help COMMAND' shows its arguments, 'help expressions' and 'help values' what conditions "
            "read.\n";
    }
    return makeInfo("help", {{"text", std::move(text)}});
}

void addMatching(std::vector<std::string>& found, std::string_view beginning, std::string_view word) {
    if (word.starts_with(beginning) && !std::ranges::contains(found, word)) {
        found.emplace_back(word);
    }
}

/// Words that may follow a command.
std::vector<std::string> wordsAfter(CommandContext& context, std::string_view command) {
    std::vector<std::string> words;
    if (command == "info") {
        words.assign(handlers::infoTopics().begin(), handlers::infoTopics().end());
    } else if (command == "help") {
        for (const DebugCommand& each : debugCommands()) {
            words.emplace_back(each.name);
        }
    } else if (command == "break" || command == "tbreak" || command == "until") {
        const auto method = currentMethod(context);
        for (const InstructionSite& site : method ? (*method)->sites() : std::vector<InstructionSite>()) {
            words.push_back(site.op);
            for (const DelegateOperator& each : site.inside) {
                words.push_back(each.kind);
            }
            if (site.origin.module) {
                words.push_back("module:" + *site.origin.module);
            }
            if (site.origin.source) {
                words.push_back(fmt::format("{}:{}", site.origin.source->file, site.origin.source->line));
            }
        }
    } else {
        words = context.debugger.values().names();
        for (const expression::FunctionInfo& each : expression::functions()) {
            words.emplace_back(each.name);
        }
        for (const std::string_view each : {"own_error", "overwritten", "arena", "shape", "reference"}) {
            words.emplace_back(each);
        }
    }
    return words;
}

}  // namespace

std::span<const DebugCommand> debugCommands() {
    return commandTable;
}

Result<std::uint64_t> wholeArgument(std::string_view command, std::string_view text) {
    const auto number = parseNumber<std::uint64_t>(text);
    return number ? Result<std::uint64_t>(*number)
                  : fail(ErrorCode::InvalidArgument,
                         fmt::format("{}: expected a number, got '{}'", command, core::printable(text)));
}

Result<> requireExecution(const CommandContext& context) {
    return context.debugger.where()
               ? Result<>()
               : fail(ErrorCode::InvalidArgument, "nothing has run yet: use 'run' or 'start'");
}

Result<const MethodIndex*> currentMethod(const CommandContext& context) {
    const ProgramIndex& index = context.debugger.index();
    return context.debugger.where() ? index.method(context.debugger.where()->method)
                                    : index.method(context.settings.options.method);
}

Result<const DebugCommand*> findCommand(std::string_view given) {
    const auto* const other = std::ranges::find(otherNames, given, &OtherName::given);
    const std::string_view word = other == otherNames.end() ? given : other->name;
    std::vector<const DebugCommand*> found;
    for (const DebugCommand& each : commandTable) {
        if (each.name == word || (!each.abbreviation.empty() && each.abbreviation == word)) {
            return &each;
        }
        if (!word.empty() && each.name.starts_with(word)) {
            found.push_back(&each);
        }
    }
    if (found.size() == 1) {
        return found.front();
    }
    std::vector<std::string> names;
    for (const DebugCommand& each : commandTable) {
        if (found.empty() || std::ranges::contains(found, &each)) {
            names.emplace_back(each.name);
        }
    }
    return fail(ErrorCode::InvalidArgument,
                found.empty()
                    ? fmt::format("no command '{}'{}", core::printable(word), didYouMean(word, names))
                    : fmt::format("'{}' is ambiguous: {}", core::printable(word), fmt::join(names, ", ")));
}

std::optional<DebugAnswer> runLine(CommandContext& context, std::string_view line) {
    constexpr std::size_t maxLine = 65536;
    std::string_view rest = withoutBlanks(line);
    if (rest.empty() || rest.front() == '#') {
        return std::nullopt;
    }
    DebugAnswer answer{.content = Dict()};
    if (rest.size() > maxLine) {
        answer.content = fail(ErrorCode::Limit, fmt::format("a command has at most {} characters", maxLine));
        return answer;
    }
    const auto command = findCommand(takeWord(rest));
    if (!command) {
        answer.content = std::unexpected(command.error());
        return answer;
    }
    context.begun.clear();
    context.isReset = false;
    context.saved = {};
    context.definition.clear();
    answer.content = (*command)->run(context, rest);
    if (!answer.content && answer.content.error().code == ErrorCode::Cancelled) {
        answer.content = fail(ErrorCode::Cancelled, "interrupted");
    }
    answer.quits = (*command)->run == &quit;
    answer.isEdit = answer.content.has_value() && (*command)->effect == Edit;
    if (answer.content && (*command)->effect == Definition) {
        answer.definition = context.definition.empty() ? std::string(line) : context.definition;
    }
    answer.begun = context.begun;
    answer.isReset = context.isReset;
    answer.saved = std::move(context.saved);
    if ((*command)->run == &swapPlugin && answer.content) {
        answer.plugin = rest;
    }
    return answer;
}

std::vector<std::string> completionsOf(CommandContext& context, std::string_view line) {
    std::vector<std::string> found;
    std::string_view rest = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t blank = rest.find_first_of(" \t");
    if (blank == std::string_view::npos) {
        for (const DebugCommand& each : commandTable) {
            addMatching(found, rest, each.name);
        }
        return found;
    }
    const auto command = findCommand(rest.substr(0, blank));
    const std::string_view last = rest.substr(rest.find_last_of(" \t(") + 1);
    if (command) {
        for (const std::string& each : wordsAfter(context, (*command)->name)) {
            addMatching(found, last, each);
        }
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace et::tasks

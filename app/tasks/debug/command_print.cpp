#include "app/tasks/base/suggestion.h"
#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/recording_file.h"
#include "inspector/source/source_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

// Commands that show values and the program.
namespace et::tasks::debug_commands {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// "[/ahrp] VALUE[SLICE]", parsed.
struct PrintText {
    ValueRequest request{};
    std::string_view name;        ///< without the slice
    std::string_view expression;  ///< with the slice
};

Result<PrintText> splitPrint(std::string_view text) {
    PrintText print;
    while (text.starts_with('/')) {
        const std::string_view letters = takeWord(text).substr(1);
        print.request.withHistogram |= letters.contains('h');
        print.request.withReference |= letters.contains('r');
        print.request.withPrevious |= letters.contains('p');
        if (letters.contains('a')) {
            print.request.mostElements = ValueRequest::allElements;
        }
        if (letters.empty() || letters.find_first_not_of("ahrp") != std::string_view::npos) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("print: expected /a, /h, /r or /p, got '/{}'", core::printable(letters)));
        }
    }
    print.name = text;
    print.expression = text;
    if (text.ends_with(']')) {
        const std::size_t at = text.find('[');
        const auto slice = expression::parseSlice(text.substr(std::min(at, text.size())));
        if (slice) {
            print.request.slice = *slice;
            print.request.sliceText = text.substr(at);
            print.name = text.substr(0, at);
        }
    }
    return print;
}

Result<Dict> printExpression(CommandContext& context, std::string_view text) {
    ET_ASSIGN(const auto parsed, expression::Expression::parse(text));
    ET_ASSIGN(const expression::Operand value,
              parsed.evaluate(DebugScope(context.debugger.values(), nullptr)));
    Dict shown{{"name", std::string(text)}, {"id", Cell()}};
    if (const auto* const number = std::get_if<double>(&value)) {
        shown.emplace_back("kind", std::string("number"));
        shown.emplace_back("value", numberCell(*number));
    } else if (const auto* const truth = std::get_if<bool>(&value)) {
        shown.emplace_back("kind", std::string("bool"));
        shown.emplace_back("value", *truth);
    } else if (const auto* const words = std::get_if<std::string>(&value)) {
        shown.emplace_back("kind", std::string("text"));
        shown.emplace_back("value", *words);
    } else {
        constexpr std::size_t most = 1000;
        const auto& array = *std::get<std::shared_ptr<const expression::Array>>(value);
        List data;
        for (std::size_t i = 0; i < std::min(most, array.numbers.size()); ++i) {
            data.push_back(numberCell(array.numbers[i]));
        }
        shown.emplace_back("kind", std::string("tensor"));
        shown.emplace_back("dtype", core::scalarTypeName(array.dtype));
        shown.emplace_back("sizes", array.sizes);
        shown.emplace_back("shown", wholeCell(data.size()));
        shown.emplace_back("data", std::move(data));
    }
    return Dict{{"value", std::move(shown)}};
}

Result<Dict> infoValues(CommandContext& context) {
    List values;
    for (const DebugValue& each : context.debugger.timeline().values()) {
        ET_ASSIGN(const NamedValue value, context.debugger.values().named(each));
        if (value.value == nullptr || value.value->as<core::Tensor>() == nullptr) {
            continue;
        }
        ET_ASSIGN(Dict shown, valueInfo(context.debugger, value, {.withData = false}));
        values.emplace_back(std::move(shown));
    }
    return makeInfo("values", {{"values", std::move(values)}});
}

Result<Dict> infoArena(CommandContext& context, std::string_view number) {
    ET_ASSIGN(const MethodIndex* const method, context.debugger.values().method());
    std::optional<std::uint64_t> only;
    if (!number.empty()) {
        ET_ASSIGN(only, wholeArgument("info arena", number));
    }
    List arenas;
    for (std::size_t id = 1; id < method->method().arenas.size(); ++id) {
        if (only && *only != id) {
            continue;
        }
        std::vector<DebugValue> planned = context.debugger.timeline().values();
        std::erase_if(planned,
                      [&](const DebugValue& each) { return !each.memory || each.memory->arena != id; });
        std::ranges::stable_sort(planned, {}, [](const DebugValue& each) { return each.memory->begin; });
        List values;
        for (const DebugValue& each : planned) {
            ET_ASSIGN(const NamedValue value, context.debugger.values().named(each));
            values.emplace_back(Dict{{"name", value.name},
                                     {"id", wholeCell(each.id.value)},
                                     {"begin", wholeCell(each.memory->begin)},
                                     {"end", wholeCell(each.memory->end)}});
        }
        arenas.emplace_back(Dict{{"id", wholeCell(id)},
                                 {"bytes", wholeCell(method->method().arenas[id].bytes)},
                                 {"values", std::move(values)}});
    }
    if (only && arenas.empty()) {
        return fail(ErrorCode::NotFound, fmt::format("no arena {}", *only));
    }
    return makeInfo("arena", {{"arenas", std::move(arenas)}});
}

Result<Dict> infoExecutions(CommandContext& context) {
    const Timeline& timeline = context.debugger.timeline();
    List executions;
    for (std::size_t i = 0; i < timeline.executionCount(); ++i) {
        const ExecutionInfo each = timeline.execution(i);
        executions.emplace_back(Dict{{"execution", wholeCell(i)},
                                     {"method", each.method},
                                     {"inputs", fmt::format("{}", fmt::join(each.inputSources, ", "))},
                                     {"steps", each.steps ? wholeCell(*each.steps) : Cell()},
                                     {"complete", each.steps.has_value()},
                                     {"error", each.failure ? Cell(each.failure->toString()) : Cell()},
                                     {"edits", wholeCell(each.edits)}});
    }
    const TimelineUsage usage = timeline.usage();
    Dict recording{{"bytes", wholeCell(usage.snapshotBytes)},
                   {"budget", wholeCell(context.settings.budgetBytes)},
                   {"snapshots", wholeCell(usage.snapshots)},
                   {"removed", wholeCell(usage.removedSnapshots)}};
    return makeInfo("executions",
                    {{"executions", std::move(executions)}, {"recording", std::move(recording)}});
}

Result<Cell> accessInfo(CommandContext& context, const std::optional<AccessAt>& access) {
    if (!access) {
        return Cell();
    }
    ET_ASSIGN(const MethodIndex* const method, context.debugger.values().method());
    // Instructions repeat only in loops; elsewhere the step is the instruction.
    const InstructionSite* const site = method->find(0, static_cast<std::int32_t>(access->point.step));
    return Cell(Dict{{"execution", wholeCell(access->point.execution)},
                     {"step", wholeCell(access->point.step)},
                     {"operator", site != nullptr && !access->isInput ? Cell(site->op) : Cell()}});
}

Result<Dict> infoWriters(CommandContext& context, std::string_view name) {
    ET_ASSIGN(const NamedValue value, context.debugger.values().find(name));
    if (!value.id) {
        return fail(ErrorCode::Unsupported, "values inside delegates have no history");
    }
    ET_ASSIGN(const auto write, context.debugger.history().lastWrite(*value.id));
    ET_ASSIGN(const auto read, context.debugger.history().nextRead(*value.id));
    ET_ASSIGN(Cell last, accessInfo(context, write));
    ET_ASSIGN(Cell next, accessInfo(context, read));
    return makeInfo("writers", {{"value", std::string(name)},
                                {"id", wholeCell(value.id->value)},
                                {"last_write", std::move(last)},
                                {"next_read", std::move(next)}});
}

Result<Dict> infoSource(CommandContext& context) {
    const auto& last = context.debugger.where();
    const OperatorOrigin* const origin = !last                   ? nullptr
                                         : last->inner           ? &last->inner->origin
                                         : last->site != nullptr ? &last->site->origin
                                                                 : nullptr;
    if (origin == nullptr || !origin->source) {
        return fail(ErrorCode::NotFound, "this instruction has no line of Python");
    }
    constexpr std::int64_t neighbours = 5;
    const SourceAt at = *origin->source;
    List lines;
    const auto file = inspector::findSource(at.file, {}, {});
    const auto text = file ? inspector::readSource(*file) : Result<std::string>(std::string());
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    for (std::int64_t number = 1; !rest.empty() && number <= at.line + neighbours; ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (number >= at.line - neighbours) {
            lines.emplace_back(Dict{{"line", number},
                                    {"text", std::string(rest.substr(0, end))},
                                    {"current", number == at.line}});
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (lines.empty() && !origin->stack.empty()) {  // the record has the line, even if the file is missing
        lines.emplace_back(Dict{{"line", at.line}, {"text", origin->stack.front().code}, {"current", true}});
    }
    return makeInfo("source", {{"file", at.file}, {"line", at.line}, {"text", std::move(lines)}});
}

Result<const MethodIndex*> shownMethod(CommandContext& context, std::string_view name) {
    return name.empty() ? currentMethod(context) : context.debugger.index().method(name);
}

Result<Dict> infoInstructions(CommandContext& context, std::string_view name) {
    ET_ASSIGN(const MethodIndex* const method, shownMethod(context, name));
    List instructions;
    for (const InstructionSite& each : method->sites()) {
        instructions.emplace_back(instructionInfo(context.debugger, *method, each));
    }
    return makeInfo("instructions", {{"method", std::string(method->method().name)},
                                     {"instructions", std::move(instructions)}});
}

/// Effects of reading the values inside a delegate if its call comes next; null if it does not, or if the
/// values cannot be read.
Result<Cell> tapEffects(CommandContext& context, std::uint64_t delegate) {
    Timeline& timeline = context.debugger.timeline();
    if (!context.debugger.where() || timeline.place().delegate != delegate) {
        return Cell();
    }
    ET_ASSIGN(const DelegateView* const view, timeline.delegate());
    if (view == nullptr) {
        return Cell();
    }
    List operators;
    for (const std::string& each : view->report.changedOperators) {
        operators.emplace_back(each);
    }
    List outputs;
    for (const core::TapOutputChange& each : view->report.changedOutputs) {
        outputs.emplace_back(Dict{{"argument", wholeCell(each.argument)},
                                  {"elements", wholeCell(each.elements)},
                                  {"of", wholeCell(each.of)}});
    }
    return Cell(Dict{{"operators", wholeCell(view->report.operators)},
                     {"operators_with_taps", wholeCell(view->report.operatorsWithTaps)},
                     {"changed_operators", std::move(operators)},
                     {"changed_outputs", std::move(outputs)}});
}

Result<Dict> infoDelegate(CommandContext& context, std::string_view number) {
    ET_ASSIGN(const MethodIndex* const method, shownMethod(context, {}));
    std::uint64_t wanted = 0;
    if (!number.empty()) {
        ET_ASSIGN(wanted, wholeArgument("info delegate", number));
    }
    for (const InstructionSite& site : method->sites()) {
        if (site.delegate != wanted) {
            continue;
        }
        List nodes;
        for (std::size_t i = 0; i < site.inside.size(); ++i) {
            nodes.emplace_back(Dict{{"node", wholeCell(i)},
                                    {"operator", site.inside[i].kind},
                                    {"debug_handles", handleList(site.inside[i].origin.handles)}});
        }
        ET_ASSIGN(Cell taps, tapEffects(context, wanted));
        return makeInfo("delegate", {{"delegate", wholeCell(wanted)},
                                     {"instruction", wholeCell(site.instruction)},
                                     {"backend", site.op},
                                     {"nodes", std::move(nodes)},
                                     {"taps", std::move(taps)}});
    }
    return fail(ErrorCode::NotFound, fmt::format("no delegate {}", wanted));
}

List describedValues(const program::Method& method, const std::vector<program::ValueId>& values) {
    List texts;
    for (const program::ValueId each : values) {
        texts.emplace_back(describe(method.value(each)));
    }
    return texts;
}

Result<Dict> infoMethods(CommandContext& context) {
    List methods;
    for (const program::Method& each : context.debugger.index().program().methods) {
        std::size_t instructions = 0;
        for (const program::Chain& chain : each.chains) {
            instructions += chain.instructions.size();
        }
        methods.emplace_back(Dict{{"name", std::string(each.name)},
                                  {"instructions", wholeCell(instructions)},
                                  {"inputs", describedValues(each, each.inputs)},
                                  {"outputs", describedValues(each, each.outputs)}});
    }
    return makeInfo("methods", {{"methods", std::move(methods)}});
}

constexpr std::array<std::string_view, 11> topics{"arena",      "branches",     "breakpoints", "delegate",
                                                  "executions", "instructions", "methods",     "source",
                                                  "values",     "watchpoints",  "writers"};

}  // namespace

std::span<const std::string_view> infoTopics() {
    return topics;
}

Result<Dict> print(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(const PrintText text, splitPrint(arguments));
    if (text.name.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "print: expected a value or an expression, as in 'print out'");
    }
    const auto value = context.debugger.values().find(text.name);
    if (value) {
        ET_ASSIGN(Dict shown, valueInfo(context.debugger, *value, text.request));
        return Dict{{"value", std::move(shown)}};
    }
    const auto parsed = expression::Expression::parse(text.expression);
    const bool isName = parsed ? parsed->onlyName() == text.expression
                               : text.expression.find_first_of(" ()+-*/<>=!'\"") == std::string_view::npos;
    const auto shown = parsed ? printExpression(context, text.expression) : std::unexpected(parsed.error());
    // The error about a name suggests others.
    return shown || !isName ? shown : std::unexpected(value.error());
}

Result<Dict> info(CommandContext& context, std::string_view arguments) {
    std::string_view rest = arguments;
    std::string_view word = takeWord(rest);
    word = word == "b" ? "breakpoints" : word == "locals" || word == "args" ? "values" : word;
    std::vector<std::string_view> found;
    std::ranges::copy_if(topics, std::back_inserter(found),
                         [&](std::string_view each) { return !word.empty() && each.starts_with(word); });
    if (found.empty() || (found.size() > 1 && found.front() != word)) {
        return fail(ErrorCode::InvalidArgument, fmt::format("info: expected one of {}, got '{}'",
                                                            fmt::join(topics, ", "), core::printable(word)));
    }
    const std::string_view topic = found.front();
    if (topic == "breakpoints" || topic == "watchpoints") {
        return stopListInfo(context.debugger.stops());
    }
    if (topic == "values") {
        return infoValues(context);
    }
    if (topic == "arena") {
        return infoArena(context, rest);
    }
    if (topic == "executions") {
        return infoExecutions(context);
    }
    if (topic == "writers") {
        return infoWriters(context, rest);
    }
    if (topic == "branches") {
        return branch(context, {});
    }
    if (topic == "source") {
        return infoSource(context);
    }
    if (topic == "instructions") {
        return infoInstructions(context, rest);
    }
    return topic == "delegate" ? infoDelegate(context, rest) : infoMethods(context);
}

Result<Dict> list(CommandContext& context, std::string_view arguments) {
    std::uint64_t count = 10;
    if (!arguments.empty()) {
        ET_ASSIGN(count, wholeArgument("list", arguments));
    }
    ET_ASSIGN(const MethodIndex* const method, shownMethod(context, {}));
    const auto& last = context.debugger.where();
    const auto& sites = method->sites();
    std::size_t at = 0;
    for (std::size_t i = 0; i < sites.size() && last; ++i) {
        at = last->site == &sites[i] ? i : at;
    }
    if (last && last->site == nullptr) {
        at = sites.size();
    }
    const std::size_t begin = at > count / 2 ? at - count / 2 : 0;
    List instructions;
    for (std::size_t i = begin; i < std::min<std::size_t>(begin + count, sites.size()); ++i) {
        instructions.emplace_back(instructionInfo(context.debugger, *method, sites[i]));
    }
    return makeInfo(
        "list", {{"method", std::string(method->method().name)}, {"instructions", std::move(instructions)}});
}

}  // namespace et::tasks::debug_commands

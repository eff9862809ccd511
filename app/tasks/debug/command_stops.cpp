#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/debug_commands.h"

#include <fmt/format.h>

#include <utility>

// Commands that add and change breakpoints and watchpoints.
namespace et::tasks::debug_commands {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// A location or a watched value, and its rule.
struct RuleText {
    std::string_view subject;
    std::string_view condition{};
    std::uint64_t ignore = 0;
};

/// Splits "SUBJECT [if CONDITION] [ignore N]".
Result<RuleText> splitRule(std::string_view command, std::string_view text) {
    RuleText rule{.subject = text};
    if (const std::size_t at = text.rfind(" ignore "); at != std::string_view::npos) {
        std::string_view number = text.substr(at + std::string_view(" ignore ").size());
        const std::string_view word = takeWord(number);
        if (number.empty() && !word.empty() &&
            word.find_first_not_of("0123456789") == std::string_view::npos) {
            ET_ASSIGN(rule.ignore, wholeArgument(command, word));
            rule.subject = text.substr(0, at);
        }
    }
    if (const std::size_t at = rule.subject.find(" if "); at != std::string_view::npos) {
        rule.condition = rule.subject.substr(at + std::string_view(" if ").size());
        rule.subject = rule.subject.substr(0, at);
    }
    rule.subject = withoutBlanks(rule.subject);
    return rule;
}

Result<StopRule> makeRule(StopList& stops, const RuleText& text) {
    StopRule rule{.ignore = text.ignore};
    if (!text.condition.empty()) {
        ET_ASSIGN(rule.condition, expression::Expression::parse(text.condition));
    }
    constexpr std::size_t maxStops = 1000;
    if (stops.breakpoints.size() + stops.watchpoints.size() >= maxStops) {
        return fail(ErrorCode::Limit,
                    fmt::format("there are already {} breakpoints and watchpoints", maxStops));
    }
    rule.id = stops.nextId++;
    return rule;
}

Result<Dict> addBreak(CommandContext& context, std::string_view command, std::string_view arguments,
                      bool isTemporary) {
    ET_ASSIGN(const RuleText text, splitRule(command, arguments));
    std::string here;
    if (text.subject.empty() && context.debugger.where() && context.debugger.where()->site != nullptr) {
        here = fmt::format("{}:{}", context.debugger.where()->method,
                           context.debugger.where()->site->instruction);
    }
    const auto method = currentMethod(context);
    ET_ASSIGN(Location location,
              findLocation(context.debugger.index(), method ? (*method)->method().name : std::string_view(),
                           here.empty() ? text.subject : std::string_view(here)));
    StopList& stops = context.debugger.stops();
    ET_ASSIGN(StopRule rule, makeRule(stops, text));
    const bool checksAfter = readsResults(rule.condition);
    stops.breakpoints.push_back({.rule = std::move(rule),
                                 .location = std::move(location),
                                 .isTemporary = isTemporary,
                                 .checksAfter = checksAfter});
    return Dict{{"breakpoint", breakpointInfo(stops.breakpoints.back())}};
}

Dict ruleInfo(const StopList& stops, std::size_t id) {
    for (const Breakpoint& each : stops.breakpoints) {
        if (each.rule.id == id) {
            return {{"breakpoint", breakpointInfo(each)}};
        }
    }
    for (const Watchpoint& each : stops.watchpoints) {
        if (each.rule.id == id) {
            return {{"watchpoint", watchpointInfo(each)}};
        }
    }
    return stopListInfo(stops);
}

Result<StopRule*> ruleOf(CommandContext& context, std::string_view command, std::string_view number) {
    ET_ASSIGN(const std::uint64_t id, wholeArgument(command, number));
    StopRule* const rule = context.debugger.stops().rule(id);
    if (rule == nullptr) {
        return fail(ErrorCode::NotFound, fmt::format("no breakpoint or watchpoint {}", id));
    }
    return rule;
}

Result<Dict> setEnabled(CommandContext& context, std::string_view command, std::string_view arguments,
                        bool isEnabled) {
    StopList& stops = context.debugger.stops();
    if (arguments.empty()) {
        for (Breakpoint& each : stops.breakpoints) {
            each.rule.isEnabled = isEnabled;
        }
        for (Watchpoint& each : stops.watchpoints) {
            each.rule.isEnabled = isEnabled;
        }
        return stopListInfo(stops);
    }
    std::size_t count = 0;
    std::size_t id = 0;
    while (!arguments.empty()) {
        ET_ASSIGN(StopRule * rule, ruleOf(context, command, takeWord(arguments)));
        rule->isEnabled = isEnabled;
        id = rule->id;
        ++count;
    }
    return count == 1 ? ruleInfo(stops, id) : stopListInfo(stops);
}

Result<> checkArena(CommandContext& context, const ArenaRange& range) {
    ET_ASSIGN(const MethodIndex* const method, currentMethod(context));
    const auto& arenas = method->method().arenas;
    if (range.arena == 0 || range.arena >= arenas.size() || range.end > arenas[range.arena].bytes) {
        return fail(ErrorCode::InvalidArgument,
                    range.arena == 0 || range.arena >= arenas.size()
                        ? fmt::format("no arena {}: {} has arenas 1 to {}", range.arena,
                                      method->method().name, arenas.empty() ? 0 : arenas.size() - 1)
                        : fmt::format("arena {} has {} bytes, got the end {}", range.arena,
                                      arenas[range.arena].bytes, range.end));
    }
    return {};
}

/// A watched name must exist; before the first execution it cannot be checked.
Result<> checkWatch(CommandContext& context, const WatchSpec& spec) {
    if (spec.needsReference() && context.debugger.reference() == nullptr) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("watch {} needs the ETRecord of the program as second file", spec.text));
    }
    if (spec.kind == WatchKind::Arena) {
        return checkArena(context, spec.range);
    }
    if (!spec.value.empty() && context.debugger.where() && !spec.value.starts_with("out") &&
        !spec.value.starts_with("in")) {
        const auto value = DebugScope(context.debugger.values(), nullptr).value(spec.value);
        if (!value && value.error().code == ErrorCode::NotFound) {
            return std::unexpected(value.error());
        }
    }
    return {};
}

/// `out` and `in` mean other values after the next step: a change is watched in the value that they mean now,
/// and a condition of `out` in the results of every instruction.
Result<WatchSpec> boundWatch(CommandContext& context, const RuleText& text) {
    ET_ASSIGN(WatchSpec spec, parseWatch(text.subject));
    const bool isElement =
        expression::elementIndex(spec.value, "out") || expression::elementIndex(spec.value, "in");
    if (spec.kind != WatchKind::Changed) {
        spec.value = spec.value == "out" ? std::string() : spec.value;
        return spec;
    }
    if (!isElement) {
        return spec;
    }
    ET_TRY(requireExecution(context));
    ET_ASSIGN(const NamedValue value, context.debugger.values().find(spec.value));
    if (!value.id) {
        return fail(ErrorCode::Unsupported, "values inside delegates cannot be watched for changes");
    }
    const std::string subject = fmt::format("%{}", value.id->value);
    context.definition = fmt::format("watch {}", subject);
    if (!text.condition.empty()) {
        context.definition += fmt::format(" if {}", text.condition);
    }
    if (text.ignore > 0) {
        context.definition += fmt::format(" ignore {}", text.ignore);
    }
    ET_ASSIGN(WatchSpec bound, parseWatch(subject));
    bound.text = value.name.starts_with('%') ? subject : fmt::format("{} ({})", value.name, subject);
    return bound;
}

}  // namespace

Result<Dict> addBreakpoint(CommandContext& context, std::string_view arguments) {
    return addBreak(context, "break", arguments, false);
}

Result<Dict> addTemporary(CommandContext& context, std::string_view arguments) {
    return addBreak(context, "tbreak", arguments, true);
}

Result<Dict> addWatchpoint(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(const RuleText text, splitRule("watch", arguments));
    ET_ASSIGN(WatchSpec spec, boundWatch(context, text));
    if (spec.kind == WatchKind::Snr && !spec.value.empty()) {
        ET_ASSIGN(spec.expression,
                  expression::Expression::parse(fmt::format("snr({}) < {}", spec.value, spec.number)));
        spec.kind = WatchKind::Changed;
    }
    ET_TRY(checkWatch(context, spec));
    StopList& stops = context.debugger.stops();
    ET_ASSIGN(StopRule rule, makeRule(stops, text));
    Watchpoint& added = stops.watchpoints.emplace_back();
    added.rule = std::move(rule);
    added.spec = std::move(spec);
    return Dict{{"watchpoint", watchpointInfo(added)}};
}

Result<Dict> setCondition(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(StopRule * rule, ruleOf(context, "condition", takeWord(arguments)));
    expression::Expression condition;
    if (!arguments.empty()) {
        ET_ASSIGN(condition, expression::Expression::parse(arguments));
    }
    rule->condition = std::move(condition);
    for (Breakpoint& each : context.debugger.stops().breakpoints) {
        each.checksAfter = readsResults(each.rule.condition);
    }
    return ruleInfo(context.debugger.stops(), rule->id);
}

Result<Dict> setIgnore(CommandContext& context, std::string_view arguments) {
    ET_ASSIGN(StopRule * rule, ruleOf(context, "ignore", takeWord(arguments)));
    ET_ASSIGN(rule->ignore, wholeArgument("ignore", arguments));
    return ruleInfo(context.debugger.stops(), rule->id);
}

Result<Dict> enable(CommandContext& context, std::string_view arguments) {
    return setEnabled(context, "enable", arguments, true);
}

Result<Dict> disable(CommandContext& context, std::string_view arguments) {
    return setEnabled(context, "disable", arguments, false);
}

Result<Dict> removeStops(CommandContext& context, std::string_view arguments) {
    StopList& stops = context.debugger.stops();
    if (arguments.empty()) {
        stops.breakpoints.clear();
        stops.watchpoints.clear();
    }
    while (!arguments.empty()) {
        ET_ASSIGN(const StopRule* const rule, ruleOf(context, "delete", takeWord(arguments)));
        static_cast<void>(stops.remove(rule->id));
    }
    return stopListInfo(stops);
}

}  // namespace et::tasks::debug_commands

#include "app/tasks/debug/debug_info.h"

#include "app/expression/functions.h"
#include "inspector/numeric_gap/metrics.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;
using expression::Array;

Cell sourceCell(const std::optional<SourceAt>& source) {
    return source ? Cell(Dict{{"file", source->file}, {"line", source->line}}) : Cell();
}

List stackList(const std::vector<CallFrame>& stack) {
    List frames;
    for (const CallFrame& each : stack) {
        frames.emplace_back(Dict{{"file", each.at.file},
                                 {"line", each.at.line},
                                 {"function", each.function},
                                 {"code", each.code}});
    }
    return frames;
}

template <class T>
Cell countCell(const std::optional<T>& number) {
    return number ? Cell(static_cast<std::int64_t>(*number)) : Cell();
}

Cell ruleNumber(const Stop& stop, StopReason reason) {
    return stop.reason == reason ? countCell(stop.rule) : Cell();
}

List siteList(const Location& location) {
    List sites;
    for (const BreakSite& each : location.sites) {
        sites.emplace_back(Dict{{"method", each.method},
                                {"instruction", wholeCell(each.instruction)},
                                {"node", countCell(each.node)}});
    }
    return sites;
}

void addRule(Dict& info, const StopRule& rule) {
    info.emplace_back("condition", rule.condition.isEmpty() ? Cell() : Cell(rule.condition.text()));
    info.emplace_back("ignore", wholeCell(rule.ignore));
    info.emplace_back("hits", wholeCell(rule.hits));
    info.emplace_back("enabled", rule.isEnabled);
}

Cell rangeCell(const std::optional<ArenaRange>& range) {
    return range ? Cell(Dict{{"id", wholeCell(range->arena)},
                             {"begin", wholeCell(range->begin)},
                             {"end", wholeCell(range->end)}})
                 : Cell();
}

std::string_view roleOf(const MethodIndex& method, const NamedValue& value) {
    const program::Method& described = method.method();
    if (!value.id) {
        return "delegate";
    }
    return value.isConstant                                      ? "constant"
           : value.isState                                       ? "state"
           : std::ranges::contains(described.inputs, *value.id)  ? "input"
           : std::ranges::contains(described.outputs, *value.id) ? "output"
                                                                 : "intermediate";
}

Dict statisticsOf(const Array& array) {
    const inspector::SideStatistics all = inspector::computeStatistics(array.numbers);
    return {{"elements", wholeCell(all.elements)},
            {"min", all.minimum},
            {"max", all.maximum},
            {"mean", all.mean},
            {"std", all.deviation},
            {"nan", wholeCell(all.nans)},
            {"inf", wholeCell(all.infinities)},
            {"zero", wholeCell(all.zeros)},
            {"saturated", expression::saturatedShare(array)}};
}

List dataOf(const std::vector<double>& numbers, const ValueRequest& request) {
    List data;
    for (std::size_t i = 0; i < std::min(request.mostElements, numbers.size()); ++i) {
        data.push_back(numberCell(numbers[i]));
    }
    return data;
}

/// Counts of finite elements in equal intervals.
Dict histogramOf(const std::vector<double>& numbers) {
    constexpr std::size_t bins = 20;
    const inspector::SideStatistics all = inspector::computeStatistics(numbers);
    std::vector<std::int64_t> counts(bins, 0);
    const double width = (all.maximum - all.minimum) / bins;
    for (const double each : numbers) {
        if (std::isfinite(each)) {
            const double at = width > 0 ? (each - all.minimum) / width : 0;
            ++counts[std::min(bins - 1, static_cast<std::size_t>(at))];
        }
    }
    return {{"low", all.minimum}, {"high", all.maximum}, {"counts", std::move(counts)}};
}

/// A tensor's elements, or the part that a slice selects.
Result<Array> partOf(const core::Tensor& tensor, const std::vector<expression::Range>& slice) {
    ET_ASSIGN(const auto array, expression::arrayOf(tensor));
    return slice.empty() ? Result<Array>(*array) : expression::sliced(*array, slice);
}

Dict missingInfo(std::string why) {
    return {{"missing", std::move(why)}};
}

Result<Dict> referenceInfo(Debugger& debugger, const NamedValue& value, const Array& shown,
                           const ValueRequest& request) {
    const auto expected = debugger.values().referenceOf(value);
    if (!expected) {
        return missingInfo(expected.error().message);
    }
    ET_ASSIGN(const Array part, partOf((*expected)->tensor.view, request.slice));
    if (part.numbers.size() != shown.numbers.size()) {
        return missingInfo(fmt::format("the reference has sizes {}", core::sizesText(part.sizes)));
    }
    const inspector::GapNumbers gap =
        inspector::measureGap(part.numbers, shown.numbers, inspector::FloatFormat::None);
    const auto sum = gap[inspector::GapMetric::L1];
    return Dict{
        {"max_error", metricCell(gap, inspector::GapMetric::MaxAbsolute)},
        {"mean_error",
         sum && !part.numbers.empty() ? numberCell(*sum / static_cast<double>(part.numbers.size())) : Cell()},
        {"snr", metricCell(gap, inspector::GapMetric::Snr)},
        {"data", dataOf(part.numbers, request)}};
}

/// The same value at the same step of the previous execution.
Result<Dict> previousInfo(Debugger& debugger, const NamedValue& value, const Array& shown,
                          const ValueRequest& request) {
    Timeline& timeline = debugger.timeline();
    const TimelinePoint point = timeline.point();
    if (!value.id || point.execution == 0) {
        return missingInfo(point.execution == 0 ? "this is the first execution"
                                                : "not kept inside delegates");
    }
    TimelinePoint before = point;
    --before.execution;
    before.node.reset();
    ET_TRY(timeline.jump(before));
    auto part = timeline.value(*value.id).and_then([&](const DebugValue& old) -> Result<Array> {
        const auto* const tensor = old.value->as<core::Tensor>();
        return tensor != nullptr ? partOf(*tensor, request.slice) : Result<Array>(Array());
    });
    ET_TRY(timeline.jump(point));
    if (!part || part->numbers.size() != shown.numbers.size()) {
        return missingInfo(part ? "its sizes differ" : part.error().message);
    }
    double largest = 0;
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < shown.numbers.size(); ++i) {
        const double change = std::abs(shown.numbers[i] - part->numbers[i]);
        const bool same = change == 0 || (std::isnan(shown.numbers[i]) && std::isnan(part->numbers[i]));
        changed += same ? 0 : 1;
        largest = same ? largest : std::max(largest, change);
    }
    return Dict{{"execution", wholeCell(before.execution)},
                {"max_change", numberCell(largest)},
                {"changed", changed},
                {"data", dataOf(part->numbers, request)}};
}

std::string_view scalarKindName(const core::Value& value) {
    return value.isNone()                            ? "none"
           : value.as<std::int64_t>() != nullptr     ? "int"
           : value.as<double>() != nullptr           ? "float"
           : value.as<bool>() != nullptr             ? "bool"
           : value.as<std::string_view>() != nullptr ? "string"
                                                     : "list";
}

Cell scalarCell(const core::Value& value) {
    if (const auto* const text = value.as<std::string_view>()) {
        return std::string(*text);
    }
    if (const auto* const number = value.as<double>()) {
        return numberCell(*number);
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        return *integer;
    }
    const auto* const truth = value.as<bool>();
    return truth != nullptr ? Cell(*truth) : Cell(std::string(value.kindName()));
}

Dict argumentInfo(std::string_view op, std::size_t index, program::ValueId value, bool isWritten) {
    const std::string_view name = executor::argumentName(op, index);
    return {{"name", name.empty() ? Cell() : Cell(std::string(name))},
            {"value", wholeCell(value.value)},
            {"written", isWritten}};
}

}  // namespace

Cell numberCell(double number) {
    return std::isfinite(number) ? Cell(number) : Cell(expression::numberText(number));
}

Cell metricCell(const inspector::GapNumbers& gap, inspector::GapMetric metric) {
    return gap[metric] ? numberCell(*gap[metric]) : Cell();
}

Cell handleList(const std::vector<core::DebugHandle>& handles) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(handles.size());
    for (const core::DebugHandle each : handles) {
        numbers.push_back(each.value);
    }
    return numbers;
}

Dict makeInfo(std::string_view kind, Dict content) {
    Dict all{{"kind", std::string(kind)}};
    std::ranges::move(content, std::back_inserter(all));
    return {{"info", std::move(all)}};
}

Result<Dict> stopInfo(Debugger& debugger, const Stop& stop) {
    ET_ASSIGN(const MethodIndex* const method, debugger.index().method(stop.method));
    const std::int32_t chain = stop.site != nullptr ? stop.site->chain : 0;
    const auto instructions = std::ranges::count(method->sites(), chain, &InstructionSite::chain);
    const bool isInside = stop.inner.has_value();
    static const OperatorOrigin nothing;
    const OperatorOrigin& origin = isInside               ? stop.inner->origin
                                   : stop.site != nullptr ? stop.site->origin
                                                          : nothing;
    List values;
    if (stop.hit && !stop.hit->name.empty()) {
        values.emplace_back(
            Dict{{"name", stop.hit->name}, {"old", stop.hit->before}, {"new", stop.hit->after}});
    }
    Dict info{{"reason", std::string(nameOf(stop.reason))},
              {"execution", wholeCell(stop.point.execution)},
              {"instruction", wholeCell(stop.site != nullptr ? stop.site->instruction : instructions)},
              {"node", countCell(stop.node)},
              {"operator", isInside               ? Cell(stop.inner->kind)
                           : stop.site != nullptr ? Cell(stop.site->op)
                                                  : Cell()},
              {"debug_handles", handleList(origin.handles)},
              {"module", origin.module ? Cell(*origin.module) : Cell()},
              {"source", sourceCell(origin.source)},
              {"stack", stackList(origin.stack)},
              {"when", std::string(stop.isAfter ? "after" : "before")},
              {"method", stop.method},
              {"chain", wholeCell(chain)},
              {"step", wholeCell(stop.point.step)},
              {"instructions", wholeCell(instructions)},
              {"branch", wholeCell(debugger.timeline().branch())},
              {"breakpoint", ruleNumber(stop, StopReason::Breakpoint)},
              {"watchpoint", ruleNumber(stop, StopReason::Watchpoint)},
              {"values", std::move(values)},
              {"message", stop.message}};
    return Dict{{"stop", std::move(info)}};
}

Dict breakpointInfo(const Breakpoint& breakpoint) {
    Dict info{{"id", wholeCell(breakpoint.rule.id)}, {"location", breakpoint.location.text}};
    addRule(info, breakpoint.rule);
    info.emplace_back("temporary", breakpoint.isTemporary);
    info.emplace_back("instructions", siteList(breakpoint.location));
    info.emplace_back("message", breakpoint.location.message);
    return info;
}

Dict watchpointInfo(const Watchpoint& watchpoint) {
    Dict info{{"id", wholeCell(watchpoint.rule.id)},
              {"expression", watchpoint.spec.text},
              {"kind", std::string(nameOf(watchpoint.spec.kind))},
              {"value", watchpoint.spec.value.empty() ? Cell() : Cell(watchpoint.spec.value)}};
    addRule(info, watchpoint.rule);
    return info;
}

Dict stopListInfo(const StopList& stops) {
    List breakpoints;
    for (const Breakpoint& each : stops.breakpoints) {
        breakpoints.emplace_back(breakpointInfo(each));
    }
    List watchpoints;
    for (const Watchpoint& each : stops.watchpoints) {
        watchpoints.emplace_back(watchpointInfo(each));
    }
    return makeInfo("breakpoints",
                    {{"breakpoints", std::move(breakpoints)}, {"watchpoints", std::move(watchpoints)}});
}

Dict instructionInfo(Debugger& debugger, const MethodIndex& method, const InstructionSite& site) {
    const program::Instruction& instruction = *method.instruction(site);
    const std::string op = executor::instructionLabel(method.method(), instruction);
    List arguments;
    if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
        for (std::size_t i = 0; i < kernel->args.size(); ++i) {
            arguments.emplace_back(
                argumentInfo(op, i, kernel->args[i], kernel->args[i] == kernel->args.back()));
        }
    } else if (const auto* const call = std::get_if<program::DelegateCall>(&instruction)) {
        for (std::size_t i = 0; i < call->args.size(); ++i) {
            arguments.emplace_back(argumentInfo({}, i, call->args[i], false));
        }
    }
    const auto& where = debugger.where();
    const bool isCurrent = where && where->site == &site;
    List breakpoints;
    for (const Breakpoint& each : debugger.stops().breakpoints) {
        const bool isHere = std::ranges::any_of(each.location.sites, [&](const BreakSite& other) {
            return other.method == method.method().name && other.chain == site.chain &&
                   other.instruction == site.instruction;
        });
        if (isHere) {
            breakpoints.push_back(wholeCell(each.rule.id));
        }
    }
    return {{"instruction", wholeCell(site.instruction)},
            {"chain", wholeCell(site.chain)},
            {"operator", site.op},
            {"debug_handles", handleList(site.origin.handles)},
            {"module", site.origin.module ? Cell(*site.origin.module) : Cell()},
            {"source", sourceCell(site.origin.source)},
            {"arguments", std::move(arguments)},
            {"delegate", countCell(site.delegate)},
            {"current", isCurrent},
            {"breakpoints", std::move(breakpoints)}};
}

Result<Dict> valueInfo(Debugger& debugger, const NamedValue& value, const ValueRequest& request) {
    ET_ASSIGN(const MethodIndex* const method, debugger.values().method());
    Dict info{{"name", value.name},
              {"id", value.id ? wholeCell(value.id->value) : Cell()},
              {"role", std::string(roleOf(*method, value))}};
    const auto* const tensor = value.value->as<core::Tensor>();
    if (tensor == nullptr) {
        info.emplace_back("kind", std::string(scalarKindName(*value.value)));
        info.emplace_back("value", scalarCell(*value.value));
        return info;
    }
    info.emplace_back("kind", std::string("tensor"));
    info.emplace_back("dtype", core::scalarTypeName(tensor->dtype()));
    info.emplace_back("sizes", std::vector<std::int64_t>(tensor->sizes().begin(), tensor->sizes().end()));
    info.emplace_back("dim_order",
                      std::vector<std::int64_t>(tensor->dimOrder().begin(), tensor->dimOrder().end()));
    info.emplace_back("arena", rangeCell(value.memory));
    auto part = partOf(*tensor, request.slice);
    if (!part && part.error().code != core::ErrorCode::Unsupported) {
        return std::unexpected(part.error());
    }
    if (!part) {
        return info;
    }
    info.emplace_back("statistics", statisticsOf(*part));
    if (request.withData) {
        info.emplace_back("slice", request.sliceText.empty() ? Cell() : Cell(std::string(request.sliceText)));
        info.emplace_back("shape", part->sizes);
        info.emplace_back("shown", wholeCell(std::min(request.mostElements, part->numbers.size())));
        info.emplace_back("data", dataOf(part->numbers, request));
    }
    if (request.withHistogram) {
        info.emplace_back("histogram", histogramOf(part->numbers));
    }
    if (request.withReference) {
        ET_ASSIGN(Dict reference, referenceInfo(debugger, value, *part, request));
        info.emplace_back("reference", std::move(reference));
    }
    if (request.withPrevious) {
        ET_ASSIGN(Dict previous, previousInfo(debugger, value, *part, request));
        info.emplace_back("previous", std::move(previous));
    }
    return info;
}

}  // namespace et::tasks

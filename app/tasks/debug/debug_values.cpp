#include "app/tasks/debug/debug_values.h"

#include "app/tasks/base/suggestion.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using expression::Operand;

Result<NamedValue> choose(std::vector<NamedValue> values, std::size_t number, std::string_view name,
                          std::string_view ofWhat) {
    if (number >= values.size()) {
        return fail(ErrorCode::NotFound, fmt::format("no value '{}': {} {}", core::printable(name), ofWhat,
                                                     values.empty() ? std::string("has none")
                                                                    : fmt::format("has {}", values.size())));
    }
    return std::move(values[number]);
}

std::span<const program::ValueId> argumentsOf(const program::Instruction& instruction) {
    if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
        return kernel->args;
    }
    if (const auto* const delegate = std::get_if<program::DelegateCall>(&instruction)) {
        return delegate->args;
    }
    return {};
}

/// "v12" for "%12"; "input 0" for "input:0"; others unchanged.
std::string timelineName(std::string_view name) {
    if (name.starts_with('%')) {
        return fmt::format("v{}", name.substr(1));
    }
    for (const std::string_view kind : {"input:", "output:"}) {
        if (name.starts_with(kind)) {
            return fmt::format("{} {}", kind.substr(0, kind.size() - 1), name.substr(kind.size()));
        }
    }
    return std::string(name);
}

/// The inverse: names of the timeline as this language spells them.
std::string spelledName(const DebugValue& value) {
    for (const std::string_view kind : {"input ", "output "}) {
        if (value.name.starts_with(kind)) {
            return fmt::format("{}:{}", kind.substr(0, kind.size() - 1), value.name.substr(kind.size()));
        }
    }
    return value.name == fmt::format("v{}", value.id.value) ? fmt::format("%{}", value.id.value) : value.name;
}

}  // namespace

Result<const MethodIndex*> DebugValues::method() const {
    const TimelinePlace place = timeline.place();
    if (place.method == nullptr) {
        return fail(ErrorCode::NotFound, "nothing has run yet: use 'run' or 'start'");
    }
    return index.method(place.method->name);
}

Result<NamedValue> DebugValues::named(const DebugValue& value) const {
    ET_ASSIGN(const MethodIndex* const of, method());
    const std::string edge = of->nameOf(value.id);
    const std::string spelled = spelledName(value);
    return NamedValue{.name = spelled.starts_with('%') && !edge.empty() ? edge : spelled,
                      .id = value.id,
                      .value = value.value,
                      .memory = value.memory,
                      .isConstant = value.isConstant,
                      .isState = value.isState};
}

Result<std::vector<NamedValue>> DebugValues::accessed(const std::vector<ValueAccess>& accesses, bool writes) {
    std::vector<NamedValue> found;
    for (const ValueAccess& each : accesses) {
        const bool isKnown =
            std::ranges::any_of(found, [&](const NamedValue& other) { return other.id == each.value; });
        if (each.isWrite != writes || isKnown) {
            continue;
        }
        ET_ASSIGN(const DebugValue value, timeline.value(each.value));
        if (value.value->isNone()) {
            continue;
        }
        ET_ASSIGN(NamedValue one, named(value));
        found.push_back(std::move(one));
    }
    return found;
}

Result<std::optional<NamedValue>> DebugValues::innerResult() {
    const TimelinePoint point = timeline.point();
    if (!point.node || *point.node == 0) {
        return std::optional<NamedValue>();
    }
    ET_ASSIGN(const DelegateView* const view, timeline.delegate());
    if (view != nullptr) {
        for (const InnerDebugValue& each : view->values) {
            if (each.node + 1 == *point.node) {
                return std::optional(
                    NamedValue{.name = fmt::format("value {} of {}", each.site.value, each.site.nodeKind),
                               .value = &each.value});
            }
        }
    }
    return std::optional<NamedValue>();
}

Result<std::vector<NamedValue>> DebugValues::results() {
    ET_ASSIGN(std::optional<NamedValue> inner, innerResult());
    if (inner) {
        return std::vector{*std::move(inner)};
    }
    return accessed(history.previous(), true);
}

Result<std::vector<NamedValue>> DebugValues::inputs() {
    return accessed(stopsAfter ? history.previous() : history.next(), false);
}

std::optional<program::ValueId> DebugValues::argumentNamed(std::string_view name) const {
    const auto of = method();
    if (site == nullptr || !of) {
        return std::nullopt;
    }
    const program::Instruction& instruction = *(*of)->instruction(*site);
    const std::string op = executor::instructionLabel((*of)->method(), instruction);
    const auto arguments = argumentsOf(instruction);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!name.empty() && executor::argumentName(op, i) == name) {
            return arguments[i];
        }
    }
    return std::nullopt;
}

Result<NamedValue> DebugValues::find(std::string_view name) {
    ET_ASSIGN(const MethodIndex* const of, method());
    if (const auto number = expression::elementIndex(name, "out")) {
        ET_ASSIGN(std::vector<NamedValue> values, results());
        return choose(std::move(values), *number, name, "the last instruction");
    }
    if (const auto number = expression::elementIndex(name, "in")) {
        ET_ASSIGN(std::vector<NamedValue> values, inputs());
        return choose(std::move(values), *number, name, "this instruction");
    }
    std::optional<program::ValueId> id = argumentNamed(name);
    if (!id) {
        id = of->valueNamed(name);
    }
    const auto found = id ? timeline.value(*id) : timeline.value(timelineName(name));
    if (!found) {
        const std::vector<std::string> known = names();
        return fail(ErrorCode::NotFound,
                    fmt::format("no value '{}'{}", core::printable(name), didYouMean(name, known)));
    }
    ET_ASSIGN(NamedValue value, named(*found));
    if (!name.starts_with('%')) {  // a value given by its id keeps its own name
        value.name = name;
    }
    return value;
}

Result<const inspector::GapTensor*> DebugValues::referenceOf(const NamedValue& value) {
    if (reference == nullptr) {
        return fail(ErrorCode::Unsupported,
                    "there is no reference: give the ETRecord of the program as second file");
    }
    if (!value.id) {
        ET_ASSIGN(const inspector::GapRow* const row, reference->row());
        return row != nullptr && !row->pairs.empty()
                   ? Result<const inspector::GapTensor*>(&row->pairs.front().reference)
                   : fail(ErrorCode::Unsupported,
                          fmt::format("the Edge graph has no counterpart of {}", value.name));
    }
    ET_ASSIGN(const inspector::GapTensor* const tensor, reference->valueOf(*value.id));
    if (tensor == nullptr) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the Edge graph has no counterpart of {} here", value.name));
    }
    return tensor;
}

std::vector<std::string> DebugValues::names() {
    std::vector<std::string> all{"out", "in"};
    const auto of = method();
    if (!of) {
        return all;
    }
    std::vector<std::string> graph = (*of)->valueNames();
    std::ranges::move(graph, std::back_inserter(all));
    for (const DebugValue& each : timeline.values()) {
        all.push_back(spelledName(each));
    }
    return all;
}

Result<Operand> DebugScope::value(std::string_view name) const {
    const TimelinePoint point = values.time().point();
    const InstructionSite* const site = values.focus();
    if (name == "execution") {
        return static_cast<double>(point.execution);
    }
    if (name == "step") {
        return static_cast<double>(point.step);
    }
    if (name == "hits") {
        return static_cast<double>(hits);
    }
    if (name == "node") {
        return static_cast<double>(point.node ? static_cast<std::int64_t>(*point.node) : -1);
    }
    if (name == "instruction") {
        return static_cast<double>(site != nullptr ? site->instruction : -1);
    }
    if (name == "op" || name == "module") {
        const bool isModule = name == "module";
        const std::string module = site != nullptr ? site->origin.module.value_or("") : "";
        return isModule ? module : (site != nullptr ? site->op : std::string());
    }
    if (name == "method") {
        ET_ASSIGN(const MethodIndex* const of, values.method());
        return std::string(of->method().name);
    }
    ET_ASSIGN(const NamedValue found, values.find(name));
    return expression::operandOf(*found.value);
}

Result<Operand> DebugScope::reference(std::string_view name) const {
    ET_ASSIGN(const NamedValue found, values.find(name));
    ET_ASSIGN(const inspector::GapTensor* const tensor, values.referenceOf(found));
    ET_ASSIGN(auto array, expression::arrayOf(tensor->tensor.view));
    return Operand(std::move(array));
}

Result<Operand> DebugScope::previous(std::string_view name) const {
    if (before != nullptr) {
        const auto found = before->find(name);
        return found != before->end()
                   ? Result<Operand>(found->second)
                   : fail(ErrorCode::NotFound,
                          fmt::format("'{}' had no value before the instruction", core::printable(name)));
    }
    // The id is that of the same value; `out` means another one an instruction earlier.
    ET_ASSIGN(const NamedValue found, values.find(name));
    if (!found.id) {
        return fail(ErrorCode::Unsupported, fmt::format("'{}' has no previous value", core::printable(name)));
    }
    Timeline& timeline = values.time();
    const TimelinePoint point = timeline.point();
    ET_ASSIGN(const bool moved, timeline.stepBack());
    Result<Operand> operand = fail(ErrorCode::NotFound, "there is no previous instruction");
    if (moved) {
        operand = timeline.value(*found.id).and_then(
            [](const DebugValue& value) { return expression::operandOf(*value.value); });
        ET_TRY(timeline.jump(point));
    }
    return operand;
}

}  // namespace et::tasks

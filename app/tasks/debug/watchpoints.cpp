#include "app/tasks/debug/watchpoints.h"

#include "app/expression/functions.h"
#include "app/tasks/debug/debug_info.h"
#include "inspector/numeric_gap/metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using expression::Array;
using expression::Operand;
using inspector::GapMetric;
using inspector::format::Cell;

std::shared_ptr<const Array> arrayIn(const NamedValue& value) {
    const auto operand = expression::operandOf(*value.value);
    const auto array = operand ? expression::arrayOf(*operand) : std::unexpected(operand.error());
    return array ? *array : nullptr;
}

bool isOfKind(const WatchSpec& spec, core::ScalarType type, double number) {
    switch (spec.kind) {
        case WatchKind::Nan:
            return std::isnan(number);
        case WatchKind::Inf:
            return std::isinf(number);
        case WatchKind::Denormal:
            return number != 0 && std::abs(number) < expression::smallestNormal(type);
        case WatchKind::Zero:
            return number == 0;
        case WatchKind::Saturated: {
            const auto ends = expression::endsOfRange(type);
            return ends && (number == ends->first || number == ends->second);
        }
        default:
            return (number >= spec.low && number <= spec.high) != spec.isOutside;
    }
}

struct KindCount {
    std::size_t count = 0;
    std::size_t first = 0;
};

KindCount countOfKind(const WatchSpec& spec, const Array& array) {
    KindCount found;
    for (std::size_t i = 0; i < array.numbers.size(); ++i) {
        if (isOfKind(spec, array.dtype, array.numbers[i])) {
            found.first = found.count == 0 ? i : found.first;
            ++found.count;
        }
    }
    return found;
}

bool enough(const WatchSpec& spec, const Array& array, const KindCount& found) {
    const std::size_t all = array.numbers.size();
    switch (spec.kind) {
        case WatchKind::Zero:
            return all > 0 && found.count == all;
        case WatchKind::Saturated:
            return found.count > 0 &&
                   static_cast<double>(found.count) >= spec.number * static_cast<double>(all);
        default:
            return found.count > 0;
    }
}

/// "[0, 3]" for the element at a position in row-major order.
std::string indexText(const std::vector<std::int64_t>& sizes, std::size_t position) {
    std::vector<std::int64_t> indices(sizes.size());
    auto rest = static_cast<std::int64_t>(position);
    for (std::size_t d = sizes.size(); d-- > 0;) {
        indices[d] = sizes[d] > 0 ? rest % sizes[d] : 0;
        rest /= std::max<std::int64_t>(sizes[d], 1);
    }
    return core::sizesText(indices);
}

/// Sizes that the program declares, if the current ones differ.
std::optional<std::string> shapeDifference(const MethodIndex& method, const NamedValue& value) {
    const auto* const tensor = value.value->as<core::Tensor>();
    const auto* const planned =
        value.id ? method.method().value(*value.id).as<program::TensorInfo>() : nullptr;
    if (tensor == nullptr || planned == nullptr) {
        return std::nullopt;
    }
    const std::vector<std::int64_t> now(tensor->sizes().begin(), tensor->sizes().end());
    const std::vector<std::int64_t> plan(planned->sizes.begin(), planned->sizes.end());
    const bool sameType = static_cast<std::int8_t>(tensor->dtype()) == planned->scalarType;
    if (now == plan && sameType) {
        return std::nullopt;
    }
    return fmt::format("{} is {} {}, planned as {} {}", value.name, core::scalarTypeName(tensor->dtype()),
                       core::sizesText(now), core::scalarTypeName(planned->scalarType),
                       core::sizesText(plan));
}

/// Whether an instruction of the method writes a value.
bool isWritten(const MethodIndex& method, program::ValueId value) {
    return std::ranges::any_of(method.sites(), [&](const InstructionSite& site) {
        const program::Instruction& instruction = *method.instruction(site);
        if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
            return !kernel->args.empty() && kernel->args.back() == value;
        }
        const auto* const delegate = std::get_if<program::DelegateCall>(&instruction);
        return delegate != nullptr && std::ranges::contains(delegate->args, value) &&
               !std::ranges::contains(method.method().inputs, value);
    });
}

Cell cellOf(const std::optional<Operand>& operand) {
    if (!operand) {
        return {};
    }
    if (const auto* const number = std::get_if<double>(&*operand)) {
        return numberCell(*number);
    }
    if (const auto* const truth = std::get_if<bool>(&*operand)) {
        return *truth;
    }
    if (const auto* const text = std::get_if<std::string>(&*operand)) {
        return *text;
    }
    const Array& array = *std::get<std::shared_ptr<const Array>>(*operand);
    return fmt::format("{} {}", core::scalarTypeName(array.dtype), core::sizesText(array.sizes));
}

bool sameNumber(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Describes the change of a value; nothing if it is the same.
std::optional<WatchHit> changeBetween(std::string_view name, const std::optional<Operand>& before,
                                      const std::optional<Operand>& after) {
    WatchHit hit{.message = {}, .name = std::string(name), .before = cellOf(before), .after = cellOf(after)};
    const auto* const old = before ? std::get_if<std::shared_ptr<const Array>>(&*before) : nullptr;
    const auto* const now = after ? std::get_if<std::shared_ptr<const Array>>(&*after) : nullptr;
    if (old == nullptr || now == nullptr || (*old)->sizes != (*now)->sizes) {
        if (!before || !after || (old == nullptr && now == nullptr && *before == *after)) {
            return std::nullopt;
        }
        const auto* const a = std::get_if<double>(&*before);
        const auto* const b = std::get_if<double>(&*after);
        if (a != nullptr && b != nullptr && sameNumber(*a, *b)) {
            return std::nullopt;
        }
        hit.message = fmt::format("{} changed", name);
        return hit;
    }
    std::size_t changed = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < (*now)->numbers.size(); ++i) {
        if (!sameNumber((*old)->numbers[i], (*now)->numbers[i])) {
            first = changed == 0 ? i : first;
            ++changed;
        }
    }
    if (changed == 0) {
        return std::nullopt;
    }
    hit.message = fmt::format("{}: {} of {} elements changed, the first at {}: {} to {}", name, changed,
                              (*now)->numbers.size(), indexText((*now)->sizes, first),
                              expression::numberText((*old)->numbers[first]),
                              expression::numberText((*now)->numbers[first]));
    hit.before = cellOf((*old)->numbers[first]);
    hit.after = cellOf((*now)->numbers[first]);
    return hit;
}

}  // namespace

std::string Watchpoint::describeHolding(const NamedValue& value) const {
    const auto array = arrayIn(value);
    if (array == nullptr) {
        return {};
    }
    const KindCount found = countOfKind(spec, *array);
    if (!enough(spec, *array, found)) {
        return {};
    }
    const std::string what =
        spec.kind == WatchKind::Range
            ? fmt::format("{} {:g}..{:g}", spec.isOutside ? "outside" : "in", spec.low, spec.high)
            : std::string(nameOf(spec.kind));
    return fmt::format("{}: {} of {} elements of {}, the first at {}: {}", what, found.count,
                       array->numbers.size(), value.name, indexText(array->sizes, found.first),
                       expression::numberText(array->numbers[found.first]));
}

std::optional<Operand> Watchpoint::evaluate(const WatchContext& at) {
    const auto operand =
        spec.expression.evaluate(DebugScope(at.values, captured.empty() ? nullptr : &captured, rule.hits));
    rule.note(operand ? nullptr : &operand.error());
    return operand ? std::optional(*operand) : std::nullopt;
}

Result<std::optional<WatchHit>> Watchpoint::findInside(const WatchContext& at) const {
    ET_ASSIGN(const DelegateView* const view, at.values.time().delegate());
    if (view == nullptr) {
        return std::optional<WatchHit>();
    }
    for (const InnerDebugValue& each : view->values) {
        const NamedValue value{.name = fmt::format("value {} of {}", each.site.value, each.site.nodeKind),
                               .value = &each.value};
        std::string message = describeHolding(value);
        if (!message.empty()) {
            WatchHit hit{.message = std::move(message), .name = value.name, .node = each.node};
            std::vector<core::DebugHandle> handles;
            if (each.site.debugHandle) {
                handles.emplace_back(*each.site.debugHandle);
            }
            hit.inner = DelegateOperator{.kind = std::string(each.site.nodeKind),
                                         .origin = at.method.originOf(std::move(handles))};
            return std::optional(std::move(hit));
        }
    }
    return std::optional<WatchHit>();
}

Result<> Watchpoint::prepare(const WatchContext& at) {
    insideDelegate.reset();
    const bool isDelegate = at.site != nullptr && at.site->delegate.has_value();
    if (spec.kind == WatchKind::Saturated && spec.value.empty() && isDelegate && !at.point.node) {
        ET_ASSIGN(insideDelegate, findInside(at));
    }
    if (spec.kind == WatchKind::Arena) {
        const core::Bytes all = at.values.time().arena(spec.range.arena);
        const std::size_t end = std::min<std::size_t>(spec.range.end, all.size());
        const std::size_t begin = std::min<std::size_t>(spec.range.begin, end);
        arenaBytes.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                          all.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (spec.expression.reads(expression::ValueVersion::Previous)) {
        captured.clear();
        for (const std::string& name : spec.expression.names()) {
            const auto value = at.values.find(name);
            const auto operand =
                value ? expression::operandOf(*value->value) : std::unexpected(value.error());
            if (operand) {
                captured.insert_or_assign(name, *operand);
            }
        }
    }
    if (!known && (spec.kind == WatchKind::Changed || !spec.value.empty())) {
        known = Known{.operand = {}, .holds = false};
        if (spec.kind == WatchKind::Changed) {
            known->operand = evaluate(at);
        } else if (const auto value = at.values.find(spec.value); value && spec.kind != WatchKind::Shape) {
            known->holds = !describeHolding(*value).empty();
        }
    }
    return {};
}

Watchpoint::Found Watchpoint::check(const WatchContext& at) {
    switch (spec.kind) {
        case WatchKind::Changed:
            return checkChange(at);
        case WatchKind::Snr:
        case WatchKind::OwnError:
            return checkReference(at);
        case WatchKind::Arena:
            return checkArena(at);
        case WatchKind::Overwritten:
            return checkOverwritten(at);
        default:
            return spec.value.empty() ? checkResults(at) : checkValue(at);
    }
}

Watchpoint::Found Watchpoint::checkChange(const WatchContext& at) {
    const std::optional<Operand> now = evaluate(at);
    const std::optional<Operand> before = std::exchange(known, Known{.operand = now})->operand;
    if (now && std::holds_alternative<bool>(*now)) {
        const bool was = before && std::holds_alternative<bool>(*before) && std::get<bool>(*before);
        if (!std::get<bool>(*now) || was) {
            return std::optional<WatchHit>();
        }
        return std::optional(WatchHit{.message = fmt::format("{} is true", spec.text),
                                      .name = spec.text,
                                      .before = was,
                                      .after = true});
    }
    return changeBetween(spec.text, before, now);
}

Watchpoint::Found Watchpoint::checkValue(const WatchContext& at) {
    const auto value = at.values.find(spec.value);
    rule.note(value ? nullptr : &value.error());
    if (!value) {
        return std::optional<WatchHit>();
    }
    const std::string message = spec.kind == WatchKind::Shape
                                    ? shapeDifference(at.method, *value).value_or("")
                                    : describeHolding(*value);
    const bool was =
        std::exchange(known, Known{.operand = {}, .holds = !message.empty()}).value_or(Known()).holds;
    if (message.empty() || was) {
        return std::optional<WatchHit>();
    }
    return std::optional(WatchHit{.message = message, .name = value->name});
}

Watchpoint::Found Watchpoint::checkResults(const WatchContext& at) {
    if (insideDelegate) {
        return std::exchange(insideDelegate, std::nullopt);
    }
    const auto describe = [&](const NamedValue& value) {
        return spec.kind == WatchKind::Shape ? shapeDifference(at.method, value).value_or("")
                                             : describeHolding(value);
    };
    ET_ASSIGN(const std::vector<NamedValue> results, at.values.results());
    for (const NamedValue& result : results) {
        std::string message = describe(result);
        if (message.empty()) {
            continue;
        }
        // An instruction that passes on what an earlier one computed is not the origin.
        ET_ASSIGN(const std::vector<NamedValue> inputs, at.values.inputs());
        const bool isPassedOn = std::ranges::any_of(inputs, [&](const NamedValue& input) {
            return input.id && input.id != result.id && isWritten(at.method, *input.id) &&
                   !describe(input).empty();
        });
        if (isPassedOn) {
            return std::optional<WatchHit>();
        }
        WatchHit hit{.message = std::move(message), .name = result.name};
        ET_TRY(refine(at, hit));
        return std::optional(std::move(hit));
    }
    return std::optional<WatchHit>();
}

/// Finds the operator inside a delegate call that computed it first.
Result<> Watchpoint::refine(const WatchContext& at, WatchHit& hit) const {
    if (at.site == nullptr || !at.site->delegate || at.point.node || spec.kind == WatchKind::Shape) {
        return {};
    }
    Timeline& timeline = at.values.time();
    const TimelinePoint after = timeline.point();
    ET_TRY(timeline.jump(at.point));
    auto inside = findInside(at);
    ET_TRY(timeline.jump(after));
    ET_TRY(inside);
    if (*inside) {
        hit = **std::move(inside);
    }
    return {};
}

Watchpoint::Found Watchpoint::checkReference(const WatchContext& at) {
    if (at.reference == nullptr || at.site == nullptr || at.site->chain != 0 || at.point.node) {
        return std::optional<WatchHit>();
    }
    ET_ASSIGN(const auto gap, at.reference->gap());
    for (const inspector::GapRow& row : gap->rows) {
        if (row.instruction != at.site->instruction) {
            continue;
        }
        std::string message;
        if (spec.kind == WatchKind::OwnError) {
            message = row.own && row.own->diverges ? fmt::format("own error: {}", row.own->reason) : "";
        } else {
            const auto snr = row.pairs.empty() ? std::nullopt : row.pairs.front().numbers[GapMetric::Snr];
            const bool isLow = snr && *snr < spec.number;
            const bool was =
                std::exchange(known, Known{.operand = {}, .holds = isLow}).value_or(Known()).holds;
            message = isLow && !was ? fmt::format("SNR {:.1f} dB is below {:g} dB", *snr, spec.number) : "";
        }
        if (message.empty()) {
            continue;
        }
        WatchHit hit{.message = std::move(message)};
        if (row.place == inspector::GapLevel::Delegate) {
            hit.name = fmt::format("{}", fmt::join(row.runtimeOps, " + "));
            const auto& handles = row.runtimeHandles.empty() ? row.referenceHandles : row.runtimeHandles;
            hit.inner = DelegateOperator{.kind = hit.name, .origin = at.method.originOf(handles)};
            for (std::size_t node = 0; node < at.site->inside.size() && !hit.node; ++node) {
                if (std::ranges::any_of(at.site->inside[node].origin.handles, [&](core::DebugHandle each) {
                        return std::ranges::contains(handles, each);
                    })) {
                    hit.node = node;
                }
            }
        }
        return std::optional(std::move(hit));
    }
    return std::optional<WatchHit>();
}

Watchpoint::Found Watchpoint::checkArena(const WatchContext& at) {
    const core::Bytes all = at.values.time().arena(spec.range.arena);
    const std::size_t end = std::min<std::size_t>(spec.range.end, all.size());
    const std::size_t begin = std::min<std::size_t>(spec.range.begin, end);
    const bool changed = !std::ranges::equal(all.subspan(begin, end - begin), arenaBytes);
    for (const ValueAccess& each : at.history.previous()) {
        if (each.memory && overlap(*each.memory, spec.range) &&
            spec.isWrite.value_or(each.isWrite) == each.isWrite) {
            ET_ASSIGN(const DebugValue value, at.values.time().value(each.value));
            ET_ASSIGN(const NamedValue name, at.values.named(value));
            return std::optional(
                WatchHit{.message = fmt::format("{} {} bytes {} to {} of arena {}", name.name,
                                                each.isWrite ? "writes" : "reads", each.memory->begin,
                                                each.memory->end, spec.range.arena),
                         .name = name.name});
        }
    }
    if (changed && spec.isWrite.value_or(true)) {
        return std::optional(WatchHit{
            .message = fmt::format(
                "bytes {} to {} of arena {} changed, although no result of the instruction is planned there",
                begin, end, spec.range.arena)});
    }
    return std::optional<WatchHit>();
}

Watchpoint::Found Watchpoint::checkOverwritten(const WatchContext& at) {
    if (!overwritten || overwrittenExecution != at.point.execution) {
        ET_ASSIGN(overwritten, at.history.overwrittenReads());
        overwrittenExecution = at.point.execution;
    }
    for (const OverwrittenRead& each : *overwritten) {
        if (each.read.point != at.point) {
            continue;
        }
        const auto nameAt = [&](const AccessAt& access) -> std::string {
            const auto value =
                at.values.time().value(access.access.value).and_then([&](const DebugValue& found) {
                    return at.values.named(found);
                });
            return value ? value->name : fmt::format("%{}", access.access.value.value);
        };
        return std::optional(WatchHit{
            .message =
                fmt::format("reads {}, {}, whose bytes {} overwrote in step {}", nameAt(each.read),
                            each.written.isInput ? std::string("an input")
                                                 : fmt::format("written in step {}", each.written.point.step),
                            nameAt(each.overwrite), each.overwrite.point.step),
            .name = nameAt(each.read)});
    }
    return std::optional<WatchHit>();
}

}  // namespace et::tasks

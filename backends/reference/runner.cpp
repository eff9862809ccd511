#include "backends/reference/runner.h"

#include "backends/reference/composing.h"
#include "backends/reference/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::uint32_t maxSubgraphDepth = 32;  ///< nesting limit of running subgraphs

std::optional<Slot> slotOf(const Operand& operand) {
    const auto* slot = std::get_if<Slot>(&operand.content);
    return slot == nullptr ? std::nullopt : std::optional(*slot);
}

}  // namespace

Result<ReferenceValue> Runner::value(const Operand& operand, const Frame& frame) const {
    if (const auto* plain = std::get_if<ReferenceValue>(&operand.content)) {
        return *plain;
    }
    if (const auto* slot = std::get_if<Slot>(&operand.content)) {
        if (!frame.values[*slot]) {
            if (frame.load != nullptr) {
                return (*frame.load)(*slot);
            }
            return fail(ErrorCode::NotFound,
                        fmt::format("no value \"{}\"", core::printable(frame.plan->names[*slot])));
        }
        return *frame.values[*slot];
    }
    const auto* items = std::get_if<Operand::List>(&operand.content);
    if (items == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a value, got a subgraph");
    }
    ReferenceValue::List list;
    for (const Operand& item : *items) {
        ET_ASSIGN(ReferenceValue made, value(item, frame));
        list.push_back(std::move(made));
    }
    return ReferenceValue{std::move(list)};
}

Result<std::vector<ReferenceValue>> Runner::outputs(const Frame& frame) const {
    std::vector<ReferenceValue> all;
    for (const Operand& output : frame.plan->outputs) {
        ET_ASSIGN(ReferenceValue made, value(output, frame));
        all.push_back(std::move(made));
    }
    return all;
}

Result<std::vector<ReferenceValue>> Runner::operandValues(const Step& step, const Frame& frame) {
    std::vector<ReferenceValue> values;
    for (const Operand& operand : step.operands) {
        ET_ASSIGN(ReferenceValue made, value(operand, frame));
        values.push_back(std::move(made));
    }
    return values;
}

Result<std::vector<ReferenceValue>> Runner::computeOperator(const Step& step,
                                                            std::vector<ReferenceValue> arguments) {
    if (step.wrapped) {
        ReferenceValue& number = arguments[*step.wrapped];
        if (const auto scalar = scalarOf(number)) {
            ET_ASSIGN(auto tensor, calls.wrapped(*scalar));
            number = {std::move(tensor)};
        }
    }
    return calls.run(*step.op.row, arguments, step.kinds, keeps ? &states[&step] : nullptr);
}

Result<std::vector<ReferenceValue>> Runner::compute(const Step& step, Frame& frame) {
    if (step.control != nullptr) {
        return step.control->run({.runner = *this, .frame = frame, .step = step});
    }
    ET_ASSIGN(auto arguments, operandValues(step, frame));
    return computeOperator(step, std::move(arguments));
}

Result<> Runner::store(const Step& step, std::span<const ReferenceValue> results, Frame& frame) const {
    if (results.size() != step.results.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected {} results, got {}", step.results.size(), results.size()));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& slots = step.results[i].slots;
        if (step.kinds[i].kind != ResultKind::Kind::Tensors) {
            if (!slots.empty() && slots.front()) {
                frame.values[*slots.front()] = results[i];
            }
            continue;
        }
        const auto* list = results[i].as<ReferenceValue::List>();
        if (list == nullptr || list->size() != slots.size()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a list of {} results, got {}", slots.size(),
                                    list == nullptr ? kindOf(results[i]) : fmt::format("{}", list->size())));
        }
        for (std::size_t item = 0; item < slots.size(); ++item) {
            frame.values[*slots[item]] = (*list)[item];
        }
    }
    return {};
}

/// Counts a step, or a subgraph, which may have no steps.
Result<> Runner::count() {
    if (calls.cancel() != nullptr && calls.cancel()->load(std::memory_order_relaxed)) {
        return fail(ErrorCode::Cancelled, "cancelled");
    }
    if (++executed > maxSteps) {
        return fail(ErrorCode::Limit, fmt::format("more than {} operators have run", maxSteps));
    }
    return {};
}

Result<> Runner::runStep(const Step& step, Frame& frame) {
    const etrecord::Node& node = frame.plan->graph->nodes[step.node];
    const auto named = [&](core::Error error) { return atNode(node, std::move(error)); };
    ET_TRY(count().transform_error(named));
    auto results = compute(step, frame);
    if (!results) {
        return std::unexpected(named(std::move(results).error()));
    }
    ET_TRY(store(step, *results, frame).transform_error(named));
    noteViews(step, frame);
    if (step.op.inPlace) {
        ET_TRY(afterInPlace(step, frame).transform_error(named));
    }
    if (observer != nullptr && *observer) {
        ET_TRY((*observer)(*frame.plan->graph, step.node, *results));
    }
    return {};
}

Result<> Runner::runSteps(Frame& frame, bool release) {
    for (const Step& step : frame.plan->steps) {
        ET_TRY(runStep(step, frame));
        if (release) {
            for (const Slot slot : step.lastUses) {
                frame.values[slot].reset();
            }
        }
    }
    return {};
}

Result<std::vector<ReferenceValue>> Runner::runSubgraph(const Plan& plan,
                                                        std::span<const ReferenceValue> inputs) {
    if (inputs.size() != plan.inputs.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("a subgraph takes {} values, got {}", plan.inputs.size(), inputs.size()));
    }
    ET_TRY(count());
    if (depth >= maxSubgraphDepth) {
        return fail(ErrorCode::Limit, fmt::format("subgraph calls nest deeper than {}", maxSubgraphDepth));
    }
    Frame frame(plan);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const auto slot = slotOf(plan.inputs[i])) {
            frame.values[*slot] = inputs[i];
        }
    }
    ++depth;
    const auto done = runSteps(frame, true);
    --depth;
    ET_TRY(done);
    return outputs(frame);
}

void Runner::noteViews(const Step& step, Frame& frame) const {
    if (!step.op.view || !frame.plan->mutates || step.operands.empty()) {
        return;
    }
    const auto from = slotOf(step.operands.front());
    const auto* source = from && frame.values[*from] ? frame.values[*from]->as<ReferenceTensor>() : nullptr;
    if (source == nullptr) {
        return;
    }
    for (const StepResult& result : step.results) {
        for (const auto& slot : result.slots) {
            const auto* made =
                slot && frame.values[*slot] ? frame.values[*slot]->as<ReferenceTensor>() : nullptr;
            // A conversion to another dtype copies, whatever its name.
            if (made != nullptr && made->view.dtype() == source->view.dtype()) {
                frame.sources[*slot] = {.slot = from, .step = &step};
            }
        }
    }
}

/// Writes the result of an in-place operator to its first argument.
Result<> Runner::afterInPlace(const Step& step, Frame& frame) {
    const auto target = step.operands.empty() ? std::nullopt : slotOf(step.operands.front());
    const auto result = step.results.empty() || step.results.front().slots.empty()
                            ? std::nullopt
                            : step.results.front().slots.front();
    const auto* changed =
        result && frame.values[*result] ? frame.values[*result]->as<ReferenceTensor>() : nullptr;
    if (!target || changed == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to modify in place");
    }
    const ReferenceTensor value = *changed;
    ET_TRY(write(*target, value, frame));
    frame.sources[*result] = {.slot = target, .step = nullptr};
    return {};
}

Result<> Runner::write(Slot slot, const ReferenceTensor& changed, Frame& frame) {
    const auto* before = frame.values[slot] ? frame.values[slot]->as<ReferenceTensor>() : nullptr;
    if (before == nullptr || before->view.sizes() != changed.view.sizes() ||
        before->view.dtype() != changed.view.dtype()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("cannot write {} in place of {}", core::describe(changed.view),
                                before == nullptr ? "no tensor" : core::describe(before->view)));
    }
    ReferenceTensor value = changed;
    while (frame.sources[slot].slot) {
        const Frame::Source source = frame.sources[slot];
        ET_ASSIGN(value, writtenThrough(source, slot, value, frame));
        slot = *source.slot;
    }
    frame.values[slot] = ReferenceValue{value};
    frame.written[slot] = true;
    return refreshViews(slot, frame);
}

/// New value of the tensor behind a view after the view becomes `changed`. Applying the view to the element
/// indices of the tensor maps view elements to tensor elements.
Result<ReferenceTensor> Runner::writtenThrough(const Frame::Source& source, Slot slot,
                                               const ReferenceTensor& changed, Frame& frame) {
    if (source.step == nullptr) {
        return changed;
    }
    ET_ASSIGN(const ReferenceTensor whole, tensorOf(frame.values[*source.slot].value_or(ReferenceValue{})));
    const ReferenceValue count{whole.view.numel()};
    const ReferenceValue sizes{ReferenceValue::List(whole.view.sizes().begin(), whole.view.sizes().end())};
    ET_ASSIGN(ReferenceTensor positions,
              calls.tensor("aten.arange.default", {count}, core::ScalarType::Long));
    ET_ASSIGN(positions,
              calls.tensor("aten.view_copy.default", {{positions}, sizes}, core::ScalarType::Long));
    ET_ASSIGN(auto arguments, operandValues(*source.step, frame));
    arguments.front() = {std::move(positions)};
    std::vector<ResultKind> kinds = source.step->kinds;
    for (ResultKind& kind : kinds) {
        std::ranges::fill(kind.dtypes, core::ScalarType::Long);
    }
    ET_ASSIGN(const auto views, calls.run(*source.step->op.row, arguments, kinds));
    const auto* list = views.front().as<ReferenceValue::List>();
    const auto& slots = source.step->results.front().slots;
    const auto item = static_cast<std::size_t>(std::ranges::find(slots, std::optional(slot)) - slots.begin());
    const ReferenceValue& view = list == nullptr ? views.front() : (*list)[item];
    const ReferenceValue everything{ReferenceValue::List{{std::int64_t{-1}}}};
    const core::ScalarType dtype = whole.view.dtype();
    ET_ASSIGN(ReferenceTensor flat, calls.tensor("aten.view_copy.default", {{whole}, everything}, dtype));
    ET_ASSIGN(ReferenceTensor flatView,
              calls.tensor("aten.view_copy.default", {view, everything}, core::ScalarType::Long));
    ET_ASSIGN(ReferenceTensor flatChange,
              calls.tensor("aten.view_copy.default", {{changed}, everything}, dtype));
    ET_ASSIGN(flat,
              calls.tensor("aten.scatter.src", {{flat}, {std::int64_t{0}}, {flatView}, {flatChange}}, dtype));
    return calls.tensor("aten.view_copy.default", {{flat}, sizes}, dtype);
}

/// Recomputes all values that share memory with `root`, each after its source: slots are in that order.
Result<> Runner::refreshViews(Slot root, Frame& frame) {
    std::vector<bool> stale(frame.values.size(), false);
    stale[root] = true;
    for (Slot slot = root + 1; slot < frame.values.size(); ++slot) {
        const Frame::Source& source = frame.sources[slot];
        if (!source.slot || !stale[*source.slot]) {
            continue;
        }
        stale[slot] = true;
        if (source.step == nullptr) {
            frame.values[slot] = frame.values[*source.slot];
            continue;
        }
        ET_ASSIGN(auto arguments, operandValues(*source.step, frame));
        ET_ASSIGN(const auto results, calls.run(*source.step->op.row, arguments, source.step->kinds));
        ET_TRY(store(*source.step, results, frame));
    }
    return {};
}

}  // namespace et::backends::reference

#include "backends/reference/interpreter_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

// Partial execution of a graph: running some nodes on given values, or computing some values from others.
namespace et::backends::reference {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::ExportedGraph;

namespace {

void storeValues(Frame& frame, const Interpreter::Values& given) {
    for (const auto& [name, value] : given) {
        if (const auto slot = frame.plan->find(name)) {
            frame.values[*slot] = value;
        }
    }
}

/// Values that a control flow step passes to its graphs unchanged; aligned from the end, since earlier values
/// may be passed row by row.
void passUnchanged(const Step& step, const Frame& outer, Frame& inner) {
    std::vector<const Operand*> handed;
    for (const Operand& operand : step.operands) {
        if (const auto* list = std::get_if<Operand::List>(&operand.content)) {
            std::ranges::for_each(*list, [&](const Operand& item) { handed.push_back(&item); });
        } else if (std::holds_alternative<Slot>(operand.content)) {
            handed.push_back(&operand);
        }
    }
    const auto& inputs = inner.plan->inputs;
    for (std::size_t i = 0; i < std::min(handed.size(), inputs.size()); ++i) {
        const auto* from = std::get_if<Slot>(&handed[handed.size() - 1 - i]->content);
        const auto* to = std::get_if<Slot>(&inputs[inputs.size() - 1 - i].content);
        const auto& value = from == nullptr ? std::nullopt : outer.values[*from];
        if (to != nullptr && value && value->as<ReferenceTensor>() != nullptr &&
            value->as<ReferenceTensor>()->view.isConstant()) {
            inner.values[*to] = value;
        }
    }
}

}  // namespace

Frame Interpreter::Impl::frameWith(const Values& given) const {
    Frame made = frame();
    storeValues(made, given);
    return made;
}

Result<Interpreter::Values> Interpreter::replay(std::span<const etrecord::NodeIndex> nodes,
                                                const Values& given) {
    impl->runner.begin(nullptr);
    Frame frame = impl->frameWith(given);
    const std::set<etrecord::NodeIndex> wanted(nodes.begin(), nodes.end());
    Values made;
    for (const Step& step : impl->plan->steps) {
        if (!wanted.contains(step.node)) {
            continue;
        }
        ET_TRY(impl->runner.runStep(step, frame));
        forResults(step, [&](Slot slot) {
            const std::string_view name = impl->plan->names[slot];
            made.insert_or_assign(std::string(name), frame.values[slot].value_or(ReferenceValue{}));
            if (const auto known = given.find(name); known != given.end()) {
                frame.values[slot] = known->second;
            }
        });
    }
    return made;
}

/// The steps that compute `needed`, in order, without those whose results are in the frame.
std::vector<const Step*> Interpreter::Impl::stepsFor(std::set<Slot> needed, const Frame& values) {
    std::vector<const Step*> steps;
    for (const Step& step : values.plan->steps | std::views::reverse) {
        bool runs = false;
        forResults(step, [&](Slot slot) { runs = runs || (needed.contains(slot) && !values.values[slot]); });
        if (runs) {
            steps.push_back(&step);
            std::ranges::for_each(step.operands, [&](const Operand& operand) { addSlots(operand, needed); });
        }
    }
    std::ranges::reverse(steps);
    return steps;
}

/// The frame of a nested subgraph, with the parameters and buffers passed to it.
std::optional<Frame> Interpreter::Impl::frameOf(const ExportedGraph& subgraph, const Frame& outer) const {
    for (const Step& step : outer.plan->steps) {
        for (const Operand& operand : step.operands) {
            const auto* inner = std::get_if<std::shared_ptr<const Plan>>(&operand.content);
            if (inner == nullptr) {
                continue;
            }
            Frame made(**inner);
            passUnchanged(step, outer, made);
            if ((*inner)->graph == &subgraph) {
                return made;
            }
            if (auto deeper = frameOf(subgraph, made)) {
                return deeper;
            }
        }
    }
    return std::nullopt;
}

Result<Interpreter::Values> Interpreter::evaluate(std::span<const std::string> wanted, const Values& given,
                                                  const ExportedGraph* subgraph) {
    impl->runner.begin(nullptr);
    std::optional<Frame> frame =
        subgraph == nullptr ? impl->frame() : impl->frameOf(*subgraph, impl->frame());
    if (!frame) {
        return fail(ErrorCode::InvalidArgument, "not a subgraph of this graph");
    }
    storeValues(*frame, given);
    std::set<Slot> slots;
    for (const std::string& name : wanted) {
        const auto slot = frame->plan->find(name);
        if (!slot) {
            return fail(ErrorCode::NotFound,
                        fmt::format("the graph has no value \"{}\"", core::printable(name)));
        }
        slots.insert(*slot);
    }
    for (const Step* step : Impl::stepsFor(slots, *frame)) {
        ET_TRY(impl->runner.runStep(*step, *frame));
    }
    Values made;
    for (const Slot slot : slots) {
        ET_ASSIGN(ReferenceValue value, impl->runner.value(Operand{slot}, *frame));
        made.emplace(frame->plan->names[slot], std::move(value));
    }
    return made;
}

}  // namespace et::backends::reference

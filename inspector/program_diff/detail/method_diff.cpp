#include "inspector/program_diff/detail/method_diff.h"

#include "inspector/program_diff/detail/delegate_diff.h"
#include "inspector/program_diff/detail/slot_diff.h"
#include "inspector/program_diff/detail/step_alignment.h"
#include "inspector/program_diff/detail/step_diff.h"
#include "inspector/program_diff/detail/steps.h"
#include "inspector/program_diff/detail/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::program_diff::detail {
namespace {

using AddCount = void (TwoCounts::*)(std::string_view, std::uint64_t);
using CallsByBackend = std::map<std::string_view, std::vector<std::size_t>>;
using core::Result;
using program::InitialData;
using program::Method;
using program::TensorInfo;

/// One of the two counting functions of TwoCounts.

/// Maximum number of backends reported; far above any real program.
constexpr std::size_t maxBackends = 64;

bool isOperator(const Step& step, const Method& method) {
    return std::holds_alternative<program::KernelCall>(method.chains[step.chain].instructions[step.number]);
}

/// Delegate calls of one side by backend, as instruction indices.

CallsByBackend callsOf(const StepList& list) {
    CallsByBackend calls;
    for (std::size_t i = 0; i < list.steps.size(); ++i) {
        if (list.steps[i].delegate) {
            calls[list.steps[i].kind].push_back(i);
        }
    }
    return calls;
}

/// Counts the steps between the first and last call of a backend, except its own calls.
void countBetween(const StepList& list, const std::vector<std::size_t>& calls, TwoCounts& counts,
                  AddCount add) {
    for (std::size_t i = calls.front(); i < calls.back(); ++i) {
        if (list.steps[i].kind != list.steps[calls.front()].kind) {
            (counts.*add)(list.steps[i].kind, 1);
        }
    }
}

/// Counts a method's operator calls; the list contains its steps.
void countOperators(const StepList& list, const Method& method, TwoCounts& counts, AddCount add) {
    for (const Step& step : list.steps) {
        if (isOperator(step, method)) {
            (counts.*add)(step.kind, 1);
        }
    }
}

/// Returns one entry for each backend that either side calls.
std::vector<PartitionDiff> diffPartitions(const StepList& before, const StepList& after) {
    const CallsByBackend left = callsOf(before);
    const CallsByBackend right = callsOf(after);
    std::set<std::string_view> backends;
    std::ranges::copy(left | std::views::keys, std::inserter(backends, backends.end()));
    std::ranges::copy(right | std::views::keys, std::inserter(backends, backends.end()));
    std::vector<PartitionDiff> out;
    for (const std::string_view backend : backends | std::views::take(maxBackends)) {
        PartitionDiff diff{.backend = std::string(backend), .calls = {}, .between = {}};
        TwoCounts between;
        if (const auto found = left.find(backend); found != left.end()) {
            diff.calls.before = found->second.size();
            countBetween(before, found->second, between, &TwoCounts::addBefore);
        }
        if (const auto found = right.find(backend); found != right.end()) {
            diff.calls.after = found->second.size();
            countBetween(after, found->second, between, &TwoCounts::addAfter);
        }
        diff.between = between.list();
        out.push_back(std::move(diff));
    }
    return out;
}

Slots inputsOf(const Method& method) {
    return {.method = method, .ids = method.inputs};
}
Slots outputsOf(const Method& method) {
    return {.method = method, .ids = method.outputs};
}

/// Total bytes of a method's constant tensors.
std::uint64_t constantBytes(const Method& method) {
    std::uint64_t sum = 0;
    for (const program::Value& value : method.values) {
        const auto* tensor = value.as<TensorInfo>();
        const bool held = tensor != nullptr && tensor->initialData != InitialData::None && tensor->byteSize;
        sum += held ? static_cast<std::uint64_t>(*tensor->byteSize) : 0;
    }
    return sum;
}

std::vector<ArenaDiff> diffArenas(const std::vector<program::Arena>& before,
                                  const std::vector<program::Arena>& after) {
    std::vector<ArenaDiff> arenas;
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
        const BeforeAfter<std::uint64_t> bytes{i < before.size() ? before[i].bytes : 0,
                                               i < after.size() ? after[i].bytes : 0};
        if (i > 0 || bytes.before > 0 || bytes.after > 0) {
            arenas.push_back({.id = i, .bytes = bytes});
        }
    }
    return arenas;
}

std::string insideText(const DelegateDiff& delegate) {
    const auto count = [&](Change change) {
        return std::ranges::count(delegate.nodes, change, &StepDiff::change);
    };
    const auto moved = std::ranges::count(delegate.nodes, true, &StepDiff::moved);
    std::string text;
    for (const auto& [number, what] :
         {std::pair(count(Change::Changed), "changed"), std::pair(count(Change::Added), "added"),
          std::pair(count(Change::Removed), "removed"), std::pair(moved, "moved")}) {
        text += number > 0 ? fmt::format(", {} {}", number, what) : "";
    }
    return text;
}

/// Adds the changes inside a delegate to the instruction that calls it.
void addDelegateChanges(const DelegateDiff& delegate, StepDiff& step) {
    if (delegate.change != Change::Changed) {
        return;
    }
    step.change = Change::Changed;
    for (const AttributeChange& spec : delegate.compileSpecs) {
        step.attributes.push_back({"compile spec " + spec.name, spec.before, spec.after});
    }
    if (std::ranges::any_of(delegate.nodes, &StepDiff::differs)) {
        const auto removed = std::ranges::count(delegate.nodes, Change::Removed, &StepDiff::change);
        const auto added = std::ranges::count(delegate.nodes, Change::Added, &StepDiff::change);
        const auto all = std::ssize(delegate.nodes);
        step.attributes.push_back({"inside", fmt::format("{} nodes", all - added),
                                   fmt::format("{} nodes{}", all - removed, insideText(delegate))});
    } else if (!delegate.payloadSame) {
        step.attributes.push_back({"payload", fmt::format("{} bytes", delegate.payloadBytes.before),
                                   fmt::format("{} different bytes", delegate.payloadBytes.after)});
    }
}

/// Named tensors of a method, wherever they are used.
std::map<std::string_view, const TensorInfo*> namedTensors(const Method& method) {
    std::map<std::string_view, const TensorInfo*> named;
    for (const program::Value& value : method.values) {
        const auto* tensor = value.as<TensorInfo>();
        if (tensor != nullptr && !tensor->name.empty() && tensor->initialData == InitialData::Program) {
            named.emplace(tensor->name, tensor);
        }
    }
    return named;
}

class MethodDiffer {
  public:
    MethodDiffer(const MethodSide& left, const MethodSide& right, Backends known, ConstantComparer& constants)
        : before(left), after(right), inBefore(left, known), inAfter(right, known), comparer(constants) {}

    Result<MethodDiff> diff() {
        ET_ASSIGN(StepList left, stepsOf(before.method, before.tensorData));
        ET_ASSIGN(StepList right, stepsOf(after.method, after.tensorData));
        inBefore.tell(left);
        inAfter.tell(right);
        const Alignment alignment = align(left, right);
        const AlignedSteps aligned{.before = left,
                                   .after = right,
                                   .alignment = alignment,
                                   .inputs = alignSlots(inputsOf(before.method), inputsOf(after.method))};
        result.name = after.method.name;
        result.inputs = diffSlots(inputsOf(before.method), inputsOf(after.method), aligned.inputs);
        diffOutputs(aligned);
        ET_TRY(diffInstructions(aligned));
        result.partitions = diffPartitions(left, right);
        TwoCounts operators;
        countOperators(left, before.method, operators, &TwoCounts::addBefore);
        countOperators(right, after.method, operators, &TwoCounts::addAfter);
        result.operators = operators.list();
        result.arenas = diffArenas(before.method.arenas, after.method.arenas);
        result.plannedBytes = {before.method.plannedBytes(), after.method.plannedBytes()};
        result.constantBytes = {constantBytes(before.method), constantBytes(after.method)};
        ET_TRY(diffNamedTensors());
        result.change = changed() ? Change::Changed : Change::Same;
        return std::move(result);
    }

  private:
    void diffOutputs(const AlignedSteps& aligned) {
        const auto partners = alignSlots(outputsOf(before.method), outputsOf(after.method));
        result.outputs = diffSlots(outputsOf(before.method), outputsOf(after.method), partners);
        const Correspondence correspondence(aligned);
        for (std::size_t i = 0; i < partners.size(); ++i) {
            const Operand* left = outputAt(aligned.before, i);
            const Operand* right = partners[i] ? outputAt(aligned.after, *partners[i]) : nullptr;
            if (left == nullptr || right == nullptr || correspondence.sameSource(*left, *right)) {
                continue;
            }
            const auto slot = std::ranges::find_if(result.outputs, [&](const SlotDiff& each) {
                return each.position == *partners[i] && each.change != Change::Added &&
                       each.change != Change::Removed;
            });
            if (slot != result.outputs.end() && left->kind != Operand::Kind::Literal) {
                slot->change = Change::Changed;
                slot->attributes.push_back(
                    {"comes from", sourceText(*left, aligned.before), sourceText(*right, aligned.after)});
            }
        }
    }

    /// The operand of an output; null if the output is a list.
    static const Operand* outputAt(const StepList& list, std::size_t position) {
        const auto found = std::ranges::equal_range(list.outputs, position, {}, &Operand::argument);
        return std::ranges::size(found) == 1 ? &*found.begin() : nullptr;
    }

    Result<> diffInstructions(const AlignedSteps& aligned) {
        ET_ASSIGN(StepListDiff steps, diffSteps(aligned, comparer));
        ET_ASSIGN(DelegatesDiff delegates, diffDelegates(inBefore, inAfter, aligned, comparer));
        std::map<std::size_t, const DelegateDiff*> byNumber;
        for (const DelegateDiff& each : delegates.delegates) {
            if (each.before && each.after) {
                byNumber.emplace(*each.after, &each);
            }
        }
        for (StepDiff& step : steps.steps) {
            const auto* call = step.before && step.after ? delegateCall(step) : nullptr;
            const auto found = call == nullptr ? byNumber.end() : byNumber.find(call->delegate.value);
            if (found != byNumber.end()) {
                addDelegateChanges(*found->second, step);
            }
        }
        result.steps = std::move(steps.steps);
        result.constants = std::move(steps.constants);
        std::ranges::move(delegates.constants, std::back_inserter(result.constants));
        result.delegates = std::move(delegates.delegates);
        return {};
    }

    [[nodiscard]] const program::DelegateCall* delegateCall(const StepDiff& step) const {
        return std::get_if<program::DelegateCall>(&after.method.chains[step.chain].instructions[*step.after]);
    }

    Result<> diffNamedTensors() {
        const auto left = namedTensors(before.method);
        std::set<std::string> known;
        for (const ConstantDiff& each : result.constants) {
            known.insert(each.name);
        }
        for (const auto& [name, tensor] : namedTensors(after.method)) {
            const auto found = left.find(name);
            if (found == left.end() || known.contains(std::string(name)) ||
                typeText(*found->second) != typeText(*tensor)) {
                continue;
            }
            const std::string dtype = core::scalarTypeName(tensor->scalarType);
            ET_ASSIGN(const ElementDifference difference,
                      comparer.compare({.name = {}, .dtype = dtype, .bytes = found->second->data},
                                       {.name = {}, .dtype = dtype, .bytes = tensor->data}));
            if (difference.different > 0) {
                result.constants.push_back({.name = std::string(name),
                                            .type = typeText(*tensor),
                                            .elements = difference.elements,
                                            .different = difference.different,
                                            .maxAbsoluteDifference = difference.maxAbsolute});
            }
        }
        return {};
    }

    [[nodiscard]] bool changed() const {
        const auto slotChanged = [](const SlotDiff& slot) { return slot.change != Change::Same; };
        const auto delegateChanged = [](const DelegateDiff& each) { return each.change != Change::Same; };
        const auto arenaChanged = [](const ArenaDiff& each) { return each.bytes.differ(); };
        return std::ranges::any_of(result.inputs, slotChanged) ||
               std::ranges::any_of(result.outputs, slotChanged) ||
               std::ranges::any_of(result.steps, &StepDiff::differs) ||
               std::ranges::any_of(result.delegates, delegateChanged) ||
               std::ranges::any_of(result.arenas, arenaChanged) || result.constantBytes.differ() ||
               !result.constants.empty();
    }

    const MethodSide& before;
    const MethodSide& after;
    DelegateGraphs inBefore, inAfter;
    ConstantComparer& comparer;
    MethodDiff result;
};

}  // namespace

Result<MethodDiff> diffMethods(const MethodSide& before, const MethodSide& after, Backends backends,
                               ConstantComparer& comparer) {
    return MethodDiffer(before, after, backends, comparer).diff();
}

Result<MethodDiff> loneMethod(const MethodSide& side, Change change, Backends backends) {
    const Method& method = side.method;
    Method nothing;
    const bool removed = change == Change::Removed;
    const Method& left = removed ? method : nothing;
    const Method& right = removed ? nothing : method;
    ET_ASSIGN(const StepList list, stepsOf(method, side.tensorData));
    const StepList none;
    const StepList& stepsBefore = removed ? list : none;
    const StepList& stepsAfter = removed ? none : list;
    MethodDiff result;
    result.name = method.name;
    result.change = change;
    result.inputs = diffSlots(inputsOf(left), inputsOf(right), alignSlots(inputsOf(left), inputsOf(right)));
    result.outputs =
        diffSlots(outputsOf(left), outputsOf(right), alignSlots(outputsOf(left), outputsOf(right)));
    for (const Step& step : list.steps) {
        result.steps.push_back(loneStep(step, change));
    }
    TwoCounts operators;
    countOperators(list, method, operators, removed ? &TwoCounts::addBefore : &TwoCounts::addAfter);
    result.operators = operators.list();
    DelegateGraphs inside(side, backends);
    result.delegates = loneDelegates(inside, change);
    result.partitions = diffPartitions(stepsBefore, stepsAfter);
    result.arenas = diffArenas(left.arenas, right.arenas);
    result.plannedBytes = {left.plannedBytes(), right.plannedBytes()};
    result.constantBytes = {constantBytes(left), constantBytes(right)};
    return result;
}

}  // namespace et::inspector::program_diff::detail

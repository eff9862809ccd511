#include "inspector/delegates/instruction_placement.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <variant>

namespace et::inspector {
namespace {

using Instructions = std::span<const program::Instruction>;

Instructions instructionsOf(const MethodDelegates& delegates) {
    return delegates.method == nullptr || delegates.method->chains.empty()
               ? Instructions()
               : Instructions(delegates.method->chains.front().instructions);
}

/// Delegates by the instructions that call them.
using Calls = std::map<core::InstructionId, std::size_t>;

Calls callsOf(const MethodDelegates& delegates) {
    Calls calls;
    for (std::size_t i = 0; i < delegates.delegates.size(); ++i) {
        for (const DelegateCallSite& call : delegates.delegates[i].calls) {
            if (call.chain == 0) {
                calls.emplace(call.instruction, i);
            }
        }
    }
    return calls;
}

std::string_view backendOf(const MethodDelegates& delegates, std::size_t number) {
    const program::Delegate* const delegate = delegates.delegates[number].delegate;
    return delegate == nullptr ? std::string_view() : delegate->backend;
}

/// `at` must not call a delegate itself.
std::optional<InstructionPlacement::Split> splitAt(const MethodDelegates& delegates, const Calls& calls,
                                                   core::InstructionId at) {
    const auto after = calls.lower_bound(at);
    if (after == calls.begin() || after == calls.end()) {
        return std::nullopt;
    }
    const auto before = std::prev(after);
    const std::string_view backend = backendOf(delegates, before->second);
    return backend == backendOf(delegates, after->second)
               ? std::optional(InstructionPlacement::Split{
                     .backend = std::string(backend), .before = before->first, .after = after->first})
               : std::nullopt;
}

void countAlike(const MethodDelegates& delegates, InstructionPlacement& placement) {
    for (const OperatorPlacement& each : delegates.operators) {
        if (names::detail::nodeOperator(each.name) == placement.op) {
            placement.alike += each.total() - each.absent;
            placement.alikeDelegated += each.delegated;
        }
    }
}

std::string explainPlacement(const MethodDelegates& delegates, const InstructionPlacement& placement) {
    if (delegates.delegates.empty()) {
        return "the method has no delegate: it was exported without a partitioner, or the partitioner "
               "selected nothing";
    }
    if (isQuantization(placement.op)) {
        return "it converts inputs or outputs of delegates";
    }
    if (delegates.operatorSource != PlacementSource::EdgeGraph || placement.alike == 0) {
        return "the partitioner left it out; open the ETRecord to see where similar operators run";
    }
    return placement.alikeDelegated == 0
               ? fmt::format("the partitioner selected none of the {} `{}` in the method", placement.alike,
                             placement.op)
               : fmt::format(
                     "the partitioner selected {} of the {} `{}` in the method: check dtypes, shapes and "
                     "arguments of this one",
                     placement.alikeDelegated, placement.alike, placement.op);
}

}  // namespace

std::optional<InstructionPlacement> findPlacement(const MethodDelegates& delegates, core::InstructionId at) {
    const Instructions instructions = instructionsOf(delegates);
    if (at.value < 0 || static_cast<std::size_t>(at.value) >= instructions.size()) {
        return std::nullopt;
    }
    InstructionPlacement placement;
    const Calls calls = callsOf(delegates);
    if (const auto call = calls.find(at); call != calls.end()) {
        placement.backend = backendOf(delegates, call->second);
        placement.delegate = call->second;
        return placement;
    }
    const auto* const kernel =
        std::get_if<program::KernelCall>(&instructions[static_cast<std::size_t>(at.value)]);
    if (kernel == nullptr) {
        return std::nullopt;
    }
    const std::string name = delegates.method->op(kernel->op).fullName();
    placement.op = names::detail::kernelOperator(name);
    countAlike(delegates, placement);
    placement.splits = splitAt(delegates, calls, at);
    placement.why = explainPlacement(delegates, placement);
    return placement;
}

}  // namespace et::inspector

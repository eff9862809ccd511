#include "app/tasks/rewrite/memory_poison.h"

#include "runtime/core/event_names.h"
#include "runtime/core/tensor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;
using inspector::PlannedTensor;
using inspector::TensorKind;

constexpr std::array wholeInstructions{core::event_name::operatorCall, core::event_name::delegateCall,
                                       core::event_name::moveCall, core::event_name::jumpCall,
                                       core::event_name::freeCall};

/// At the end of a loop, values used by the loop are still needed, except after the last iteration.
bool jumps(const program::Method& method, const inspector::ChainPosition& at) {
    const auto& instructions = method.chains[at.chain].instructions;
    return std::holds_alternative<program::JumpFalseCall>(
        instructions[static_cast<std::size_t>(at.instruction.value)]);
}

}  // namespace

void MemoryPoison::overwrite(std::span<std::byte> memory) const {
    std::ranges::fill(memory, pattern);
}

core::TraceName MemoryPoison::name(std::string_view text) {
    ends.push_back(std::ranges::contains(wholeInstructions, text));
    return core::TraceName(static_cast<std::uint32_t>(ends.size() - 1));
}

Result<> MemoryPoison::watch(executor::Method& loaded) {
    const program::Method& method = loaded.description();
    ET_ASSIGN(const auto timeline, inspector::MemoryTimeline::build(method));
    if (!timeline.overlaps.empty()) {
        return {};  // it is unknown which of them are needed
    }
    for (const PlannedTensor& tensor : timeline.tensors) {
        const auto* const value = loaded.value(tensor.value).as<core::Tensor>();
        if (value == nullptr || value->raw() == nullptr || tensor.kind == TensorKind::State ||
            tensor.kind == TensorKind::Unused) {
            continue;
        }
        const std::span memory(value->raw(), static_cast<std::size_t>(tensor.bytes));
        betweenExecutions.push_back(memory);
        if (!tensor.isHandedOn && tensor.lastStep >= 0 &&
            static_cast<std::size_t>(tensor.lastStep) < timeline.steps.size()) {
            const auto& at = timeline.steps[static_cast<std::size_t>(tensor.lastStep)];
            if (!jumps(method, at)) {
                freedAfter[{static_cast<std::int64_t>(at.chain), at.instruction.value}].push_back(memory);
            }
        }
    }
    return {};
}

void MemoryPoison::beforeInputs() {
    for (const std::span<std::byte> memory : betweenExecutions) {
        overwrite(memory);
    }
}

void MemoryPoison::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t, std::uint64_t,
                           core::Bytes) {
    if (!ends[event.value]) {
        return;
    }
    const auto found = freedAfter.find({ids.chain, ids.instruction});
    if (found != freedAfter.end()) {
        for (const std::span<std::byte> memory : found->second) {
            overwrite(memory);
        }
    }
}

}  // namespace et::tasks

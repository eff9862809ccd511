#include "inspector/roofline/fused_calls.h"

#include "inspector/join/places.h"
#include "inspector/names/operator_names.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/fusion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

using join::detail::Place;

const program::KernelCall* kernelAt(const program::Method& method, const Place& place) {
    const program::Instruction* const instruction = join::detail::instructionAt(method, place);
    return instruction == nullptr ? nullptr : std::get_if<program::KernelCall>(instruction);
}

const kernels::KernelEntry* entryOf(const program::Method& method, const program::KernelCall& call) {
    return kernels::builtin().find(method.op(call.op).fullName());
}

/// The first value that a call writes.
std::optional<program::ValueId> resultOf(const kernels::KernelEntry& entry, const program::KernelCall& call) {
    const auto first = static_cast<std::size_t>(std::countr_zero(entry.kernel.written));
    return first < call.args.size() ? std::optional(call.args[first]) : std::nullopt;
}

/// Number of instructions from `first` on that the runtime may have fused.
std::size_t numFusable(const program::Method& method, const Place& first) {
    const program::KernelCall* call = kernelAt(method, first);
    const kernels::KernelEntry* entry = call == nullptr ? nullptr : entryOf(method, *call);
    const kernels::Fusion* const fusion = entry == nullptr ? nullptr : kernels::fusionOf(*entry);
    std::size_t count = 1;
    for (; fusion != nullptr && count <= fusion->maxBehind; ++count) {
        const auto result = resultOf(*entry, *call);
        const Place next{first.first,
                         core::InstructionId(first.second.value + static_cast<std::int32_t>(count))};
        call = kernelAt(method, next);
        entry = call == nullptr ? nullptr : entryOf(method, *call);
        const kernels::FusedOperator* const behind =
            entry == nullptr ? nullptr : kernels::behindIn(*fusion, *entry);
        if (behind == nullptr || behind->input >= call->args.size() || !result ||
            call->args[behind->input] != *result) {
            break;
        }
    }
    return count;
}

/// Whether `next` began when `event` ended in all runs; between unfused events the clock is read twice.
bool isBackToBack(const Event& event, const Event& next, double ticksOfUnit) {
    constexpr double halfTick = 0.5;
    if (event.samples.empty() || event.samples.size() != next.samples.size()) {
        return false;
    }
    for (std::size_t run = 0; run < event.samples.size(); ++run) {
        const auto between = static_cast<double>(next.startTicks[run] - event.startTicks[run]);
        if (std::abs(between - event.samples[run] * ticksOfUnit) >= halfTick) {
            return false;
        }
    }
    return true;
}

}  // namespace

void leaveOutWhatStaysInCache(const Block& block, const program::Method& method, const JoinOptions& options,
                              std::map<const Event*, OperatorCost>& costs) {
    if (options.source == TimeScale::Cycles || options.target == TimeScale::Cycles) {
        return;
    }
    const double ticksOfUnit = ticksPerUnit(options.source, options.target);
    std::map<Place, std::vector<const Event*>> calls;  // events of a kernel and of its operator
    for (const Event& event : block.events) {
        if (!event.delegated && names::detail::isCall(event.name)) {
            calls[{event.chain, event.instruction}].push_back(&event);
        }
    }
    for (auto at = calls.begin(); at != calls.end();) {
        const std::size_t most = numFusable(method, at->first);
        auto first = at++;
        for (std::size_t i = 1; i < most && at != calls.end(); ++i, ++at) {
            const auto before = std::prev(at);
            if (!isBackToBack(*before->second.front(), *at->second.front(), ticksOfUnit)) {
                break;
            }
            const bool isConvolution =
                method.op(kernelAt(method, first->first)->op).fullName() == "aten::convolution.out";
            for (const Event* const event : (isConvolution ? at : first)->second) {
                if (const auto cost = costs.find(event); cost != costs.end()) {
                    cost->second.bytesRead = 0;
                    cost->second.bytesWritten = 0;
                }
            }
        }
    }
}

}  // namespace et::inspector

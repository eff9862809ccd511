#include "runtime/executor/detail/method_events.h"

#include "runtime/core/event_names.h"
#include "runtime/core/fused_events.h"
#include "runtime/executor/allocators.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace et::executor::detail {

using core::EventTracer;

void MethodEvents::setTracer(EventTracer* to) {
    receiver = to;
    debugLevel = receiver == nullptr ? core::DebugLevel::None : receiver->debugLevel();
    fuses = receiver == nullptr || (debugLevel != core::DebugLevel::Intermediates &&
                                    dynamic_cast<const core::TakesFusedEvents*>(receiver) != nullptr);
    if (receiver == nullptr) {
        return;
    }
    names = {.operatorCall = receiver->name(core::event_name::operatorCall),
             .delegateCall = receiver->name(core::event_name::delegateCall),
             .move = receiver->name(core::event_name::moveCall),
             .jump = receiver->name(core::event_name::jumpCall),
             .free = receiver->name(core::event_name::freeCall),
             .execute = receiver->name(core::event_name::methodExecute),
             .init = receiver->name(core::event_name::methodInit)};
    for (Step& step : steps.all) {
        if (step.kind == Step::Kind::Kernel) {
            step.name = receiver->name(eventName(method.operators[step.target]));
        }
    }
}

void MethodEvents::logLoad(std::uint64_t start, std::uint64_t initStart) {
    const core::TraceIds ids{.chain = -1, .instruction = 0};
    const std::uint64_t end = EventTracer::now();
    logMemory();
    receiver->profile(names.init, ids, initStart, end);
    receiver->profile(receiver->name(core::event_name::loadMethod), ids, start, end);
}

void MethodEvents::beginExecution() {
    receiver->beginRun("Execute");
    startTime = EventTracer::now();
}

void MethodEvents::endExecution(bool succeeded) {
    const core::TraceIds ids{.chain = -1, .instruction = 0};
    const std::uint64_t end = EventTracer::now();
    logMemory();
    receiver->profile(names.execute, ids, startTime, end);
    if (!succeeded) {
        return;
    }
    if (debugLevel != core::DebugLevel::None) {
        for (const program::ValueId id : method.outputs) {
            receiver->debug(names.execute, ids, values.at(id), true);
        }
    }
    receiver->endRun();
}

core::TraceName MethodEvents::nameOf(Step::Kind kind) const {
    switch (kind) {
        case Step::Kind::Kernel:
            break;
        case Step::Kind::Delegate:
            return names.delegateCall;
        case Step::Kind::Move:
            return names.move;
        case Step::Kind::JumpFalse:
            return names.jump;
        case Step::Kind::Free:
            return names.free;
    }
    return names.operatorCall;
}

void MethodEvents::logArguments(Step& step) {
    logValues(nameOf(step.kind), {.chain = step.chain, .instruction = step.instruction}, step.arguments);
}

void MethodEvents::logKernel(const Step& step, std::uint64_t start, std::uint64_t end) {
    receiver->profile(step.name, {.chain = step.chain, .instruction = step.instruction}, start, end);
}

void MethodEvents::logStep(const Step& step, std::uint64_t start, std::uint64_t end) {
    receiver->profile(nameOf(step.kind), {.chain = step.chain, .instruction = step.instruction}, start, end);
}

/// Logs one event per fused operator, back to back, covering the total time. The time of each cannot be
/// measured because their values share registers, so the total is split by work.
void MethodEvents::logFused(std::size_t at, const kernels::FusedWork& work, std::uint64_t start,
                            std::uint64_t end) {
    const std::size_t count = steps.all[at].fused->count;
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    std::array<std::uint64_t, kernels::maxFused + 1> bounds{};
    bounds[0] = start;
    double done = 0;
    for (std::size_t i = 0; i < count; ++i) {
        done += work[i];
        const auto share = static_cast<std::uint64_t>(static_cast<double>(end - start) * done / all);
        // Every event has a nonzero duration, even a transposition that is skipped.
        bounds[i + 1] = i + 1 == count ? end : std::min(std::max(start + share, bounds[i] + 1), end);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Step& step = steps.all[at + i];
        const core::TraceIds ids{.chain = step.chain, .instruction = step.instruction};
        receiver->profile(step.name, ids, bounds[i], bounds[i + 1]);
        receiver->profile(names.operatorCall, ids, bounds[i], bounds[i + 1]);
    }
}

void MethodEvents::logResults(Step& step) {
    const core::TraceIds ids{.chain = step.chain, .instruction = step.instruction};
    for (std::uint64_t written = step.entry->kernel.written; written != 0; written &= written - 1) {
        const auto index = static_cast<std::size_t>(std::countr_zero(written));
        logValues(step.name, ids, step.arguments.subspan(index, 1));
    }
}

void MethodEvents::logValues(core::TraceName name, const core::TraceIds& ids,
                             std::span<core::Value* const> list) {
    if (!receiver->wantsDebug(name, ids)) {
        return;
    }
    for (core::Value* value : list) {
        receiver->debug(name, ids, *value, false);
    }
}

void MethodEvents::logMemory() {
    if (std::exchange(reportedTracer, receiver) != receiver) {
        reportedMemory.clear();
    }
    std::size_t at = 0;
    const auto tell = [&](MemoryKind kind, std::uint64_t bytes, std::size_t number = 0) {
        if (at == reportedMemory.size()) {
            reportedMemory.push_back(0);
        }
        std::uint64_t& before = reportedMemory[at++];
        if (bytes <= before) {
            return;
        }
        const std::uint32_t id =
            receiver->allocator(allocatorName({.kind = kind, .method = method.name, .number = number}));
        if (id != 0) {
            receiver->allocation(id, bytes - before);
        }
        before = bytes;
    };
    for (std::size_t arena = 0; arena < values.taken.size(); ++arena) {
        tell(MemoryKind::PlannedArena, values.taken[arena], arena);
    }
    tell(MemoryKind::CopiedConstants, values.report.copiedConstants);
    tell(MemoryKind::UnplannedIo, values.report.unplannedIo);
    tell(MemoryKind::KernelPackedWeights, values.report.packedWeights);
    for (std::size_t delegate = 0; delegate < steps.delegates.size(); ++delegate) {
        tell(MemoryKind::DelegatePackedWeights, steps.delegates[delegate]->packedBytes(), delegate);
        tell(MemoryKind::DelegateWorkspace, steps.delegates[delegate]->workspaceBytes(), delegate);
    }
    tell(MemoryKind::GrowingTensors, values.growingBytes());
    tell(MemoryKind::Temporary, scratch.peakBytes());
}

}  // namespace et::executor::detail

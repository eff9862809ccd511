#include "app/tasks/debug/timeline_reference.h"

#include "app/tasks/debug/detail/timeline_impl.h"
#include "app/tasks/debug/value_history.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/session/first_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;
using inspector::GapLevel;
using inspector::GapRow;
using inspector::GapTensor;
using inspector::NumericGap;

/// The last row of an instruction: of the whole, else of the last operator inside.
const GapRow* findRow(const NumericGap& gap, std::int32_t instruction) {
    const GapRow* found = nullptr;
    for (const GapRow& row : gap.rows) {
        const bool isBetter =
            found == nullptr || row.place == GapLevel::Instruction || found->place == GapLevel::Delegate;
        if (row.instruction == instruction && isBetter) {
            found = &row;
        }
    }
    return found;
}

/// The last row of an operator inside a delegate call.
const GapRow* findInnerRow(const NumericGap& gap, std::int32_t instruction, core::DebugHandle handle) {
    const GapRow* found = nullptr;
    for (const GapRow& row : gap.rows) {
        if (row.instruction == instruction && row.place == GapLevel::Delegate &&
            std::ranges::contains(row.runtimeHandles, handle)) {
            found = &row;
        }
    }
    return found;
}

/// The reference of result `index` of `count`.
const GapTensor* tensorOf(const GapRow& row, std::size_t index, std::size_t count) {
    if (row.pairs.size() == count) {
        return &row.pairs[index].reference;
    }
    return row.pairs.size() == 1 && count == 1 ? &row.pairs.front().reference : nullptr;
}

}  // namespace

struct TimelineReference::Impl {
    Impl(Timeline& of, std::shared_ptr<const etrecord::Record> from)
        : timeline(of), state(*of.impl), record(std::move(from)), history(of) {}

    [[nodiscard]] Result<std::vector<inspector::BufferValue>> buffersAtStart();
    [[nodiscard]] Result<std::shared_ptr<const NumericGap>> calculate();

    Timeline& timeline;
    Timeline::Impl& state;
    std::shared_ptr<const etrecord::Record> record;
    ValueHistory history;
    std::optional<kernels::KvCaches> caches;  ///< at the start of the execution
    /// By branch and execution.
    std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<const NumericGap>> gaps;
    std::uint64_t resets = 0;  ///< of the timeline, when they were computed
};

/// The first execution starts with the values in the program.
Result<std::vector<inspector::BufferValue>> TimelineReference::Impl::buffersAtStart() {
    std::vector<inspector::BufferValue> buffers;
    const program::Method& method = state.method()->description();
    const etrecord::ExportedGraph* const graph = record->edgeGraph(method.name);
    caches = kernels::KvCaches(state.model->limits.memoryBytes);
    caches->configure(state.model->module->caches().configuration());
    if (state.at.execution == 0 || graph == nullptr) {
        return buffers;
    }
    const TimelinePoint here = state.at;
    ET_TRY(state.goTo(here.execution, 0));
    caches = state.model->module->caches();
    for (const inspector::BufferPlace& place : inspector::findBuffers(*graph, method)) {
        if (const auto* tensor = state.method()->value(place.value).as<core::Tensor>()) {
            ET_ASSIGN(auto copied, inspector::rowMajorCopy(*tensor));
            buffers.push_back(
                {.input = place.input, .value = backends::reference::ReferenceValue{std::move(copied)}});
        }
    }
    ET_TRY(timeline.jump(here));
    return buffers;
}

Result<std::shared_ptr<const NumericGap>> TimelineReference::Impl::calculate() {
    ET_ASSIGN(const auto buffers, buffersAtStart());
    InputSet given;
    for (const StoredValue& each : *state.current().inputs) {
        given.values.push_back(inputOf(each));
    }
    ET_ASSIGN(const GapInputSet inputs,
              makeGapInputSet(given, fmt::format("execution {}", state.at.execution)));
    const std::uint64_t limit = state.model->limits.memoryBytes;
    inspector::ValueTracer tracer(limit);
    ET_TRY(timeline.trace(tracer));
    const std::uint64_t left = limit - tracer.bytesKept();
    const inspector::RuntimeValues values = tracer.take();
    const program::Method& method = state.method()->description();
    return inspector::calculateGap(
        {.record = *record,
         .method = method.name,
         .runtime = values,
         .program = &method,
         .inputs = inputs.values,
         .buffers = buffers,
         .cachesBefore = &*caches,
         .inputsName = inputs.name,
         .kernels = state.model->kernels,
         .threads = state.model->threads,
         .memoryBytes = left,
         .cancel = state.model->cancel},
        {.ownErrors = true, .reference = inspector::GapGraph::Edge, .keepsTensors = true});
}

TimelineReference::TimelineReference(Timeline& timeline, std::shared_ptr<const etrecord::Record> record)
    : impl(std::make_unique<Impl>(timeline, std::move(record))) {
}
TimelineReference::~TimelineReference() = default;

Result<std::shared_ptr<const NumericGap>> TimelineReference::gap() {
    Timeline::Impl& state = impl->state;
    if (!state.isInside) {
        return core::fail(core::ErrorCode::InvalidArgument, "nothing has been executed");
    }
    constexpr std::size_t maxKept = 4;
    if (std::exchange(impl->resets, state.resets) != state.resets || impl->gaps.size() > maxKept) {
        impl->gaps.clear();
    }
    auto& known = impl->gaps[{state.branch, state.at.execution}];
    if (known == nullptr) {
        ET_ASSIGN(known, impl->calculate());
    }
    return known;
}

Result<const GapRow*> TimelineReference::row() {
    ET_ASSIGN(const auto found, gap());
    const Timeline::Impl& state = impl->state;
    if (state.at.node && *state.at.node > 0 && state.view && state.next()) {
        const auto& handle = state.view->values[*state.at.node - 1].site.debugHandle;
        return handle ? findInnerRow(*found, state.next()->instruction, core::DebugHandle(*handle)) : nullptr;
    }
    return state.previous && state.previous->chain == 0 ? findRow(*found, state.previous->instruction)
                                                        : nullptr;
}

Result<const GapTensor*> TimelineReference::valueOf(program::ValueId value) {
    ET_ASSIGN(const auto written, impl->history.lastWrite(value));
    Timeline::Impl& state = impl->state;
    if (!written || written->isInput || written->point.execution != state.at.execution ||
        written->position.chain != 0) {
        return nullptr;
    }
    ET_ASSIGN(const auto found, gap());
    const GapRow* const row = findRow(*found, written->position.instruction);
    const auto& writes =
        state.access(state.method()->description()).at(0, written->position.instruction).writes;
    const auto index = std::ranges::find(writes, value) - writes.begin();
    return row == nullptr ? nullptr : tensorOf(*row, static_cast<std::size_t>(index), writes.size());
}

}  // namespace et::tasks

#include "app/devices/played_trace.h"

#include "inspector/tensor_files/debug_tensor.h"
#include "runtime/core/event_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <ranges>
#include <utility>
#include <vector>

namespace et::devices {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;
using core::Tensor;
using etdump::EventIndex;
using etdump::EventKind;

/// Returns a tensor over the read-only debug buffer.
Result<Tensor> tensorOf(const etdump::DebugTensor& logged, Bytes all) {
    if (!core::scalarType(logged.scalarType)) {
        return fail(ErrorCode::Format, fmt::format("expected a dtype, got {}", logged.scalarType));
    }
    ET_ASSIGN(Tensor tensor, Tensor::make(static_cast<core::ScalarType>(logged.scalarType), logged.sizes,
                                          nullptr, inspector::dimOrderOf(logged)));
    const auto offset = static_cast<std::uint64_t>(logged.offset);
    if (logged.offset < 0 || offset > all.size() || tensor.bytes() > all.size() - offset) {
        return fail(ErrorCode::Format, fmt::format("expected {} in a debug buffer of {} bytes, got offset {}",
                                                   describe(tensor), all.size(), logged.offset));
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read from
    tensor.setMemory(const_cast<std::byte*>(all.data()) + offset, tensor.bytes());
    return tensor;
}

}  // namespace

Result<PlayedTrace> PlayedTrace::open(std::shared_ptr<const core::MappedFile> trace,
                                      std::shared_ptr<const core::MappedFile> debugBuffer) {
    ET_ASSIGN(auto opened, etdump::Trace::parse(std::move(trace)));
    return PlayedTrace(std::move(opened), std::move(debugBuffer));
}

Result<core::Value> PlayedTrace::valueOf(const etdump::DebugValue& logged) const {
    if (const auto* tensor = std::get_if<etdump::DebugTensor>(&logged.value)) {
        return tensorOf(*tensor, buffer == nullptr ? Bytes() : buffer->bytes())
            .transform([](const Tensor& made) { return core::Value(made); });
    }
    if (const auto* whole = std::get_if<std::int64_t>(&logged.value)) {
        return core::Value(*whole);
    }
    if (const auto* number = std::get_if<double>(&logged.value)) {
        return core::Value(*number);
    }
    if (const auto* truth = std::get_if<bool>(&logged.value)) {
        return core::Value(*truth);
    }
    return core::Value();
}

Result<> PlayedTrace::playEvent(EventIndex event, const etdump::Run& run, core::EventTracer& tracer) const {
    const etdump::EventColumns& events = trace->events();
    const core::TraceIds ids{.chain = events.chain[event],
                             .instruction = events.instruction[event],
                             .delegateInt = events.delegateInt[event],
                             .delegateString = trace->text(events.delegateString[event])};
    const core::TraceName name = tracer.name(trace->text(events.name[event]));
    switch (events.kind[event]) {
        case EventKind::Profile:
            tracer.profile(name, ids, events.start[event], events.end[event], trace->metadata(event));
            break;
        case EventKind::Allocation:
            if (const auto id = tracer.allocator(trace->text(run.allocatorName(events.start[event])));
                id != 0) {
                tracer.allocation(id, events.end[event]);
            }
            break;
        case EventKind::Debug: {
            if (tracer.debugLevel() == core::DebugLevel::None || buffer == nullptr) {
                break;
            }
            const etdump::DebugValue& logged = trace->debugValue(event);
            ET_ASSIGN(core::Value value, valueOf(logged));
            if (logged.programOutput || tracer.wantsDebug(name, ids)) {
                tracer.debug(name, ids, value, logged.programOutput);
            }
            break;
        }
    }
    return {};
}

Result<> PlayedTrace::play(core::EventTracer& tracer) const {
    if (trace == nullptr) {
        return {};
    }
    for (const etdump::Run& run : trace->runs()) {
        tracer.beginRun(trace->text(run.name));
        for (EventIndex i = 0; i < run.eventCount; ++i) {
            ET_TRY(playEvent(run.firstEvent + i, run, tracer));
        }
        tracer.endRun();
    }
    return {};
}

std::vector<EventIndex> PlayedTrace::markedOutputs() const {
    std::vector<EventIndex> marked;
    for (EventIndex event = 0; trace != nullptr && event < trace->eventCount(); ++event) {
        if (trace->events().kind[event] == EventKind::Debug && trace->debugValue(event).programOutput) {
            marked.push_back(event);
        }
    }
    return marked;
}

Result<> PlayedTrace::takeOutputs(std::span<core::Value* const> outputs, const OutputFile& file) const {
    const std::vector<EventIndex> marked = markedOutputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        ET_ASSIGN(const auto written, file(i));
        auto* const tensor = outputs[i]->as<Tensor>();
        if (written != nullptr && tensor != nullptr) {
            if (written->bytes().size() != tensor->bytes()) {
                return fail(ErrorCode::Format, fmt::format("expected {} bytes of output {}, got {}",
                                                           tensor->bytes(), i, written->bytes().size()));
            }
            std::memcpy(tensor->raw(), written->bytes().data(), tensor->bytes());
        } else if (marked.size() >= outputs.size()) {
            // Uses the last of several runs.
            ET_ASSIGN(core::Value value,
                      valueOf(trace->debugValue(marked[marked.size() - outputs.size() + i])));
            outputs[i]->set(value.as<Tensor>() != nullptr ? core::Value::Kind(*value.as<Tensor>())
                                                          : core::Value::Kind());
        } else {
            return fail(ErrorCode::Unsupported,
                        fmt::format("output {} is neither in {{outputs}} nor marked in {{debug}}", i));
        }
    }
    return {};
}

std::uint64_t PlayedTrace::nanoseconds() const {
    if (trace == nullptr) {
        return 0;
    }
    const etdump::EventColumns& events = trace->events();
    std::uint64_t longest = 0;
    for (EventIndex event = 0; event < trace->eventCount(); ++event) {
        if (events.kind[event] == EventKind::Profile &&
            trace->text(events.name[event]) == core::event_name::methodExecute) {
            longest =
                std::max(longest, etdump::elapsedTicks(events.start[event], events.end[event]).value_or(0));
        }
    }
    return longest;
}

std::uint64_t PlayedTrace::instructions() const {
    if (trace == nullptr) {
        return 0;
    }
    const etdump::EventColumns& events = trace->events();
    return static_cast<std::uint64_t>(std::ranges::count_if(
        std::views::iota(EventIndex{0}, static_cast<EventIndex>(trace->eventCount())), [&](EventIndex event) {
            return events.kind[event] == EventKind::Profile && events.chain[event] >= 0 &&
                   events.delegateInt[event] < 0 && trace->text(events.delegateString[event]).empty() &&
                   trace->text(events.name[event]) != core::event_name::operatorCall;
        }));
}

}  // namespace et::devices

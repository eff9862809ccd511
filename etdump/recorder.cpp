#include "etdump/recorder.h"

#include "etdump/detail/debug_buffer.h"
#include "etdump/detail/recorded_events.h"
#include "etdump/detail/trace_saver.h"
#include "etdump/writer.h"
#include "runtime/core/file_replacement.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace et::etdump {
namespace {

using core::Result;
using detail::RecordedEvent;

}  // namespace

struct Recorder::Impl {
    explicit Impl(RecorderOptions given)
        : options(std::move(given)), events(options.maxEvents), buffer(options.maxDebugBytes) {
        noText = events.texts.intern("");
    }

    void add(EventKind kind, std::uint32_t name, const core::TraceIds& ids, std::uint64_t start,
             std::uint64_t end, std::uint32_t part);
    [[nodiscard]] DebugTensor log(const core::Tensor& tensor);
    [[nodiscard]] std::optional<DebugValue> log(core::Value& value);
    [[nodiscard]] bool matchesFilter(std::uint32_t name, const core::TraceIds& ids);

    [[nodiscard]] Result<> writeFile() const;
    void keep(const Result<>& done) {
        if (!done && !kept) {
            kept = done.error();
        }
    }

    RecorderOptions options;
    detail::RecordedEvents events;
    detail::DebugBuffer buffer;
    std::vector<TapInfo> taps;
    std::uint32_t noText = 0;
    std::vector<std::optional<bool>> nameMatches;  ///< by text; filter results, once evaluated

    std::unique_ptr<detail::TraceSaver> saver;  ///< only if the file can be replaced
    std::optional<core::Error> kept;            ///< the first
};

Recorder::Recorder(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
Recorder::~Recorder() = default;

Result<std::unique_ptr<Recorder>> Recorder::create(RecorderOptions options) {
    auto impl = std::make_unique<Impl>(std::move(options));
    const RecorderOptions& asked = impl->options;
    if ((asked.debugLevel != core::DebugLevel::None || asked.taps) && !asked.debugBufferFile.empty()) {
        ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(asked.debugBufferFile));
        impl->buffer.keepIn(std::move(file));
    }
    std::error_code unknown;
    const auto status = std::filesystem::status(asked.traceFile, unknown);
    const bool isReplaceable = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
    if (!asked.traceFile.empty() && isReplaceable) {
        impl->saver = std::make_unique<detail::TraceSaver>(impl->events, impl->buffer, asked.traceFile,
                                                           asked.saveInterval);
    }
    return std::unique_ptr<Recorder>(new Recorder(std::move(impl)));
}

core::TraceName Recorder::name(std::string_view text) {
    return core::TraceName(impl->events.texts.intern(text));
}

void Recorder::beginRun(std::string_view blockName) {
    impl->events.beginRun(blockName);
}

void Recorder::endRun() {
    impl->events.endRun();
}

void Recorder::Impl::add(EventKind kind, std::uint32_t name, const core::TraceIds& ids, std::uint64_t start,
                         std::uint64_t end, std::uint32_t part) {
    events.add({.start = start,
                .end = end,
                .instruction = ids.instruction,
                .chain = static_cast<std::int32_t>(ids.chain),
                .delegateInt = ids.delegateInt,
                .name = name,
                .delegateText = ids.delegateString.empty() ? noText : events.texts.intern(ids.delegateString),
                .part = part,
                .kind = kind});
}

void Recorder::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                       std::uint64_t end, core::Bytes metadata) {
    const std::uint32_t part =
        metadata.empty() || impl->events.full() ? RecordedEvent::noPart : impl->events.addMetadata(metadata);
    impl->add(EventKind::Profile, event.value, ids, start, end, part);
}

std::uint32_t Recorder::allocator(std::string_view text) {
    return impl->options.allocations ? impl->events.addAllocator(text) : 0;
}

void Recorder::allocation(std::uint32_t allocatorId, std::uint64_t bytes) {
    if (impl->options.allocations) {
        impl->add(EventKind::Allocation, impl->noText, {}, allocatorId, bytes, RecordedEvent::noPart);
    }
}

core::DebugLevel Recorder::debugLevel() const {
    return impl->options.debugLevel;
}

bool Recorder::wantsDebug(core::TraceName event, const core::TraceIds& ids) {
    return !impl->events.full() && impl->matchesFilter(event.value, ids);
}

bool Recorder::Impl::matchesFilter(std::uint32_t name, const core::TraceIds& ids) {
    const DebugFilter& filter = options.debugFilter;
    if (filter.empty() || filter.matchesInstruction(ids.instruction)) {
        return true;
    }
    if (filter.names.empty()) {
        return false;
    }
    nameMatches.resize(events.texts.size());
    std::optional<bool>& known = nameMatches[name];
    if (!known) {
        known = filter.matchesName(events.texts[name]);
    }
    return *known || (!ids.delegateString.empty() && filter.matchesName(ids.delegateString));
}

/// Written without the event's name, like the reference: readers take the name of a debug event for that of
/// the whole instruction.
void Recorder::debug(core::TraceName /*event*/, const core::TraceIds& ids, core::Value& value,
                     bool methodOutput) {
    const auto wanted = methodOutput ? core::DebugLevel::Outputs : core::DebugLevel::Intermediates;
    if (impl->options.debugLevel < wanted || impl->events.full()) {
        return;
    }
    if (std::optional<DebugValue> logged = impl->log(value)) {
        logged->programOutput = methodOutput;
        impl->add(EventKind::Debug, impl->noText, ids, 0, 0, impl->events.addValue(*std::move(logged)));
    }
}

bool Recorder::wantsTaps() const {
    return impl->options.taps != nullptr;
}

bool Recorder::wantsTap(const core::TapSite& site) {
    return impl->options.taps && impl->options.taps(site);
}

void Recorder::tap(const core::TraceIds& ids, core::Value& value) {
    if (impl->events.full()) {
        return;
    }
    if (std::optional<DebugValue> logged = impl->log(value)) {
        impl->add(EventKind::Debug, impl->noText, ids, 0, 0, impl->events.addValue(*std::move(logged)));
    }
}

void Recorder::tapped(const core::TapReport& report) {
    auto known = std::ranges::find_if(impl->taps, [&](const TapInfo& info) {
        return info.last.chain == report.chain && info.last.instruction == report.instruction;
    });
    if (known == impl->taps.end()) {
        known = impl->taps.insert(known, TapInfo{.last = report, .runs = 0, .changedRuns = 0});
    }
    const bool changed = !report.changedOutputs.empty();
    if (changed || known->changedRuns == 0) {
        known->last = report;
    }
    ++known->runs;
    known->changedRuns += changed ? 1 : 0;
}

/// A tensor whose bytes cannot be written is logged without them.
DebugTensor Recorder::Impl::log(const core::Tensor& tensor) {
    const auto offset = buffer.append(tensor);
    if (!offset) {
        keep(std::unexpected(offset.error()));
    }
    return {.scalarType = static_cast<std::int8_t>(tensor.dtype()),
            .sizes = {tensor.sizes().begin(), tensor.sizes().end()},
            .strides = {tensor.strides().begin(), tensor.strides().end()},
            .offset = offset.value_or(-1)};
}

std::optional<DebugValue> Recorder::Impl::log(core::Value& value) {
    DebugValue logged;
    if (const auto* tensor = value.as<core::Tensor>()) {
        logged.value = log(*tensor);
    } else if (const auto tensors = value.tensors(true)) {
        std::vector<DebugTensor> list;
        for (const core::Tensor* each : *tensors) {
            if (each != nullptr) {
                list.push_back(log(*each));
            }
        }
        logged.value = std::move(list);
    } else if (const auto* number = value.as<std::int64_t>()) {
        logged.value = *number;
    } else if (const auto* real = value.as<double>()) {
        logged.value = *real;
    } else if (const auto* truth = value.as<bool>()) {
        logged.value = *truth;
    } else {
        return std::nullopt;
    }
    return logged;
}

Result<> Recorder::Impl::writeFile() const {
    if (options.traceFile.empty()) {
        return {};
    }
    TraceWriter writer(SharedStrings::Yes, events.expectedFileBytes());
    events.writeTo(writer);
    return writer.finish([&](core::Bytes bytes) -> Result<> {
        ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(options.traceFile));
        ET_TRY(file.write(bytes));
        return file.finish();
    });
}

Result<> Recorder::finish() {
    if (impl->saver) {
        impl->saver->stop();
    }
    impl->keep(impl->buffer.finish());
    impl->keep(impl->writeFile());
    if (impl->kept) {
        return std::unexpected(*impl->kept);
    }
    return {};
}

Result<std::vector<std::byte>> Recorder::trace() const {
    TraceWriter writer(SharedStrings::Yes, impl->events.expectedFileBytes());
    impl->events.writeTo(writer);
    return writer.finish();
}

core::Bytes Recorder::debugBuffer() const {
    return impl->buffer.content();
}

std::span<const TapInfo> Recorder::taps() const {
    return impl->taps;
}

RecordingInfo Recorder::info() const {
    const auto written = impl->events.written();
    const auto lost = impl->events.leftOut();
    return {.runs = written.runs,
            .events = written.events,
            .runsLeftOut = lost.runs,
            .eventsLeftOut = lost.events,
            .debugBytes = impl->buffer.bytes(),
            .tensorsLeftOut = impl->buffer.leftOut(),
            .saves = impl->saver ? impl->saver->saves() : 0,
            .savingNanoseconds = impl->saver ? impl->saver->nanoseconds() : 0};
}

}  // namespace et::etdump

#include "app/serve/listening.h"

#include "app/serve/functions.h"
#include "app/serve/method_values.h"
#include "app/tasks/run/tap_filter.h"
#include "inspector/numeric_gap/runtime_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using MethodPointer = std::shared_ptr<LoadedMethod>;

etdump::DebugFilter filterOf(std::vector<std::string> names, const std::vector<std::int32_t>& instructions) {
    etdump::DebugFilter filter{.names = std::move(names), .instructions = {}};
    for (const std::int32_t each : instructions) {
        filter.instructions.push_back({.first = each, .last = each});
    }
    return filter;
}

core::DebugLevel debugLevel(const std::string& name) {
    if (name == "none") {
        return core::DebugLevel::None;
    }
    if (name == "outputs") {
        return core::DebugLevel::Outputs;
    }
    if (name != "intermediates") {
        raise({.code = core::ErrorCode::InvalidArgument,
               .message = fmt::format("debug: expected none, outputs or intermediates, got {}", name)});
    }
    return core::DebugLevel::Intermediates;
}

/// Converts the arguments of Method.trace().
etdump::RecorderOptions recorderOptions(Dict& asked) {
    etdump::RecorderOptions out;
    out.debugLevel = debugLevel(entry<std::string>(asked, "debug"));
    out.debugFilter = filterOf(entry<std::vector<std::string>>(asked, "names"),
                               entry<std::vector<std::int32_t>>(asked, "instructions"));
    if (const auto taps = entry<std::string>(asked, "taps"); !taps.empty()) {
        out.taps = unwrap(tasks::tapFilter(taps));
    }
    out.allocations = entry<bool>(asked, "allocations");
    out.maxEvents = entry<std::size_t>(asked, "max_events");
    out.maxDebugBytes = entry<std::uint64_t>(asked, "max_debug_bytes");
    return out;
}

/// A trace in memory.
class Recording {
  public:
    Recording(MethodPointer method, const etdump::RecorderOptions& options)
        : recorder(unwrap(etdump::Recorder::create(options))),
          listening(std::move(method), *recorder, {.calls = {}, .taps = options.taps}) {}

    void stop() { listening.stop(); }

    [[nodiscard]] std::vector<std::byte> trace() const {
        const ExclusiveRun turn(*listening.method()->program);
        return unwrap(recorder->trace());
    }
    [[nodiscard]] std::vector<std::byte> debugBuffer() const {
        const ExclusiveRun turn(*listening.method()->program);
        const core::Bytes bytes = recorder->debugBuffer();
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] Dict info() const {
        const ExclusiveRun turn(*listening.method()->program);
        const etdump::RecordingInfo of = recorder->info();
        Dict out;
        out["runs"] = of.runs;
        out["events"] = of.events;
        out["runs_left_out"] = of.runsLeftOut;
        out["events_left_out"] = of.eventsLeftOut;
        out["debug_bytes"] = of.debugBytes;
        out["tensors_left_out"] = of.tensorsLeftOut;
        return out;
    }

  private:
    std::unique_ptr<etdump::Recorder> recorder;
    Listening listening;  // must follow the members that it passes events to
};

/// The values of the last run, in memory.
class ValueTaps {
  public:
    ValueTaps(const MethodPointer& method, const RunTracer::Choice& choice)
        : tracer(method->program->model->limits.memoryBytes), listening(method, tracer, choice) {}

    void stop() { listening.stop(); }

    /// Returns the values of the last run, once: {name, chain, instruction, node, handle, values} of each
    /// call and tap.
    [[nodiscard]] List take() {
        const ExclusiveRun turn(*listening.method()->program);
        const inspector::RuntimeValues values = tracer.take();
        List out =
            collected(values.calls, [](const inspector::RuntimeCall& each) { return callFields(each); });
        for (const inspector::TappedValue& each : values.taps) {
            out.push_back(tapFields(each));
        }
        return out;
    }

  private:
    static Dict fields(const std::string& name, std::int64_t chain, std::int32_t instruction) {
        Dict out;
        out["name"] = text(name);
        out["chain"] = chain;
        out["instruction"] = instruction;
        return out;
    }
    static Dict callFields(const inspector::RuntimeCall& call) {
        Dict out = fields(call.name, call.chain, call.instruction);
        out["values"] = collected(
            call.values, [](const backends::reference::ReferenceValue& each) { return keptValue(each); });
        return out;
    }
    static Dict tapFields(const inspector::TappedValue& tapped) {
        List values;
        values.push_back(keptValue({tapped.tensor}));
        Dict out = fields(tapped.kind, tapped.chain, tapped.instruction);
        out["values"] = std::move(values);
        out["delegate_value"] = valueOf(tapped.value);
        out["debug_handle"] = tapped.handle ? Value(tapped.handle->value) : Value();
        return out;
    }

    inspector::ValueTracer tracer;
    Listening listening;
};

std::shared_ptr<Recording> startRecording(MethodPointer method, Dict asked) {
    return std::make_shared<Recording>(std::move(method), recorderOptions(asked));
}

std::shared_ptr<ValueTaps> tapValues(const MethodPointer& method, const std::vector<std::string>& names,
                                     const std::vector<std::int32_t>& instructions,
                                     const std::vector<std::uint32_t>& handles) {
    RunTracer::Choice choice{.calls = filterOf(names, instructions)};
    choice.noCalls = choice.calls.empty();
    choice.taps = [filter = filterOf(names, {}), handles](const core::TapSite& site) {
        return filter.matchesName(site.nodeKind) ||
               (site.debugHandle && std::ranges::contains(handles, *site.debugHandle));
    };
    return std::make_shared<ValueTaps>(method, choice);
}

constexpr std::array listeningTable{
    function<&startRecording>("Recording.start"),
    function<&Recording::stop>("Recording.stop"),
    function<&Recording::trace>("Recording.trace"),
    function<&Recording::debugBuffer>("Recording.debug_buffer"),
    function<&Recording::info>("Recording.info"),
    function<&tapValues>("ValueTaps.start"),
    function<&ValueTaps::stop>("ValueTaps.stop"),
    function<&ValueTaps::take>("ValueTaps.take"),
};

}  // namespace

Listening::Listening(MethodPointer method, core::EventTracer& listener, RunTracer::Choice choice)
    : of(std::move(method)), tracer(nullptr) {
    LoadedProgram& program = *of->program;
    const ExclusiveRun turn(program);
    if (!program.listenedTo.insert(of->method).second) {
        raise({.code = core::ErrorCode::InvalidArgument,
               .message = fmt::format("method {} is already being traced or tapped",
                                      of->method->description().name)});
    }
    tracer = program.tracers.emplace_back(std::make_unique<RunTracer>(listener, std::move(choice))).get();
    of->method->setTracer(tracer);
}

Listening::~Listening() {
    if (tracer == nullptr) {
        return;
    }
    LoadedProgram& program = *of->program;
    if (program.isCaller()) {
        // A kernel dropped the last reference while the method that calls it runs; the method uses the tracer
        // until it gets another one.
        tracer->mute();
        program.listenedTo.erase(of->method);
        return;
    }
    program.turn.lock();
    silence();
    program.turn.unlock();
}

void Listening::stop() {
    const ExclusiveRun turn(*of->program);
    if (tracer != nullptr) {
        silence();
    }
}

void Listening::silence() {
    tracer->mute();
    of->method->setTracer(of->program->recorder.get());
    of->program->listenedTo.erase(of->method);
    tracer = nullptr;
}

std::span<const Function> listeningFunctions() {
    return listeningTable;
}

}  // namespace et::serve

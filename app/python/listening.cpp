#include "app/python/listening.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/method_values.h"
#include "app/tasks/run/tap_filter.h"
#include "inspector/numeric_gap/runtime_values.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using MethodPointer = std::shared_ptr<LoadedMethod>;

etdump::DebugFilter filterOf(std::vector<std::string> names, const std::vector<std::int32_t>& instructions) {
    etdump::DebugFilter filter{.names = std::move(names), .instructions = {}};
    for (const std::int32_t each : instructions) {
        filter.instructions.push_back({.first = each, .last = each});
    }
    return filter;
}

/// Arguments of Method.trace().
struct RecordingRequest {
    std::string debug = "none";  ///< "none", "outputs" or "intermediates"
    std::vector<std::string> names;
    std::vector<std::int32_t> instructions;
    std::string taps;
    bool allocations = false;
    std::size_t maxEvents = etdump::RecorderOptions{}.maxEvents;
    std::uint64_t maxDebugBytes = etdump::RecorderOptions{}.maxDebugBytes;

    [[nodiscard]] core::DebugLevel level() const {
        if (debug == "none") {
            return core::DebugLevel::None;
        }
        if (debug == "outputs") {
            return core::DebugLevel::Outputs;
        }
        if (debug != "intermediates") {
            raise({.code = core::ErrorCode::InvalidArgument,
                   .message = fmt::format("debug: expected none, outputs or intermediates, got {}", debug)});
        }
        return core::DebugLevel::Intermediates;
    }
    [[nodiscard]] etdump::RecorderOptions options() const {
        etdump::RecorderOptions out;
        out.debugLevel = level();
        out.debugFilter = filterOf(names, instructions);
        if (!taps.empty()) {
            out.taps = unwrap(tasks::tapFilter(taps));
        }
        out.allocations = allocations;
        out.maxEvents = maxEvents;
        out.maxDebugBytes = maxDebugBytes;
        return out;
    }
};

/// A trace in memory.
class Recording {
  public:
    Recording(MethodPointer method, const etdump::RecorderOptions& options)
        : recorder(unwrap(etdump::Recorder::create(options))),
          listening(std::move(method), *recorder, {.calls = {}, .taps = options.taps}) {}

    void stop() { listening.stop(); }

    [[nodiscard]] nb::bytes trace() const {
        const ExclusiveRun turn(*listening.method()->program);
        const std::vector<std::byte> bytes = unwrap(withoutGil([&] { return recorder->trace(); }));
        return nb::bytes(bytes.data(), bytes.size());
    }
    [[nodiscard]] nb::bytes debugBuffer() const {
        const ExclusiveRun turn(*listening.method()->program);
        const core::Bytes bytes = recorder->debugBuffer();
        return nb::bytes(bytes.data(), bytes.size());
    }
    [[nodiscard]] nb::dict info() const {
        const ExclusiveRun turn(*listening.method()->program);
        const etdump::RecordingInfo of = recorder->info();
        nb::dict out;
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
    [[nodiscard]] nb::list take() {
        const ExclusiveRun turn(*listening.method()->program);
        const inspector::RuntimeValues values = tracer.take();
        nb::list out =
            pythonList(values.calls, [](const inspector::RuntimeCall& each) { return callFields(each); });
        for (const inspector::TappedValue& each : values.taps) {
            out.append(tapFields(each));
        }
        return out;
    }

  private:
    static nb::dict fields(const std::string& name, std::int64_t chain, std::int32_t instruction) {
        nb::dict out;
        out["name"] = text(name);
        out["chain"] = chain;
        out["instruction"] = instruction;
        return out;
    }
    static nb::dict callFields(const inspector::RuntimeCall& call) {
        nb::dict out = fields(call.name, call.chain, call.instruction);
        out["values"] = pythonList(
            call.values, [](const backends::reference::ReferenceValue& each) { return keptValue(each); });
        return out;
    }
    static nb::dict tapFields(const inspector::TappedValue& tapped) {
        nb::list values;
        values.append(keptValue({tapped.tensor}));
        nb::dict out = fields(tapped.kind, tapped.chain, tapped.instruction);
        out["values"] = values;
        out["delegate_value"] = nb::cast(tapped.value);
        out["debug_handle"] = tapped.handle ? nb::cast(tapped.handle->value) : nb::object(nb::none());
        return out;
    }

    inspector::ValueTracer tracer;
    Listening listening;
};

std::unique_ptr<ValueTaps> tapValues(const MethodPointer& method, const std::vector<std::string>& names,
                                     const std::vector<std::int32_t>& instructions,
                                     const std::vector<std::uint32_t>& handles) {
    RunTracer::Choice choice{.calls = filterOf(names, instructions)};
    choice.noCalls = choice.calls.empty();
    choice.taps = [filter = filterOf(names, {}), handles](const core::TapSite& site) {
        return filter.matchesName(site.nodeKind) ||
               (site.debugHandle && std::ranges::contains(handles, *site.debugHandle));
    };
    return std::make_unique<ValueTaps>(method, choice);
}

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
    if (!program.mayRunHere()) {
        // A kernel dropped the last reference while the method that calls it runs; the method uses the tracer
        // until it gets another one.
        tracer->mute();
        program.listenedTo.erase(of->method);
        return;
    }
    // A signal handler must not interrupt waiting for the running method.
    withoutGil([&] { program.turn.lock(); });
    silence();
    program.turn.unlock();
}

void Listening::stop() {
    if (tracer == nullptr) {
        return;
    }
    const ExclusiveRun turn(*of->program);
    silence();
}

void Listening::silence() {
    tracer->mute();
    of->method->setTracer(of->program->recorder.get());
    of->program->listenedTo.erase(of->method);
    tracer = nullptr;
}

void bindListening(nb::module_& module) {
    nb::class_<RecordingRequest>(module, "RecordingRequest", "Options for recording runs.")
        .def(nb::init<>(), "A request with the defaults.")
        .def_rw("debug", &RecordingRequest::debug, "Values to log: none, outputs or intermediates.")
        .def_rw("names", &RecordingRequest::names, "Operators whose values are logged, with `*` and `?`.")
        .def_rw("instructions", &RecordingRequest::instructions, "Instructions whose values are logged.")
        .def_rw("taps", &RecordingRequest::taps, "Values inside delegates to log; empty: none.")
        .def_rw("allocations", &RecordingRequest::allocations, "Also record allocations.")
        .def_rw("max_events", &RecordingRequest::maxEvents, "Maximum number of events.")
        .def_rw("max_debug_bytes", &RecordingRequest::maxDebugBytes, "Maximum bytes of logged values.");
    nb::class_<Recording>(module, "Recording", "A trace that is being recorded in memory.")
        .def_static(
            "start",
            [](MethodPointer method, const RecordingRequest& request) {
                return std::make_unique<Recording>(std::move(method), request.options());
            },
            "method"_a, "request"_a, "Starts recording the method; at most one recording per method.")
        .def("stop", &Recording::stop, "Stops recording the method.")
        .def("trace", &Recording::trace, nb::sig("def trace(self) -> bytes"), "The ETDump.")
        .def("debug_buffer", &Recording::debugBuffer, nb::sig("def debug_buffer(self) -> bytes"),
             "The logged values.")
        .def("info", &Recording::info, nb::sig("def info(self) -> dict[str, object]"),
             "Amounts of recorded and dropped data.");
    nb::class_<ValueTaps>(module, "ValueTaps", "Values inside runs.")
        .def_static("start", &tapValues, "method"_a, "names"_a, "instructions"_a, "handles"_a,
                    "Starts keeping the results of these operators, instructions or debug handles.")
        .def("stop", &ValueTaps::stop, "Stops keeping values.")
        .def("take", &ValueTaps::take, nb::sig("def take(self) -> list[dict[str, object]]"),
             "Values kept since the previous call.");
}

}  // namespace et::python

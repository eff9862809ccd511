// Cost of tracing: an event with its two clock reads, target 150 ns; a run of MobileNetV2 (width 0.35),
// target 2 % of its time; and writing the file.
#include "benchmarks/support/sample_model.h"
#include "etdump/recorder.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using et::core::EventTracer;
using et::core::TraceIds;
using et::etdump::Recorder;

constexpr std::size_t eventsPerRun = 1'000;
constexpr std::size_t runs = 1'000;
constexpr double targetNanoseconds = 150;

constexpr std::array<std::string_view, 8> delegateSteps{"Convolution (NHWC, F32) IGEMM #1",
                                                        "Clamp (NC, F32) #1",
                                                        "Convolution (NHWC, F32) IGEMM #2",
                                                        "Clamp (NC, F32) #2",
                                                        "Add (ND, F32) #1",
                                                        "Convolution (NHWC, F32) DWConv #1",
                                                        "Global Average Pooling #1",
                                                        "Fully Connected (NC, F32) GEMM #1"};

std::unique_ptr<Recorder> recorder() {
    return Recorder::create({.maxEvents = 2 * runs * eventsPerRun}).value();
}

/// Records one event the way the executor does.
void recordEvent(Recorder& tracer, et::core::TraceName name, const TraceIds& ids) {
    const std::uint64_t start = EventTracer::now();
    tracer.profile(name, ids, start, EventTracer::now());
}

void recordRun(Recorder& tracer, et::core::TraceName name, bool delegate) {
    tracer.beginRun("Execute");
    for (std::size_t i = 0; i < eventsPerRun; ++i) {
        recordEvent(tracer, name,
                    {.chain = 0,
                     .instruction = static_cast<std::int32_t>(i),
                     .delegateString = delegate ? delegateSteps[i % delegateSteps.size()] : ""});
    }
    tracer.endRun();
}

/// Records 1,000 runs into a new recorder each time, so that memory is touched for the first time.
void recordEvents(benchmark::State& state) {
    double nanoseconds = 0;
    for (auto _ : state) {
        const auto tracer = recorder();
        const auto name = tracer->name("native_call_convolution.out");
        const std::uint64_t start = EventTracer::now();
        for (std::size_t run = 0; run < runs; ++run) {
            recordRun(*tracer, name, state.range(0) != 0);
        }
        nanoseconds += static_cast<double>(EventTracer::now() - start);
    }
    const double each =
        nanoseconds / static_cast<double>(runs * eventsPerRun) / static_cast<double>(state.iterations());
    state.counters["ns_an_event"] = each;
    state.counters["of_target"] = each / targetNanoseconds;
}
BENCHMARK(recordEvents)->ArgName("delegate")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void readClock(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(EventTracer::now());
    }
}
BENCHMARK(readClock);

/// Writes a file of a million recorded events.
void writeTrace(benchmark::State& state) {
    const auto tracer = recorder();
    const auto name = tracer->name("native_call_convolution.out");
    for (std::size_t run = 0; run < runs; ++run) {
        recordRun(*tracer, name, false);
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(tracer->trace().value());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(runs * eventsPerRun));
}
BENCHMARK(writeTrace)->Unit(benchmark::kMillisecond);

/// Alternates executions with and without a tracer, so that both see the same machine state, and compares
/// medians.
void traceModel(benchmark::State& state) {
    constexpr double targetShare = 0.02;
    const auto model = et::benchmarks::SampleModel::open("mobilenet_v2_small");
    const auto tracer = recorder();
    std::vector<std::uint64_t> plain;
    std::vector<std::uint64_t> traced;
    for (auto _ : state) {
        plain.push_back(model == nullptr ? 0 : model->run());
        traced.push_back(model == nullptr ? 0 : model->run(tracer.get()));
        if (plain.back() == 0 || traced.back() == 0) {
            state.SkipWithError("the sample does not run");
            return;
        }
    }
    const auto median = [](std::vector<std::uint64_t>& samples) {
        std::ranges::nth_element(samples, samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2));
        return static_cast<double>(samples[samples.size() / 2]);
    };
    const double share = median(traced) / median(plain) - 1;
    state.counters["run_ms"] = median(plain) / 1e6;
    state.counters["cost_percent"] = 100 * share;
    state.counters["of_target"] = share / targetShare;
}
BENCHMARK(traceModel)->Iterations(2'000)->Unit(benchmark::kMillisecond);

}  // namespace

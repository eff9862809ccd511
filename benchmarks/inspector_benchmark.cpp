// Benchmark of a trace of 1,000,000 profile events over 100 runs, from file to grouped statistics: target
// 0.4 s and 200 MB.
#include "inspector/join/event_blocks.h"
#include "runtime/core/process_memory.h"
#include "tests/support/generated_trace.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>

namespace {

constexpr std::size_t runs = 100;
constexpr std::size_t eventsPerRun = 10'000;
constexpr std::size_t allEvents = runs * eventsPerRun;
constexpr double targetSeconds = 0.4;
constexpr double targetMegabytes = 200;

const et::test::GeneratedTraceFile& traceFile() {
    static const et::test::GeneratedTraceFile file(runs, eventsPerRun);
    return file;
}

/// True if every event of every run is a sample of some row.
bool isComplete(const et::inspector::EventBlocks& joined) {
    std::size_t samples = 0;
    for (const et::inspector::Block& block : joined.blocks()) {
        for (const et::inspector::Event& event : block.events) {
            samples += event.samples.size();
        }
    }
    return samples == allEvents;
}

void report(benchmark::State& state, double seconds) {
    const double megabytes = static_cast<double>(et::core::peakResidentBytes()) / 1e6;
    const double each = seconds / static_cast<double>(state.iterations());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(allEvents));
    state.counters["peak_MB"] = megabytes;
    state.counters["time_of_target"] = each / targetSeconds;
    state.counters["memory_of_target"] = megabytes / targetMegabytes;
}

void startMeasuring() {
    ::malloc_trim(0);
    et::core::resetPeakResident();
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void readAndJoin(benchmark::State& state) {
    const std::filesystem::path& path = traceFile().path();
    startMeasuring();
    const double begin = now();
    for (auto _ : state) {
        auto trace = et::etdump::Trace::open(path);
        auto joined = et::inspector::EventBlocks::build(trace.value());
        if (!joined || !isComplete(**joined)) {
            state.SkipWithError("the generated trace does not join");
            return;
        }
        benchmark::DoNotOptimize(joined);
    }
    report(state, now() - begin);
}
// The single-iteration variant measures the peak memory of a fresh process; later iterations reuse freed
// memory.
BENCHMARK(readAndJoin)->Name("readAndJoin/once")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(readAndJoin)->Unit(benchmark::kMillisecond);

/// Measures the join without reading the trace.
void join(benchmark::State& state) {
    const auto trace = et::etdump::Trace::open(traceFile().path()).value();
    startMeasuring();
    const double begin = now();
    for (auto _ : state) {
        benchmark::DoNotOptimize(et::inspector::EventBlocks::build(trace).value());
    }
    report(state, now() - begin);
}
BENCHMARK(join)->Unit(benchmark::kMillisecond);

}  // namespace

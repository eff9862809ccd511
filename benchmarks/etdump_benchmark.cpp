// Benchmark of reading a trace of 1,000,000 profile events over 100 runs from file into columns.
#include "etdump/trace.h"
#include "runtime/core/process_memory.h"
#include "tests/support/generated_trace.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

namespace {

constexpr std::size_t runs = 100;
constexpr std::size_t eventsPerRun = 10'000;

const et::test::GeneratedTraceFile& traceFile() {
    static const et::test::GeneratedTraceFile file(runs, eventsPerRun);
    return file;
}

void readTrace(benchmark::State& state) {
    const std::filesystem::path& path = traceFile().path();
    ::malloc_trim(0);
    et::core::resetPeakResident();
    for (auto _ : state) {
        auto trace = et::etdump::Trace::open(path);
        if (!trace || (*trace)->eventCount() != runs * eventsPerRun) {
            state.SkipWithError("the generated trace does not read");
            return;
        }
        benchmark::DoNotOptimize(trace);
    }
    const auto events = static_cast<std::int64_t>(runs * eventsPerRun);
    state.SetItemsProcessed(state.iterations() * events);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
    state.counters["peak_MB"] = static_cast<double>(et::core::peakResidentBytes()) / 1e6;
    state.counters["file_MB"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
}
// The single-iteration variant measures the peak memory of a fresh process; later iterations reuse freed
// memory.
BENCHMARK(readTrace)->Name("readTrace/once")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(readTrace)->Unit(benchmark::kMillisecond);

}  // namespace

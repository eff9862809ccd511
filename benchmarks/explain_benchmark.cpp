// Reading logs: bytes per second of ordinary ones, and of those that are all failures.
#include "inspector/explain/explanation.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t logBytes = std::size_t{100} << 20U;

/// A log of logcat and runner lines with a failure at its end.
std::string ordinaryLog() {
    constexpr std::array<std::string_view, 3> lines{
        "10-12 11:22:33.444  1234  1250 D ViewRootImpl: onSurfaceCreated surface=",
        "10-12 11:22:33.512   812  1099 I ActivityManager: Start proc 1234:com.example.app/u0a",
        "I 00:00:00.001454 executorch:example_runner.cpp:145] Iteration ",
    };
    std::string log;
    for (std::size_t i = 0; log.size() < logBytes; ++i) {
        log += fmt::format("{}{}\n", lines[i % lines.size()], i);
    }
    return log + "E 00:00:00.1 executorch:method.cpp:66] Backend XnnpackBackend is not registered.\n";
}

std::string failingLog() {
    std::string log;
    for (std::size_t i = 0; log.size() < logBytes; ++i) {
        log += fmt::format("E 00:00:00.1 executorch:method.cpp:66] Missing operator: [{}] aten::add{}.out\n",
                           i, i);
    }
    return log;
}

void scan(benchmark::State& state, const std::string& log) {
    for (auto _ : state) {
        et::inspector::LogScanner scanner;
        scanner.add(log);
        benchmark::DoNotOptimize(et::inspector::explain(scanner.finish()));
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * log.size()));
}

void ordinaryLogs(benchmark::State& state) {
    scan(state, ordinaryLog());
}
void failingLogs(benchmark::State& state) {
    scan(state, failingLog());
}

BENCHMARK(ordinaryLogs)->Unit(benchmark::kMillisecond);
BENCHMARK(failingLogs)->Unit(benchmark::kMillisecond);

}  // namespace

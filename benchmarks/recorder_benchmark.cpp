// Overhead of saving a trace during recording, for the recording thread: events at several rates, recorded
// with and without a file in alternation. Target: 2 % of the thread's time.
#include "etdump/recorder.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using et::core::EventTracer;
using et::etdump::Recorder;

constexpr std::uint64_t roundNanoseconds = 1'000'000'000;
constexpr std::uint64_t eventsPerRun = 100;
constexpr double targetPercent = 2;

std::uint64_t threadNanoseconds() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

/// Simulates a kernel between two events; touches memory so that it competes with saving.
class Work {
  public:
    explicit Work(std::uint64_t nanoseconds) : steps(0) {
        constexpr std::uint64_t trial = 2'000'000;
        const std::uint64_t start = threadNanoseconds();
        run(trial);
        const std::uint64_t time = threadNanoseconds() - start;
        steps = nanoseconds * trial / std::max<std::uint64_t>(time, 1);
    }
    void run() { run(steps); }

  private:
    void run(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            values[at] = values[at] * 0.5F + 1;
            at = (at + 1) % values.size();
        }
        benchmark::ClobberMemory();
    }

    std::vector<float> values = std::vector<float>(1 << 16);
    std::size_t at = 0;
    std::uint64_t steps;
};

/// Thread time for recording the given number of events.
double record(Recorder& recorder, Work& work, std::uint64_t events) {
    const auto name = recorder.name("native_call_convolution.out");
    const std::uint64_t start = threadNanoseconds();
    for (std::uint64_t i = 0; i < events; ++i) {
        if (i % eventsPerRun == 0) {
            recorder.beginRun("Execute");
        }
        const std::uint64_t begin = EventTracer::now();
        work.run();
        recorder.profile(name, {.chain = 0, .instruction = static_cast<std::int32_t>(i % eventsPerRun)},
                         begin, EventTracer::now());
        if ((i + 1) % eventsPerRun == 0) {
            recorder.endRun();
        }
    }
    return static_cast<double>(threadNanoseconds() - start);
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

/// Argument: events per second, excluding the time of recording them.
void recordToAFile(benchmark::State& state) {
    const auto rate = static_cast<std::uint64_t>(state.range(0));
    const fs::path file = fs::temp_directory_path() / ("et-recorder-benchmark." + std::to_string(::getpid()));
    constexpr std::uint64_t eventNanoseconds = 75;
    const std::uint64_t each = roundNanoseconds / rate;
    Work work(each > eventNanoseconds ? each - eventNanoseconds : 0);
    std::vector<double> ratios;
    std::vector<double> plain;
    std::vector<double> saving;
    for (auto _ : state) {
        std::pair<double, double> times;
        for (const bool withFile : {ratios.size() % 2 == 0, ratios.size() % 2 != 0}) {
            const auto recorder =
                Recorder::create({.traceFile = withFile ? file : fs::path(), .maxEvents = 2 * rate}).value();
            (withFile ? times.second : times.first) = record(*recorder, work, rate);
            if (withFile) {
                saving.push_back(static_cast<double>(recorder->info().savingNanoseconds));
            }
        }
        ratios.push_back(times.second / times.first);
        plain.push_back(times.first);
    }
    std::error_code ignored;
    fs::remove(file, ignored);
    const double percent = 100 * (median(ratios) - 1);
    state.counters["ns_an_event"] = median(plain) / static_cast<double>(rate);
    state.counters["cost_percent"] = percent;
    state.counters["of_target"] = percent / targetPercent;
    state.counters["saver_ns_an_event"] = median(saving) / static_cast<double>(rate);
}
BENCHMARK(recordToAFile)
    ->ArgName("rate")
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(4'000'000)
    ->Iterations(9)
    ->Unit(benchmark::kMillisecond);

}  // namespace

// Benchmark of whole models with our own operators, by the median of their runs: milliseconds, and ratios to
// our goals and to ExecuTorch's runner with its portable kernels (docs/explanation/performance.md).

#include "benchmarks/support/sample_model.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

struct Model {
    const char* name;
    double goalMilliseconds;       ///< on one thread
    double referenceMilliseconds;  ///< ExecuTorch 1.5.0, one thread, on a comparable machine
};

constexpr Model small{.name = "mobilenet_v2_small", .goalMilliseconds = 1.5, .referenceMilliseconds = 45.4};
constexpr Model full{.name = "mobilenet_v2", .goalMilliseconds = 40, .referenceMilliseconds = 1350};

void runModel(benchmark::State& state, const Model& info) {
    const auto model = et::benchmarks::SampleModel::open(info.name, static_cast<std::size_t>(state.range(0)));
    std::vector<std::uint64_t> times;
    for (auto _ : state) {
        times.push_back(model == nullptr ? 0 : model->run());
        if (times.back() == 0) {
            state.SkipWithError("the sample does not run");
            return;
        }
    }
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    const double milliseconds = static_cast<double>(times[times.size() / 2]) / 1e6;
    state.counters["p50_ms"] = milliseconds;
    state.counters["of_goal"] = milliseconds / info.goalMilliseconds;
    state.counters["of_reference"] = milliseconds / info.referenceMilliseconds;
}
BENCHMARK_CAPTURE(runModel, mobilenet_v2_small, small)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(500)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runModel, mobilenet_v2, full)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);

}  // namespace

#include "inspector/comparison/comparison.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>

namespace et {
namespace {

/// A trace with the given number of operators and runs; run times have noise of about 1 %.
std::shared_ptr<const inspector::Measurement> measured(std::uint64_t seed, std::size_t operators,
                                                       std::size_t runs) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1e6, 1e4);
    inspector::MethodTimes method{.method = "forward", .total = std::vector<double>(runs)};
    for (std::size_t i = 0; i < operators; ++i) {
        inspector::OperatorTimes each{.name = "operator" + std::to_string(i % 17)};
        for (std::size_t run = 0; run < runs; ++run) {
            each.samples.push_back(std::round(noise(random)));
            method.total[run] += each.samples.back();
        }
        method.operators.push_back(std::move(each));
    }
    return std::make_shared<inspector::Measurement>(
        inspector::Measurement{.name = "made up", .methods = {std::move(method)}});
}

void compareTraces(benchmark::State& state) {
    const auto operators = static_cast<std::size_t>(state.range(0));
    const auto runs = static_cast<std::size_t>(state.range(1));
    const auto a = measured(1, operators, runs);
    const auto b = measured(2, operators, runs);
    inspector::ComparisonOptions options;
    options.interleaved = state.range(2) != 0;
    for (auto _ : state) {
        auto result = inspector::compareMeasurements(a, b, options);
        benchmark::DoNotOptimize(result);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operators));
}
BENCHMARK(compareTraces)
    ->ArgNames({"operators", "runs", "paired"})
    ->Args({100, 50, 0})
    ->Args({1000, 50, 0})
    ->Args({1000, 50, 1})
    ->Args({1000, 500, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace et

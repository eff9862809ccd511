// Time of calling a kernel with three tensors: written for et-inspect, and for ExecuTorch.
#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace {

using et::core::Tensor;
using et::core::Value;

et::core::Result<> nothingOut(et::kernels::KernelContext&, const Tensor&, const Tensor&, Tensor&) {
    return {};
}

/// Calls the kernel with tensors of four dimensions.
void callRepeatedly(benchmark::State& state, const et::kernels::Kernel& kernel) {
    const std::array<std::int64_t, 4> sizes{1, 2, 3, 4};
    std::vector<float> elements(24);
    std::array<Value, 3> values;
    for (Value& each : values) {
        each.set(Tensor::over(elements.data(), sizes));
    }
    const std::array<Value*, 3> arguments{&values[0], &values[1], &values[2]};
    const et::kernels::ThreadPool threads(1);
    et::kernels::ScratchMemory scratch(1U << 20U);
    std::mt19937_64 generator;
    et::kernels::KernelContext context(threads, scratch, generator);
    std::unique_ptr<et::kernels::KernelState> kept;
    context.bind(kept);
    for (auto _ : state) {
        benchmark::DoNotOptimize(kernel.call(context, arguments));
    }
}

void ownKernel(benchmark::State& state) {
    callRepeatedly(state, et::kernels::box<&nothingOut>);
}

void executorchKernel(benchmark::State& state) {
    const auto plugin = et::executor::Plugin::load(ET_EXECUTORCH_NOTHING);
    if (!plugin) {
        state.SkipWithError(plugin.error().message.c_str());
        return;
    }
    callRepeatedly(state, plugin->kernels()[0].kernel);
}

}  // namespace

BENCHMARK(ownKernel);
BENCHMARK(executorchKernel);

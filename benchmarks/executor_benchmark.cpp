// Overhead of the interpreter: methods with many instructions that do nothing.

#include "runtime/builder/program_builder.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/boxing.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <span>

namespace {

using et::core::Tensor;

/// Maximum overhead per instruction, excluding its kernel.
constexpr double goalNanoseconds = 200;
constexpr int instructions = 1000;

/// Has the signature of aten::add.out and does no work.
et::core::Result<> nothingOut(et::kernels::KernelContext&, const Tensor& self, const Tensor&,
                              et::kernels::Scalar, Tensor& out) {
    return out.resize(self.sizes());
}

constexpr std::array operators{et::kernels::KernelEntry{"bench::nothing.out", et::kernels::box<&nothingOut>}};

std::vector<std::byte> manyInstructions() {
    et::builder::ProgramBuilder program;
    auto& forward = program.method("forward");
    const auto x = forward.intermediate({.sizes = {2, 3}});
    const auto y = forward.intermediate({.sizes = {2, 3}});
    for (int i = 0; i < instructions; ++i) {
        forward.call("bench::nothing.out", {x, x, 1}, {y});
    }
    forward.output(y);
    return *program.finish();
}

void instructionOverhead(benchmark::State& state) {
    const auto program =
        *et::program::Program::parse(et::core::MappedFile::fromMemory(manyInstructions(), "many.pte"));
    et::kernels::KernelRegistry registry;
    registry.add(operators);
    const et::kernels::ThreadPool threads(1);
    et::executor::Module module(program, {.kernels = registry, .threads = threads});
    et::executor::Method& method = **module.load("forward");
    std::uint64_t nanoseconds = 0;
    for (auto _ : state) {
        const std::uint64_t start = et::core::EventTracer::now();
        if (!method.execute()) {
            state.SkipWithError("the program does not run");
            return;
        }
        nanoseconds += et::core::EventTracer::now() - start;
    }
    const double one =
        static_cast<double>(nanoseconds) / (static_cast<double>(state.iterations()) * instructions);
    state.counters["ns_an_instruction"] = one;
    state.counters["of_goal"] = one / goalNanoseconds;
}
BENCHMARK(instructionOverhead)->Unit(benchmark::kMicrosecond);

/// Loads a method from a program's bytes: verification, values, memory plan, operators.
void load(benchmark::State& state) {
    const auto file = et::core::MappedFile::fromMemory(manyInstructions(), "many.pte");
    et::kernels::KernelRegistry registry;
    registry.add(operators);
    const et::kernels::ThreadPool threads(1);
    for (auto _ : state) {
        et::executor::Module module(*et::program::Program::parse(file),
                                    {.kernels = registry, .threads = threads});
        benchmark::DoNotOptimize(module.load("forward"));
    }
}
BENCHMARK(load)->Unit(benchmark::kMicrosecond);

}  // namespace

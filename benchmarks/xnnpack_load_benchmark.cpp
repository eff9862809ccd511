// Loading delegated programs, beside what the library alone takes to make its operators and to pack their
// weights: `of_library` is the ratio of their medians (docs/performance.md).

#include "backends/builtin.h"
#include "backends/xnnpack/constant_data.h"
#include "backends/xnnpack/library_runtime.h"
#include "backends/xnnpack/subgraph.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"

#include <benchmark/benchmark.h>
#include <xnnpack.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace {

namespace xnnpack = et::backends::xnnpack;
using Clock = std::chrono::steady_clock;
using ProgramPtr = std::shared_ptr<const et::program::Program>;

class ProgramData final : public et::executor::NamedDataSource {
  public:
    explicit ProgramData(const et::program::Program& from) : program(from) {}
    [[nodiscard]] std::optional<et::core::Bytes> find(std::string_view name) const override {
        const auto found = std::ranges::find(program.namedData, name, &et::program::NamedData::key);
        return found == program.namedData.end() ? std::nullopt : std::optional(found->data);
    }

  private:
    const et::program::Program& program;
};

/// Null where the file is not there.
ProgramPtr open(std::string_view name) {
    const auto bundle = et::bundled_program::Bundle::open(std::filesystem::path(ET_REAL_PROGRAMS) / name);
    if (!bundle) {
        return nullptr;
    }
    const auto program = et::program::Program::parse((*bundle)->file, (*bundle)->program);
    return program ? *program : nullptr;
}

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
}

/// Of a whole load: everything from the mapped file to a method that can run.
double loadOnce(const ProgramPtr& program, const et::kernels::ThreadPool& threads) {
    const auto start = Clock::now();
    et::executor::Module module(
        program,
        {.kernels = et::kernels::builtin(), .backends = et::backends::builtin(), .threads = threads});
    return module.load(program->methods.front().name) ? millisecondsSince(start) : 0;
}

/// Of the library's calls for the same delegate: making the operators, with the memory that it takes itself
/// for packed weights, and planning its memory.
double packOnce(const et::program::Program& program, const xnnpack::Payload& payload,
                const et::kernels::ThreadPool& threads) {
    const auto shared = xnnpack::SharedMemory::make();
    const auto constants = xnnpack::ConstantData::find(payload, ProgramData(program));
    xnnpack::Shapes shapes = xnnpack::exportedShapes(payload);
    if (!shared || !constants || !xnnpack::followShapes(payload, shapes, UINT64_MAX / 4)) {
        return 0;
    }
    const auto built = xnnpack::buildSubgraph(payload, *constants, shapes, false);
    if (!built) {
        return 0;
    }
    const auto start = Clock::now();
    xnn_runtime_t runtime = nullptr;
    if (xnn_create_runtime_v4(built->graph.get(), nullptr, (*shared)->workspace.get(), threads.handle(), 0,
                              &runtime) != xnn_status_success ||
        xnn_reshape_runtime(runtime) != xnn_status_success) {
        return 0;
    }
    const double time = millisecondsSince(start);
    xnn_delete_runtime(runtime);
    return time;
}

void load(benchmark::State& state, const char* name) {
    const ProgramPtr program = open(name);
    if (program == nullptr) {
        state.SkipWithError("the program is not there");
        return;
    }
    const et::kernels::ThreadPool threads(1);
    const auto payload = xnnpack::Payload::read(program->methods.front().delegates.front().payload);
    std::vector<double> whole;
    std::vector<double> library;
    for (auto _ : state) {
        whole.push_back(loadOnce(program, threads));
        state.PauseTiming();
        library.push_back(payload ? packOnce(*program, *payload, threads) : 0);
        state.ResumeTiming();
        if (whole.back() == 0 || library.back() == 0) {
            state.SkipWithError("the program does not load");
            return;
        }
    }
    state.counters["load_ms"] = median(whole);
    state.counters["library_ms"] = median(library);
    state.counters["of_library"] = median(whole) / median(library);
}
BENCHMARK_CAPTURE(load, mobilenet_v2_fp32, "mobilenet_v2/xnnpack.bpte")
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, mobilenet_v2_q8, "mobilenet_v2/xnnpack_q8.bpte")
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);

}  // namespace

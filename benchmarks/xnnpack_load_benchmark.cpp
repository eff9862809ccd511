// Load times of delegated programs, compared with the library's time to create its operators and pack their
// weights: `of_library` is the ratio of their medians (docs/explanation/performance.md). Page faults dominate
// both, so both start with the same heap state, see Heap.

#include "backends/builtin.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/library/subgraph.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/method.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <xnnpack.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace {

namespace xnnpack = et::backends::xnnpack;
using Clock = std::chrono::steady_clock;
using ProgramPtr = std::shared_ptr<const et::program::Program>;

/// Null if the file does not exist.
ProgramPtr open(std::string_view name) {
    const auto bundle = et::bundled_program::Bundle::open(std::filesystem::path(ET_REAL_PROGRAMS) / name);
    if (!bundle) {
        return nullptr;
    }
    const auto program = et::program::Program::parse((*bundle)->file, (*bundle)->program);
    return program ? *program : nullptr;
}

/// State of the allocator when a load begins.
enum class Heap : std::uint8_t {
    Fresh,  ///< no free memory: a program loads a model for the first time
    Warm,   ///< keeps all freed memory: a program loads models repeatedly
};

/// Fixes the allocator's thresholds, which otherwise depend on earlier allocations.
void setAllocator(Heap heap) {
    constexpr int max = 1 << 30;
    constexpr int maxMapped = 32 << 20;
    constexpr int usual = 128 << 10;
    (void)::mallopt(M_TRIM_THRESHOLD, heap == Heap::Warm ? max : usual);
    (void)::mallopt(M_MMAP_THRESHOLD, heap == Heap::Warm ? maxMapped : usual);
}

/// Cost of one load, or of creating the operators once.
struct Cost {
    double milliseconds = 0;  ///< 0: failed
    std::int64_t faults = 0;  ///< page faults
};

class Stopwatch {
  public:
    explicit Stopwatch(Heap heap) {
        if (heap == Heap::Fresh) {
            (void)::malloc_trim(0);
        }
        faultsBefore = faults();
        start = Clock::now();
    }
    [[nodiscard]] Cost stop() const {
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        return {.milliseconds = time.count(), .faults = faults() - faultsBefore};
    }

  private:
    static std::int64_t faults() {
        rusage usage{};
        (void)::getrusage(RUSAGE_SELF, &usage);
        return usage.ru_minflt;
    }
    std::int64_t faultsBefore = 0;
    Clock::time_point start;
};

/// Cost of a whole load, from the mapped file to a method that is ready to run.
Cost loadOnce(const ProgramPtr& program, const et::kernels::ThreadPool& threads, Heap heap) {
    const Stopwatch watch(heap);
    et::executor::Module module(
        program,
        {.kernels = et::kernels::builtin(), .backends = et::backends::builtin(), .threads = threads});
    return module.load(program->methods.front().name) ? watch.stop() : Cost{};
}

/// Cost of the library's calls for the same delegate: creating the operators, including its own memory for
/// packed weights, and planning its memory.
Cost packOnce(const et::program::Program& program, const xnnpack::Payload& payload,
              const et::kernels::ThreadPool& threads, Heap heap) {
    const auto shared = xnnpack::SharedMemory::make();
    const auto constants = xnnpack::ConstantData::find(payload, et::executor::ModuleData(program, {}));
    xnnpack::Shapes shapes = xnnpack::exportedShapes(payload);
    if (!shared || !constants || !xnnpack::followShapes(payload, shapes, UINT64_MAX / 4)) {
        return {};
    }
    const auto built = xnnpack::buildSubgraph(payload, *constants, shapes, false);
    if (!built) {
        return {};
    }
    const Stopwatch watch(heap);
    xnn_runtime_t runtime = nullptr;
    if (xnn_create_runtime_v4(built->graph.get(), nullptr, (*shared)->workspace->handle.get(),
                              threads.handle(), 0, &runtime) != xnn_status_success ||
        xnn_reshape_runtime(runtime) != xnn_status_success) {
        return {};
    }
    const Cost cost = watch.stop();
    xnn_delete_runtime(runtime);
    return cost;
}

/// Minimum time, and median of page faults, which hardly vary.
class Costs {
  public:
    bool add(Cost cost) {
        times.push_back(cost.milliseconds);
        faults.push_back(static_cast<double>(cost.faults));
        return cost.milliseconds != 0;
    }
    [[nodiscard]] double median() const { return middle(times); }
    [[nodiscard]] double min() const { return std::ranges::min(times); }
    [[nodiscard]] double pages() const { return middle(faults); }

  private:
    static double middle(std::vector<double> numbers) {
        std::ranges::sort(numbers);
        return numbers[numbers.size() / 2];
    }
    std::vector<double> times;
    std::vector<double> faults;
};

void load(benchmark::State& state, const char* name, Heap heap) {
    const ProgramPtr program = open(name);
    if (program == nullptr) {
        state.SkipWithError("the program is not there");
        return;
    }
    setAllocator(heap);
    const et::kernels::ThreadPool threads(1);
    const auto payload = xnnpack::readPayload(program->methods.front().delegates.front().payload);
    Costs whole;
    Costs library;
    for (auto _ : state) {
        const Cost cost = loadOnce(program, threads, heap);
        state.SetIterationTime(cost.milliseconds / 1000);
        if (!payload || !whole.add(cost) || !library.add(packOnce(*program, *payload, threads, heap))) {
            state.SkipWithError("the program does not load");
            return;
        }
    }
    state.counters["load_ms"] = whole.median();
    state.counters["library_ms"] = library.median();
    state.counters["of_library"] = whole.median() / library.median();
    state.counters["of_library_min"] = whole.min() / library.min();
    state.counters["load_pages"] = whole.pages();
    state.counters["library_pages"] = library.pages();
}
BENCHMARK_CAPTURE(load, mobilenet_v2_fp32, "mobilenet_v2/xnnpack.bpte", Heap::Fresh)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, mobilenet_v2_q8, "mobilenet_v2/xnnpack_q8.bpte", Heap::Fresh)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, mobilenet_v2_fp32_again, "mobilenet_v2/xnnpack.bpte", Heap::Warm)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, mobilenet_v2_q8_again, "mobilenet_v2/xnnpack_q8.bpte", Heap::Warm)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
// Few weights: measures costs other than packing.
BENCHMARK_CAPTURE(load, ds_cnn_q8, "../programs2/ds_cnn/xnnpack_q8.bpte", Heap::Fresh)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, ds_cnn_q8_again, "../programs2/ds_cnn/xnnpack_q8.bpte", Heap::Warm)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

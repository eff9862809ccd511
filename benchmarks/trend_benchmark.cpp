#include "app/tasks/trend/import_files.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/trend.h"
#include "tests/support/generated_trace.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et {
namespace {

namespace fs = std::filesystem;

/// Temporary folder of traces with one run each and differing times.
class TraceFolder {
  public:
    TraceFolder(std::size_t count, std::size_t events)
        : folder(fs::temp_directory_path() / ("et_trend_" + std::to_string(::getpid()))) {
        fs::create_directories(folder);
        for (std::size_t i = 0; i < count; ++i) {
            const auto bytes = test::makeTrace(1, events, static_cast<std::uint32_t>(i));
            files.push_back(folder / (std::to_string(i) + ".etdp"));
            std::ofstream(files.back(), std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        }
    }
    TraceFolder(const TraceFolder&) = delete;
    TraceFolder& operator=(const TraceFolder&) = delete;
    ~TraceFolder() {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    fs::path folder;
    std::vector<fs::path> files;
};

/// Imports traces into a new store (with ET_POSTGRES: on that server), then imports them again, which only
/// hashes known files, and reads everything for a trend.
void importTraces(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const TraceFolder traces(count, static_cast<std::size_t>(state.range(1)));
    const char* const server = std::getenv("ET_POSTGRES");  // of with_postgres.sh
    const fs::path path = server == nullptr ? traces.folder / "t.db" : fs::path(server);
    const tasks::ImportSettings settings{
        .files = traces.files, .store = path, .labels = {.model = "net" + std::to_string(count)}};
    const auto import = [&] {
        tasks::ProgressReporter watch({.mode = tasks::ProgressMode::None}, std::nullopt);
        return tasks::importFiles(settings, watch, [](const core::Error&) {});
    };
    for (auto _ : state) {
        if (const auto outcome = import(); !outcome || outcome->imported != count) {
            state.SkipWithError("not imported");
        }
    }
    auto start = std::chrono::steady_clock::now();
    const auto since = [&start] {
        const auto before = std::exchange(start, std::chrono::steady_clock::now());
        return std::chrono::duration<double>(start - before).count();
    };
    benchmark::DoNotOptimize(import());
    state.counters["again_s"] = since();
    const auto store = inspector::store::TrendStore::open(path);
    const auto model = store->load(settings.labels.model);
    state.counters["load_s"] = since();
    auto trend = inspector::findTrend(*model, {.grouping = {.by = {}}});
    state.counters["trend_s"] = since();
    benchmark::DoNotOptimize(trend);
    state.counters["operators"] = static_cast<double>(model->operators.size());
    if (server == nullptr) {
        state.counters["store_bytes"] = static_cast<double>(fs::file_size(path));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(count) * state.iterations());
}
BENCHMARK(importTraces)
    ->ArgNames({"traces", "events"})
    ->Args({1'000, 1'000})
    ->Args({10'000, 1'000})
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace et

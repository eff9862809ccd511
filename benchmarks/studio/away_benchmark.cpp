// Longest time that the window is unresponsive while a user works with a trace of 1,000,000 events of
// MobileNetV2, its program and its record: opening them, and all acts of tests/studio/window_acts.h. Target:
// 50 ms of the GUI thread's CPU time. Exits with 1 if the window no longer offers an act. Usage:
// studio_away_benchmark [--benchmark_…]; acts depend on earlier ones, so --benchmark_filter keeps "open".
#include "app/samples/sample_set.h"
#include "app/studio/main_window.h"
#include "benchmarks/studio/heartbeat.h"
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "tests/studio/window_acts.h"
#include "tests/support/scratch_folder.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QThreadPool>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

using et::studio::MainWindow;
using Paths = std::vector<std::filesystem::path>;

constexpr double targetMilliseconds = 50;
constexpr std::size_t maxEvents = 1'000'000;
constexpr int quietMilliseconds = 250;  // without activity

/// Repeats the last run of a trace.
std::vector<std::byte> repeated(const et::etdump::Trace& trace) {
    const et::etdump::Run& run = trace.runs().back();
    const et::etdump::EventColumns& events = trace.events();
    et::etdump::TraceWriter writer;
    std::uint64_t end = 0;
    for (std::size_t i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
        end = std::max(end, events.end[i]);
    }
    const std::uint64_t length = end - events.start[run.firstEvent] + 1;
    for (std::size_t turn = 0; turn * run.eventCount < maxEvents; ++turn) {
        writer.beginRun("Execute");
        for (std::size_t i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
            if (events.kind[i] == et::etdump::EventKind::Profile) {
                writer.profile(trace.text(events.name[i]),
                               {.instruction = events.instruction[i],
                                .chain = static_cast<std::int32_t>(events.chain[i]),
                                .delegateInt = events.delegateInt[i],
                                .delegateString = trace.text(events.delegateString[i])},
                               events.start[i] + turn * length, events.end[i] + turn * length,
                               trace.metadata(static_cast<et::etdump::EventIndex>(i)));
            }
        }
    }
    return writer.finish().value();
}

/// Program, record and a long trace of MobileNetV2; empty if they cannot be written.
Paths longSet(const std::filesystem::path& folder) {
    Paths kept;
    const auto set = et::samples::writeSampleSet("mobilenet_v2", folder);
    for (const std::filesystem::path& path : set.value_or(Paths())) {
        if (path.extension() == ".etdp") {
            const auto trace = et::etdump::Trace::open(path);
            const std::vector<std::byte> bytes = repeated(**trace);
            kept.push_back(folder / "long.etdp");
            std::ofstream(kept.back(), std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        } else if (path.extension() == ".pte" || path.extension() == ".etrecord") {
            kept.push_back(path);
        }
    }
    return kept;
}

/// A window and a simulated user who performs one act at a time and waits for it to finish.
class Person {
  public:
    explicit Person(Paths files) : opened(std::move(files)) {
        window.resize(1600, 900);
        window.show();
        settle();
        acts.push_back({"open", [this] {
                            window.open(opened);
                            return true;
                        }});
        std::ranges::move(et::test::windowActs(window, folder.path().toStdString()),
                          std::back_inserter(acts));
    }

    [[nodiscard]] const std::vector<et::test::WindowAct>& all() const { return acts; }

    /// Performs an act, waits for it to finish, and reports how long the window was unresponsive.
    void act(benchmark::State& state, const et::test::WindowAct& what) {
        settle();
        heart.restart();
        if (!what.happens()) {
            failed = true;
            state.SkipWithError("the window does not offer it");
            return;
        }
        settle();
        state.SetIterationTime(heart.longestMilliseconds() / 1e3);
        state.counters["away_ms"] = heart.longestMilliseconds();
        state.counters["away_cpu_ms"] = heart.longestProcessorMilliseconds();
        state.counters["cpu_of_target"] = heart.longestProcessorMilliseconds() / targetMilliseconds;
    }
    /// Whether an act was unavailable.
    [[nodiscard]] bool hasFailed() const { return failed; }

  private:
    /// Processes events until the window is idle.
    void settle() {
        QElapsedTimer quiet;
        quiet.start();
        while (quiet.elapsed() < quietMilliseconds) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (window.loader().busy() || QThreadPool::globalInstance()->activeThreadCount() > 0) {
                quiet.restart();
            }
        }
    }

    Paths opened;
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    MainWindow window{settings};
    et::benchmarks::Heartbeat heart;
    std::vector<et::test::WindowAct> acts;
    bool failed = false;
};

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const et::test::ScratchFolder folder;
    const Paths files = longSet(folder.path());
    if (files.empty()) {
        std::fprintf(stderr, "the files cannot be written\n");
        return 1;
    }
    Person person(files);
    for (const et::test::WindowAct& what : person.all()) {
        benchmark::RegisterBenchmark(what.name,
                                     [&person, &what](benchmark::State& state) {
                                         for (auto _ : state) {
                                             person.act(state, what);
                                         }
                                     })
            ->UseManualTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return person.hasFailed() ? 1 : 0;
}

// The time of a frame of the timeline with 1,000,000 events, at zooms from all of it to a few events:
// offscreen, in software. Target: 16 ms for 95 of 100 frames.
#include "tests/support/generated_trace.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace {

using et::visualizers::Selection;
using et::visualizers::Timeline;
using et::visualizers::TimelineWidget;

constexpr std::size_t runs = 1000;
constexpr std::size_t eventsPerRun = 1000;
constexpr double targetMilliseconds = 16;
constexpr QSize screen{1920, 1080};

std::shared_ptr<const Timeline> millionEvents() {
    static const auto timeline = [] {
        const et::test::GeneratedTraceFile file(runs, eventsPerRun);
        const auto trace = et::etdump::Trace::open(file.path()).value();
        return Timeline::build(et::inspector::EventBlocks::build(trace).value());
    }();
    return timeline;
}

/// Time of the thread alone: others use the machine too.
double processorMilliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double percentile(std::vector<double> values, double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// One frame a turn, while the view moves as it does under a hand.
void paintFrames(benchmark::State& state, bool overlay) {
    Selection selection;
    TimelineWidget widget(selection);
    widget.resize(screen);
    widget.setTimeline(millionEvents());
    if (overlay) {
        widget.setOverlay(millionEvents(), QStringLiteral("other.etdp"));
    }
    const double length = widget.view().length();
    const double part = 1.0 / static_cast<double>(state.range(0));
    QImage screenImage(screen, QImage::Format_RGB32);
    std::vector<double> frames;
    double from = 0.3;
    for (auto _ : state) {
        from = from > 0.6 ? 0.3 : from + part / 50;
        widget.showTimes(from * length, (from + part) * length);
        const double begin = processorMilliseconds();
        widget.render(&screenImage);
        frames.push_back(processorMilliseconds() - begin);
        state.SetIterationTime(frames.back() / 1e3);
    }
    state.counters["cpu_p50_ms"] = percentile(frames, 0.5);
    state.counters["cpu_p95_ms"] = percentile(frames, 0.95);
    state.counters["p95_of_target"] = percentile(frames, 0.95) / targetMilliseconds;
}

void zooms(benchmark::internal::Benchmark* each) {
    for (const int zoom : {1, 10, 100, 1000, 10'000, 100'000}) {
        each->Arg(zoom);
    }
    each->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(200);
}
BENCHMARK_CAPTURE(paintFrames, one, false)->Apply(zooms);
BENCHMARK_CAPTURE(paintFrames, overlaid, true)->Apply(zooms);

/// From joined blocks to something to paint; off the GUI thread.
void build(benchmark::State& state) {
    const auto blocks = millionEvents()->blocks;
    for (auto _ : state) {
        benchmark::DoNotOptimize(Timeline::build(blocks));
    }
}
BENCHMARK(build)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// Frame times of the timeline with 1,000,000 events, of a graph with 50,000 open boxes and of a memory plan
// with 50,000 tensors, at zooms from everything to a few items: offscreen, in software. Target: 16 ms for 95
// of 100 frames.
#include "app/studio/graph/scene_maker.h"
#include "benchmarks/studio/frame_times.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/session/session.h"
#include "tests/support/generated_graph.h"
#include "tests/support/generated_trace.h"
#include "tests/support/long_program.h"
#include "tests/support/scratch_folder.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

namespace {

using et::benchmarks::processorMilliseconds;
using et::benchmarks::reportFrames;
using et::visualizers::OpenSession;
using et::visualizers::Selection;
using et::visualizers::Timeline;
using et::visualizers::TimelineWidget;

constexpr std::size_t runs = 1000;
constexpr std::size_t eventsPerRun = 1000;
constexpr std::size_t manyThings = 50'000;  // boxes, tensors
constexpr QSize screen{1920, 1080};

std::shared_ptr<const Timeline> millionEvents() {
    static const auto timeline = [] {
        const et::test::GeneratedTraceFile file(runs, eventsPerRun);
        const auto trace = et::etdump::Trace::open(file.path()).value();
        return Timeline::build(et::inspector::EventBlocks::build(trace).value());
    }();
    return timeline;
}

/// Paints one frame per iteration while the view moves as with a mouse.
void paintFrames(benchmark::State& state, bool overlay) {
    const OpenSession opened;
    Selection selection(opened);
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
        widget.navigation().showTimes(from * length, (from + part) * length);
        const double begin = processorMilliseconds();
        widget.render(&screenImage);
        frames.push_back(processorMilliseconds() - begin);
        state.SetIterationTime(frames.back() / 1e3);
    }
    reportFrames(state, frames);
}

void zooms(benchmark::internal::Benchmark* each) {
    for (const int zoom : {1, 10, 100, 1000, 10'000, 100'000}) {
        each->Arg(zoom);
    }
    each->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(200);
}
void closer(benchmark::internal::Benchmark* each) {
    for (const int steps : {0, 2, 4, 6, 8, 10, 12, 16}) {
        each->Arg(steps);
    }
    each->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(50);
}
BENCHMARK_CAPTURE(paintFrames, one, false)->Apply(zooms);
BENCHMARK_CAPTURE(paintFrames, overlaid, true)->Apply(zooms);

void paintOverAndOver(benchmark::State& state, QWidget& widget) {
    QImage screenImage(screen, QImage::Format_RGB32);
    std::vector<double> frames;
    for (auto _ : state) {
        const double begin = processorMilliseconds();
        widget.render(&screenImage);
        frames.push_back(processorMilliseconds() - begin);
        state.SetIterationTime(frames.back() / 1e3);
    }
    reportFrames(state, frames);
}

void paintGraph(benchmark::State& state) {
    static const auto scene =
        et::studio::makeScene({.graph = et::test::generatedGraph(manyThings), .options = {.expandAll = true}})
            .scene;
    et::visualizers::GraphCanvas canvas;
    canvas.resize(screen);
    canvas.setScene(scene,
                    et::inspector::coloursOf(scene->graph(), scene->diagram(), et::inspector::Overlay::Kind));
    canvas.fitAll();
    for (int i = 0; i < state.range(0); ++i) {
        canvas.zoomIn();
    }
    paintOverAndOver(state, canvas);
}
BENCHMARK(paintGraph)->Apply(closer);

et::visualizers::MemoryPlans manyTensors() {
    const et::test::ScratchFolder folder;
    const std::vector<std::byte> bytes = et::test::longProgram(manyThings);
    const std::filesystem::path path = folder.path() / "long.pte";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    et::inspector::SessionFiles files;
    files.program = path;
    return et::visualizers::MemoryPlans::build(et::inspector::Session::open(files).value());
}

/// Repaints the layer of tensors in each frame, as during zooming.
void paintMemory(benchmark::State& state) {
    static const et::visualizers::MemoryPlans plans = manyTensors();
    et::visualizers::PlanWidget widget;
    widget.resize(screen);
    widget.setPlan(plans.methods.front(), 0);
    const double length = widget.window().x.length();
    const double part = 1.0 / static_cast<double>(state.range(0));
    QImage screenImage(screen, QImage::Format_RGB32);
    std::vector<double> frames;
    for (auto _ : state) {
        widget.showRange({.from = 0.3 * length, .to = (0.3 + 0.7 * part) * length});
        const double begin = processorMilliseconds();
        widget.render(&screenImage);
        frames.push_back(processorMilliseconds() - begin);
        state.SetIterationTime(frames.back() / 1e3);
    }
    reportFrames(state, frames);
}
BENCHMARK(paintMemory)->Apply(zooms);

/// Builds the timeline's paintable data from joined blocks; runs off the GUI thread.
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

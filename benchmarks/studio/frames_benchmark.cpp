// Frame times of the window with a trace of 1,000,000 events, in the Time perspective with all of its panes:
// moving the timeline, highlighting the hovered item in all panes, and repainting the whole window.
// Offscreen, in software. Target: 16 ms for 95 of 100 frames. Usage: studio_frames_benchmark [--benchmark_…].
#include "app/studio/main_window.h"
#include "app/studio/timeline/timeline_panel.h"
#include "benchmarks/studio/frame_times.h"
#include "tests/support/generated_trace.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QAction>
#include <QApplication>
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>
#include <QThreadPool>

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <vector>

namespace {

using et::benchmarks::processorMilliseconds;
using et::benchmarks::reportFrames;

constexpr std::size_t runs = 1000;
constexpr std::size_t eventsPerRun = 1000;
constexpr int frameCount = 400;
constexpr QSize screen{1920, 1080};

/// An idle window with the trace.
class Workbench {
  public:
    Workbench()
        : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat),
          trace(runs, eventsPerRun),
          window(settings) {
        window.resize(screen);
        window.show();
        window.open({trace.path()});
        settle();
        for (QAction* const action : window.findChildren<QAction*>()) {
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_1)) {
                action->trigger();
            }
        }
        settle();
    }

    [[nodiscard]] et::visualizers::TimelineWidget& timeline() {
        return window.findChild<et::studio::TimelinePanel*>()->view();
    }
    /// Measures one frame per turn: an input action and the repaint that follows.
    void measure(benchmark::State& state, const std::function<void(int)>& act) {
        std::vector<double> frames;
        int turn = 0;
        for (auto _ : state) {
            const double begin = processorMilliseconds();
            act(turn++);
            QApplication::processEvents();
            frames.push_back(processorMilliseconds() - begin);
            state.SetIterationTime(frames.back() / 1e3);
        }
        reportFrames(state, frames);
    }
    void hover(int turn) {
        const auto& blocks = window.opened().blocks()->blocks();
        const std::size_t block = blocks.size() - 1;
        window.selection().setHovered(et::visualizers::EventRef{
            block, static_cast<std::size_t>(turn) * 7 % blocks[block].events.size()});
    }
    void paintAll() { window.render(&picture); }

  private:
    void settle() {
        constexpr int quietTurns = 40;
        for (int quiet = 0; quiet < quietTurns; ++quiet) {
            QApplication::processEvents(QEventLoop::AllEvents, 20);
            if (window.loader().busy() || QThreadPool::globalInstance()->activeThreadCount() > 0) {
                quiet = 0;
            }
            QThreadPool::globalInstance()->waitForDone(20);
        }
    }

    QTemporaryDir folder;
    QSettings settings;
    et::test::GeneratedTraceFile trace;
    et::studio::MainWindow window;
    QImage picture{screen, QImage::Format_RGB32};
};

/// Owned by main(), because it must not outlive the application.
std::unique_ptr<Workbench>& shared() {
    static std::unique_ptr<Workbench> bench;
    return bench;
}

Workbench& workbench() {
    if (shared() == nullptr) {
        shared() = std::make_unique<Workbench>();
    }
    return *shared();
}

/// Shows part of the timeline, a little further each turn.
void move(int turn, std::int64_t zoom) {
    et::visualizers::TimelineWidget& timeline = workbench().timeline();
    const double length = timeline.view().length();
    const double part = 1.0 / static_cast<double>(zoom);
    const double from = 0.3 + part / 50 * (turn % 100);
    timeline.navigation().showTimes(from * length, (from + part) * length);
}

void moveTimeline(benchmark::State& state) {
    workbench().measure(state, [&](int turn) { move(turn, state.range(0)); });
}
void moveTimelineWithDifferences(benchmark::State& state) {
    workbench().timeline().setDifference(true);
    workbench().measure(state, [&](int turn) { move(turn, state.range(0)); });
    workbench().timeline().setDifference(false);
}
void glow(benchmark::State& state) {
    move(0, state.range(0));
    workbench().measure(state, [](int turn) { workbench().hover(turn); });
}
void wholeWindow(benchmark::State& state) {
    workbench().measure(state, [&](int turn) {
        move(turn, state.range(0));
        workbench().paintAll();
    });
}

void frames(benchmark::internal::Benchmark* each) {
    for (const int zoom : {1, 100, 10'000}) {
        each->Arg(zoom);
    }
    each->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(frameCount);
}
BENCHMARK(moveTimeline)->Apply(frames);
BENCHMARK(moveTimelineWithDifferences)->Apply(frames);
BENCHMARK(glow)->Apply(frames);
BENCHMARK(wholeWindow)->Apply(frames);

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    shared().reset();
    return 0;
}

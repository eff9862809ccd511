// Time from process start to a usable window: every file read and joined, the front panel painted, and the
// GUI thread idle. Each iteration is a new process (this program with --open). Targets: MobileNetV2 with its
// program, record and a trace of 50 runs in 0.7 s, a trace of 1,000,000 events in 1.5 s. Usage:
// studio_open_benchmark [--benchmark_…]; ET_OPEN_FILES="a.etdp b.pte" adds a set of files.
#include "app/samples/sample_set.h"
#include "app/studio/main_window.h"
#include "benchmarks/studio/heartbeat.h"
#include "tests/support/generated_trace.h"
#include "tests/support/scratch_folder.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Paths = std::vector<std::filesystem::path>;

constexpr const char* openWord = "--open";

/// Opens files in a window and exits when it is usable. Prints the longest time that the GUI thread was
/// unresponsive.
int openOnce(QApplication& application, const Paths& files) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    et::studio::MainWindow window(settings);
    window.resize(1600, 900);
    window.show();
    const et::benchmarks::Heartbeat heartbeat;
    window.open(files);
    QObject::connect(&window.loader(), &et::studio::SessionLoader::finished, &window, [&] {
        QTimer::singleShot(0, &window, [&] {
            static_cast<void>(window.grab());
            application.quit();
        });
    });
    QApplication::exec();
    std::printf("%f\n", heartbeat.longestMilliseconds());
    return window.opened().session() ? 0 : 1;
}

void openFiles(benchmark::State& state, const Paths& files, double targetSeconds) {
    QStringList arguments{QString::fromLatin1(openWord)};
    for (const std::filesystem::path& file : files) {
        arguments.append(QString::fromStdString(file.string()));
    }
    double best = 1e9;
    double away = 1e9;
    for (auto _ : state) {
        QElapsedTimer clock;
        clock.start();
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), arguments);
        if (!process.waitForFinished(-1) || process.exitCode() != 0) {
            state.SkipWithError("the files do not open");
            return;
        }
        const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
        best = std::min(best, seconds);
        away = std::min(away, process.readAllStandardOutput().trimmed().toDouble());
        state.SetIterationTime(seconds);
    }
    state.counters["best_s"] = best;
    state.counters["best_of_target"] = best / targetSeconds;
    state.counters["gui_away_ms"] = away;
}

void add(const char* name, Paths files, double targetSeconds) {
    benchmark::RegisterBenchmark(name,
                                 [files = std::move(files), targetSeconds](benchmark::State& state) {
                                     openFiles(state, files, targetSeconds);
                                 })
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc > 1 && std::string_view(argv[1]) == openWord) {
        return openOnce(application, Paths(argv + 2, argv + argc));
    }
    const et::test::ScratchFolder folder;
    const et::test::GeneratedTraceFile million(1000, 1000);
    add("openMillionEvents", {million.path()}, 1.5);
    if (const auto set = et::samples::writeSampleSet("mobilenet_v2", folder.path())) {
        add("openMobileNetV2", *set, 0.7);
    }
    Paths further;
    for (const QString& file : qEnvironmentVariable("ET_OPEN_FILES").split(u' ', Qt::SkipEmptyParts)) {
        further.emplace_back(file.toStdString());
    }
    if (!further.empty()) {
        add("openFurther", further, 0.7);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

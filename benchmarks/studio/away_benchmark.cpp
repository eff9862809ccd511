// How long the window is away at a stretch while a person works with a trace of 1,000,000 events of
// MobileNetV2, its program and its record: opening them, choosing an event, filtering, grouping, summing,
// measuring a range, entering each room, asking in SQL, saving, reloading. Target: 50 ms of the GUI thread's
// own time. Usage: studio_away_benchmark [--benchmark_…]; the acts build on one another, so
// --benchmark_filter keeps "open".
#include "app/samples/sample_set.h"
#include "app/studio/main_window.h"
#include "app/studio/room_area.h"
#include "app/studio/session_saver.h"
#include "benchmarks/studio/heartbeat.h"
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "tests/support/scratch_folder.h"
#include "visualizers/events/event_view.h"
#include "visualizers/sql/sql_editor.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QThreadPool>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using et::studio::MainWindow;
using Paths = std::vector<std::filesystem::path>;

constexpr double targetMilliseconds = 50;
constexpr std::size_t maxEvents = 1'000'000;
constexpr int quietMilliseconds = 250;  // nothing happens any more

/// The last run of a trace, over and over.
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

/// Program, record and a long trace of MobileNetV2; empty where they cannot be written.
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

/// A window, and what a person does with it.
class Person {
  public:
    explicit Person(Paths files) : opened(std::move(files)) {
        window.resize(1600, 900);
        window.show();
        settle();
    }

    /// Lets the window work until nothing happens any more.
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
    /// Does something, waits until it has happened, and tells how long the window was away.
    void act(benchmark::State& state, const std::function<void()>& something) {
        settle();
        heart.restart();
        something();
        settle();
        state.SetIterationTime(heart.longestMilliseconds() / 1e3);
        state.counters["away_ms"] = heart.longestMilliseconds();
        state.counters["away_cpu_ms"] = heart.longestProcessorMilliseconds();
        state.counters["cpu_of_target"] = heart.longestProcessorMilliseconds() / targetMilliseconds;
    }

    void open() { window.open(opened); }
    void chooseEvent(std::size_t which) {
        const auto& blocks = window.opened().blocks()->blocks();
        const std::size_t block = blocks.size() - 1;
        window.selection().setCurrent(et::visualizers::EventRef{block, which % blocks[block].events.size()});
    }
    void type(const QString& text) { events().filterBox().setText(text); }
    void measure(double from, double to) {
        const auto& columns = window.opened().blocks()->trace().events();
        const double length = static_cast<double>(columns.end.back() - columns.start.front());
        const auto tick = [&](double part) {
            return columns.start.front() + static_cast<std::uint64_t>(part * length);
        };
        window.selection().setRange(et::visualizers::TickRange{tick(from), tick(to)});
    }
    void trigger(const QString& text) {
        for (QAction* const action : window.findChildren<QAction*>()) {
            if (action->text().remove(u'&') == text) {
                action->trigger();
                return;
            }
        }
        std::fprintf(stderr, "no action %s\n", qPrintable(text));
        std::exit(1);
    }
    void enter(std::string_view room) {
        for (const auto& entry : window.area().entries()) {
            if (entry.info->id == room) {
                window.area().enter(*entry.room);
            }
        }
    }
    void ask(const QString& sql) {
        window.findChild<et::visualizers::SqlEditor*>()->setPlainText(sql);
        trigger(QStringLiteral("Run Query"));
    }
    void save() { window.saver().save(folder.filePath(QStringLiteral("saved.db")).toStdString()); }

  private:
    [[nodiscard]] et::visualizers::EventView& events() {
        return *window.findChild<et::visualizers::EventView*>();
    }

    Paths opened;
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    MainWindow window{settings};
    et::benchmarks::Heartbeat heart;
};

void add(const std::string& name, Person& person, const std::function<void()>& something) {
    benchmark::RegisterBenchmark(name,
                                 [&person, something](benchmark::State& state) {
                                     for (auto _ : state) {
                                         person.act(state, something);
                                     }
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

void addTable(Person& person) {
    for (const std::size_t event : {0, 7, 23}) {
        add("chooseEvent/" + std::to_string(event), person, [&person, event] { person.chooseEvent(event); });
    }
    for (const char* const text : {"c", "co", "conv", "nowhere", ""}) {
        add(std::string("filter/") + text, person,
            [&person, text] { person.type(QString::fromLatin1(text)); });
    }
    add("measureRange", person, [&person] { person.measure(0.4, 0.6); });
    add("measureShortRange", person, [&person] { person.measure(0.5, 0.5); });
    add("measureAll", person, [&person] { person.measure(0, 1); });
    for (const char* const action :
         {"Clear the Measured Range", "Group by Block", "Show OPERATOR_CALL", "Group by Block",
          "Sum by Operator", "Sum by Module", "Sum by Delegate", "Sum by Delegate"}) {
        add(std::string("do/") + action, person,
            [&person, action] { person.trigger(QString::fromLatin1(action)); });
    }
}

void addRooms(Person& person) {
    for (const char* const room : {"overview", "timeline", "graph", "memory", "delegates", "source", "tests",
                                   "compare", "gap", "run", "sql", "events"}) {
        add(std::string("enter/") + room, person, [&person, room] { person.enter(room); });
    }
    for (const char* const room : {"graph", "memory", "delegates", "source"}) {
        add(std::string("chooseEventIn/") + room, person, [&person, room] {
            person.enter(room);
            person.chooseEvent(11);
            person.chooseEvent(30);
        });
    }
}

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
    add("open", person, [&person] { person.open(); });
    addTable(person);
    addRooms(person);
    add("askSql", person, [&person] { person.ask(QStringLiteral("SELECT * FROM samples LIMIT 100000")); });
    add("saveSession", person, [&person] { person.save(); });
    add("reload", person, [&person] { person.trigger(QStringLiteral("Reload")); });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

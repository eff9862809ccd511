// Tests of runs started from the window: results and failures.
#include "app/studio/run/run_panel.h"

#include "app/studio/panel_area.h"
#include "app/studio/run/run_form.h"
#include "app/studio/run/run_log.h"
#include "app/studio/run/run_preview.h"
#include "app/studio/run/run_result.h"
#include "inspector/memory/measured_memory.h"
#include "runtime/builder/program_builder.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <map>

namespace et::test {

namespace {

using studio::RunList;

/// b = neg(abs(x)) and c = exp(x), which the plan puts on b; then d = b + c.
core::Result<std::vector<std::byte>> programWithOverlap() {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const builder::TensorSpec spec{.sizes = {5, 7}};
    const auto x = method.input(spec);
    const auto a = method.intermediate(spec);
    const auto b = method.intermediate(spec);
    const auto c = method.intermediate(spec);
    const auto d = method.intermediate(spec);
    method.call("aten::abs.out", {x}, {a});
    method.call("aten::neg.out", {a}, {b});
    method.call("aten::exp.out", {x}, {c});
    method.call("aten::add.out", {b, c, 1}, {d});
    method.output(d);
    const program::ArenaId arena(1);
    const std::vector<std::pair<program::ValueId, std::uint64_t>> places{
        {x, 0}, {a, 256}, {b, 512}, {c, 512}, {d, 1024}};
    for (const auto& [id, offset] : places) {
        method.place(id, {.arena = arena, .offset = offset});
    }
    method.setArena(arena, 2048);
    return program.finish();
}

class RunPanelTest : public StudioTest {
  protected:
    RunPanelTest() : panel(*driver.window().findChild<studio::RunPanel*>()) {
        driver.window().resize(1280, 800);
    }

    /// Opens the bundled program of our net without a trace.
    void openModel() {
        for (const auto& path : runSamplePaths()) {
            if (path.extension() == ".bpte" || path.extension() == ".etrecord") {
                files.push_back(path);
            }
        }
        driver.open(files);
        driver.enterPanel(QStringLiteral("Run"));
        ASSERT_TRUE(panel.hasContent());
    }
    void run() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
        waitForRun();
    }
    void waitForRun() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.running(); }, 60'000)) << "the run does not end";
        driver.waitUntilIdle();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.result().loading(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] QString cell(int row, RunList::Column column) {
        return panel.runs().index(row, column).data().toString();
    }
    template <class Widget>
    [[nodiscard]] Widget& field(const char* name) {
        return *panel.findChild<Widget*>(QLatin1String(name));
    }
    void startRun() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
    }
    /// Creates a FIFO on which a script blocks (`read x <gate`). Use each gate once: a script that has passed
    /// might find it still open.
    [[nodiscard]] std::string makeGate(const char* name = "gate") const {
        const auto gate = folder() / name;
        EXPECT_EQ(::mkfifo(gate.c_str(), S_IRUSR | S_IWUSR), 0);
        return gate.string();
    }
    static void openGate(const std::string& gate) { std::ofstream(gate) << "go\n"; }
    void useScript(const char* name, const char* text) {
        const auto script = write(name, std::string_view(text));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        driver.useProgram(script);
    }

    WindowDriver driver;
    studio::RunPanel& panel;
    std::vector<std::filesystem::path> files;
};

TEST_F(RunPanelTest, ShowsWhichFilesToOpen) {
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(field<QLabel>("runSummary").text().contains(QStringLiteral("Open a program")));
}

TEST_F(RunPanelTest, ShowsTheSelectedModelBeforeTheFirstRun) {
    auto& preview = *panel.findChild<studio::RunPreview*>();
    EXPECT_TRUE(preview.text(0).contains(QStringLiteral("Open a program")));
    openModel();
    EXPECT_TRUE(WindowDriver::onScreen(preview));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !preview.busy(); }, 30'000));
    EXPECT_TRUE(preview.text(0).contains(QStringLiteral("forward"))) << preview.text(0).toStdString();
    EXPECT_TRUE(preview.text(0).contains(QStringLiteral("10 executions after 2 warm-ups")));
    field<QSpinBox>("runIterations").setValue(3);
    EXPECT_TRUE(preview.text(0).contains(QStringLiteral("3 executions"))) << "what the form says now";
    EXPECT_TRUE(preview.text(1).contains(QStringLiteral("float32 ["))) << preview.text(1).toStdString();
    EXPECT_TRUE(preview.text(2).contains(QStringLiteral("Memory"))) << preview.text(2).toStdString();
    auto* const start = preview.findChild<QPushButton*>();
    ASSERT_TRUE(WindowDriver::onScreen(*start));
    start->click();
    waitForRun();
    ASSERT_EQ(panel.runs().rowCount(), 1);
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_TRUE(WindowDriver::onScreen(panel.table())) << "the runs are there now";
    EXPECT_FALSE(WindowDriver::onScreen(preview));
}

TEST_F(RunPanelTest, RunsAndOpensTheTrace) {
    const QAbstractItemModelTester tester(&panel.runs(),
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    openModel();
    ASSERT_EQ(driver.window().opened().blocks(), nullptr) << "no trace yet";
    run();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    ASSERT_EQ(panel.runs().rowCount(), 1);
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_GT(cell(0, RunList::Median).toDouble(), 0);
    EXPECT_TRUE(panel.result().figures().contains(QStringLiteral("p90")));
    const auto* const blocks = driver.window().opened().blocks();
    ASSERT_NE(blocks, nullptr) << "the trace is open";
    EXPECT_EQ(driver.window().opened().session()->files.trace.filename(), "run_1.etdp");
}

TEST_F(RunPanelTest, ShowsOutputsNextToThePreviousRun) {
    openModel();
    run();
    EXPECT_GT(panel.result().outputs().actual().model().columnCount(), 0);
    EXPECT_TRUE(panel.result().outputs().expected().caption().contains(QStringLiteral("no other run")));
    auto& inputs = field<QComboBox>("runInputs");
    inputs.setCurrentIndex(inputs.findData(QStringLiteral("zeros")));
    run();
    ASSERT_EQ(panel.runs().rowCount(), 2);
    EXPECT_EQ(cell(0, RunList::Number), QStringLiteral("2")) << "the newest first";
    EXPECT_TRUE(panel.result().outputs().expected().caption().startsWith(QStringLiteral("Run 1")));
    EXPECT_TRUE(panel.result().outputs().actual().caption().startsWith(QStringLiteral("Run 2")));
    panel.table().setFocus();
    driver.press(Qt::Key_Down);
    EXPECT_TRUE(panel.result().figures().contains(QStringLiteral("Run 1")));
}

TEST_F(RunPanelTest, MatchesTheCommandLine) {
    openModel();
    field<QSpinBox>("runIterations").setValue(3);
    field<QSpinBox>("runWarmup").setValue(1);
    field<QSpinBox>("runThreads").setValue(2);
    auto& values = field<QComboBox>("runValues");
    values.setCurrentIndex(values.findData(QStringLiteral("intermediates")));
    driver.trigger(QStringLiteral("Copy Command Line"));
    const QString command = QApplication::clipboard()->text();
    EXPECT_TRUE(command.startsWith(QStringLiteral("et-inspect run "))) << command.toStdString();
    for (const char* const word :
         {"--iterations=3", "--warmup=1", "--threads=2", "--debug-level=intermediates",
          "--debug-buffer=debug.bin", "--etdump=trace.etdp", "--case=0"}) {
        EXPECT_TRUE(command.contains(QLatin1String(word))) << word;
    }
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    const auto& session = driver.window().opened().session();
    ASSERT_TRUE(session->debugBuffer) << "what was logged is open as well";
    ASSERT_NE(session->blocks, nullptr);
}

TEST_F(RunPanelTest, MeasuresTimesAlone) {
    openModel();
    field<QComboBox>("runKind").setCurrentIndex(1);
    EXPECT_FALSE(field<QCheckBox>("runTrace").isEnabled());
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_GT(cell(0, RunList::Median).toDouble(), 0);
    EXPECT_EQ(driver.window().opened().blocks(), nullptr) << "nothing was recorded";
}

TEST_F(RunPanelTest, ReportsRejectedRun) {
    openModel();
    auto& inputs = field<QComboBox>("runInputs");
    inputs.setCurrentIndex(inputs.findData(QStringLiteral("files")));
    QTest::keyClicks(&field<QLineEdit>("runFiles"), QStringLiteral("gone.npy"));
    run();
    EXPECT_TRUE(cell(0, RunList::State).startsWith(QStringLiteral("exit code")));
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("gone.npy")));
    EXPECT_TRUE(panel.result().log().contains(QStringLiteral("gone.npy")));
}

TEST_F(RunPanelTest, ACrashIsListedAndTheSessionStays) {
    openModel();
    useScript("crash", "#!/bin/sh\necho about to fall >&2\nkill -SEGV $$\n");
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("crashed"));
    EXPECT_TRUE(panel.result().log().contains(QStringLiteral("about to fall")));
    EXPECT_TRUE(driver.window().opened().session()->program);
    driver.useProgram(ET_INSPECT_PROGRAM);
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done"));
}

TEST_F(RunPanelTest, AHangIsCancelled) {
    openModel();
    useScript("endless", "#!/bin/sh\nexec sleep 1000\n");
    panel.setFocus();
    driver.press(Qt::Key_F9);
    EXPECT_TRUE(panel.running());
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("running"));
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    waitForRun();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("cancelled"));
}

TEST_F(RunPanelTest, CancelTakesThePlaceOfStart) {
    openModel();
    useScript("endless", "#!/bin/sh\nexec sleep 1000\n");
    driver.enterPanel(QStringLiteral("Run"));
    const auto button = [this](const QString& text) -> QPushButton* {
        for (auto* const each : panel.findChildren<QPushButton*>()) {
            if (each->parent()->inherits("QToolBar") && each->text().startsWith(text)) {
                return each;
            }
        }
        return nullptr;
    };
    QPushButton* const start = button(QStringLiteral("Start Run"));
    QPushButton* const cancel = button(QStringLiteral("Cancel Run"));
    ASSERT_TRUE(start != nullptr && cancel != nullptr);
    EXPECT_TRUE(WindowDriver::onScreen(*start));
    EXPECT_FALSE(WindowDriver::onScreen(*cancel));
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return WindowDriver::onScreen(*cancel); }, 30'000));
    EXPECT_FALSE(WindowDriver::onScreen(*start));
    QTest::mouseClick(cancel, Qt::LeftButton);
    waitForRun();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("cancelled"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return WindowDriver::onScreen(*start); }, 30'000));
    EXPECT_FALSE(WindowDriver::onScreen(*cancel));
}

TEST_F(RunPanelTest, TheLogIsThereWhileTheRunGoesOn) {
    openModel();
    const auto gate = makeGate();
    useScript("slow",
              ("#!/bin/sh\necho slowly >&2; read x <" + gate + "; echo at last >&2; exit 3\n").c_str());
    startRun();
    ASSERT_TRUE(WindowDriver::waitForText([this] { return panel.result().log(); }, QStringLiteral("slowly")));
    EXPECT_TRUE(panel.running());
    auto& log = field<studio::RunLogView>("runLog");
    EXPECT_TRUE(WindowDriver::onScreen(log)) << "what starts a run sees what it says";
    EXPECT_FALSE(panel.result().log().contains(QStringLiteral("at last")));
    openGate(gate);
    waitForRun();
    EXPECT_EQ(panel.result().log(), QStringLiteral("slowly\nat last"));
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("exit code 3"));
    field<QToolButton>("runCopyLog").click();
    EXPECT_EQ(QApplication::clipboard()->text(), panel.result().log());
}

TEST_F(RunPanelTest, LogFollowsItsEndUnlessScrolledUp) {
    openModel();
    const auto first = makeGate("first");
    const auto second = makeGate("second");
    const std::string lines = "i=0; while [ $i -lt 300 ]; do echo line $i >&2; i=$((i+1)); done; ";
    useScript("long", ("#!/bin/sh\n" + lines + "read x <" + first + "; " + lines + "read x <" + second +
                       "; echo the end >&2\n")
                          .c_str());
    startRun();
    const auto shown = [this] { return panel.result().log(); };
    ASSERT_TRUE(WindowDriver::waitForText(shown, QStringLiteral("line 299")));
    auto& log = field<studio::RunLogView>("runLog");
    QScrollBar& bar = *log.verticalScrollBar();
    ASSERT_GT(bar.maximum(), 100);
    EXPECT_EQ(bar.value(), bar.maximum());
    bar.setValue(10);
    openGate(first);
    ASSERT_TRUE(QTest::qWaitFor([&] { return log.blockCount() >= 600; }, 30'000));
    EXPECT_EQ(bar.value(), 10) << "what a person reads stays";
    bar.setValue(bar.maximum());
    openGate(second);
    waitForRun();
    EXPECT_EQ(bar.value(), bar.maximum());
    EXPECT_TRUE(shown().endsWith(QStringLiteral("the end")));
}

TEST_F(RunPanelTest, StderrHasItsColour) {
    openModel();
    useScript("both", "#!/bin/sh\necho out; echo err >&2\n");
    run();
    const auto& log = field<studio::RunLogView>("runLog");
    std::map<QString, QColor> colours;
    for (QTextBlock block = log.document()->begin(); block.isValid(); block = block.next()) {
        colours[block.text()] = block.begin().fragment().charFormat().foreground().color();
    }
    ASSERT_TRUE(colours.contains(QStringLiteral("out")) && colours.contains(QStringLiteral("err")));
    EXPECT_NE(colours[QStringLiteral("out")], colours[QStringLiteral("err")]);
}

TEST(RunLogTest, EndlessOutputKeepsItsEnd) {
    studio::RunLog log;
    const auto line = [](studio::RunLine::Kind kind, int number) {
        return studio::RunLine{.kind = kind, .text = QString::number(number)};
    };
    using enum studio::RunLine::Kind;
    log.add(line(Error, -1));
    bool replaced = false;
    for (int i = 0; i < 100'000; ++i) {
        replaced = log.add(line(Progress, i)).replacesLast;
    }
    EXPECT_TRUE(replaced);
    EXPECT_EQ(log.lines().size(), studio::RunLog::maxProgress + 1) << "progress pushes nothing out";
    EXPECT_EQ(log.lines().front().text, QStringLiteral("-1"));
    EXPECT_EQ(log.lines().back().text, QStringLiteral("99999"));
    for (int i = 0; i < 100'000; ++i) {
        EXPECT_FALSE(log.add(line(Error, i)).replacesLast);
    }
    EXPECT_EQ(log.lines().size(), studio::RunLog::maxLines);
    EXPECT_EQ(log.lines().back().text, QStringLiteral("99999"));
    const QString wide(100'000, u'x');
    for (int i = 0; i < 100; ++i) {
        log.add({.kind = Error, .text = wide});
    }
    EXPECT_LE(static_cast<qsizetype>(log.lines().size()) * wide.size(), studio::RunLog::maxCharacters);
}

TEST_F(RunPanelTest, MemoryPanelShowsTheMemoryOfTheRun) {
    openModel();
    EXPECT_TRUE(panel.form().command().contains(QStringLiteral("--allocations")));
    run();
    const auto& session = driver.window().opened().session();
    ASSERT_TRUE(session->trace);
    const auto measured = inspector::measuredMemory(*session->trace, session->program->methods.front());
    EXPECT_GT(bytesOf(measured, executor::MemoryKind::ProcessPeak), 1'000'000U);
    EXPECT_EQ(bytesOf(measured, executor::MemoryKind::PlannedArena, 1),
              session->program->methods.front().arenas.at(1).bytes);
    field<QCheckBox>("runMemory").setChecked(false);
    EXPECT_FALSE(panel.form().command().contains(QStringLiteral("--allocations")));
}

TEST_F(RunPanelTest, ARealModelRunsOnTheInputsOfItsRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "programs" / "mobilenet_v2_small";
    driver.open({folder / "xnnpack_q8.bpte", folder / "xnnpack_q8.etrecord"});
    driver.enterPanel(QStringLiteral("Run"));
    auto& inputs = field<QComboBox>("runInputs");
    inputs.setCurrentIndex(inputs.findData(QStringLiteral("example")));
    auto& taps = field<QComboBox>("runTaps");
    taps.setCurrentIndex(taps.findData(QStringLiteral("all")));
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_EQ(panel.result().outputs().actual().model().columnCount(), 10);
    ASSERT_TRUE(driver.window().opened().session()->debugBuffer);
}

TEST_F(RunPanelTest, MemoryErrorsLeadToTheirOperators) {
    const auto bytes = programWithOverlap();
    ASSERT_TRUE(bytes) << bytes.error().toString();
    driver.open({write("overlap.pte", *bytes)});
    driver.enterPanel(QStringLiteral("Run"));
    auto& errors = field<QTreeView>("memoryErrors");
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_FALSE(errors.isVisible()) << "without --sanitize";
    field<QCheckBox>("runSanitize").setChecked(true);
    run();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("memory errors")) << panel.result().log().toStdString();
    ASSERT_TRUE(errors.isVisible());
    ASSERT_EQ(errors.model()->rowCount(), 1);
    const QModelIndex row = errors.model()->index(0, 0);
    EXPECT_TRUE(row.data().toString().contains(QStringLiteral("memory plan")))
        << row.data().toString().toStdString();
    EXPECT_EQ(row.siblingAtColumn(studio::MemoryErrorList::Operator).data().toString(),
              QStringLiteral("aten::add.out"));
    QTest::mouseClick(errors.viewport(), Qt::LeftButton, {}, errors.visualRect(row).center());
    const auto& chosen = driver.window().selection().currentOperator();
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->method, "forward");
    EXPECT_EQ(chosen->instruction, core::InstructionId(3));
}

TEST_F(RunPanelTest, TakesItsPicture) {
    openModel();
    run();
    auto& inputs = field<QComboBox>("runInputs");
    inputs.setCurrentIndex(inputs.findData(QStringLiteral("random")));
    run();
    takePictures(driver, "run");
}

}  // namespace

}  // namespace et::test

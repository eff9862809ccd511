// Tests of follow-up jobs of a finding: reducing, extracting, replanning and soaking, started from the
// related panels.
#include "app/studio/job_dialog.h"

#include "app/studio/commands.h"
#include "app/studio/panel_area.h"
#include "tests/studio/gap_panel_fixture.h"
#include "tests/support/shared_data.h"
#include "visualizers/memory/memory_tools.h"
#include "visualizers/memory/memory_view.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using studio::JobDialog;

class JobDialogTest : public GapPanelTest {
  protected:
    JobDialogTest() : dialog(*driver.window().findChild<JobDialog*>()) {}

    /// A panel's command by its menu text.
    [[nodiscard]] QAction* command(const QString& path, const QString& text) {
        for (const studio::Command& each : studio::collectCommands(*driver.window().menuBar())) {
            if (each.path.contains(path) && each.text == text) {
                return each.action;
            }
        }
        ADD_FAILURE() << "no command " << text.toStdString() << " in " << path.toStdString();
        return new QAction(&driver.window());
    }
    template <class Widget>
    [[nodiscard]] Widget& field(const char* name) {
        return *dialog.findChild<Widget*>(QLatin1String(name));
    }
    [[nodiscard]] QString state() { return field<QLabel>("fixState").text(); }
    [[nodiscard]] QString commandLine() { return field<QLineEdit>("fixCommand").text(); }
    void click(const char* button) { field<QPushButton>(button).click(); }
    void run() {
        click("fixStart");
        EXPECT_TRUE(QTest::qWaitFor([this] { return !dialog.running(); }, 120'000)) << "it does not end";
    }
    void openResult() {
        click("fixOpen");
        driver.waitUntilIdle();
    }
    void useScript(const char* text) {
        const auto script = write("script", std::string_view(text));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        driver.useProgram(script);
    }
    /// Selects the first operator with a time in the trace.
    void chooseAnOperator() {
        const auto& blocks = driver.window().opened().blocks()->blocks();
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const auto found = std::ranges::find_if(blocks[b].events, [](const inspector::Event& each) {
                return each.chain == 0 && each.instruction.value == 1 && !each.samples.empty();
            });
            if (found != blocks[b].events.end()) {
                driver.window().selection().setCurrent(
                    visualizers::EventRef{b, static_cast<std::size_t>(found - blocks[b].events.begin())});
                return;
            }
        }
        ADD_FAILURE() << "no such operator";
    }

    JobDialog& dialog;
};

TEST_F(JobDialogTest, ActionsAreDisabledWithoutFiles) {
    EXPECT_FALSE(command(QStringLiteral("In Operator Errors"), QStringLiteral("Reduce…"))->isEnabled());
    EXPECT_FALSE(command(QStringLiteral("In Verify"), QStringLiteral("Soak…"))->isEnabled());
    EXPECT_FALSE(command(QStringLiteral("In Memory"), QStringLiteral("Write This Plan…"))->isEnabled());
    for (const char* const menu : {"In Events", "In Timeline", "In Graph", "In Model"}) {
        EXPECT_FALSE(command(QLatin1String(menu), QStringLiteral("Extract…"))->isEnabled()) << menu;
    }
}

TEST_F(JobDialogTest, TheFirstDivergenceIsReduced) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    QAction* const reduce = command(QStringLiteral("In Operator Errors"), QStringLiteral("Reduce…"));
    EXPECT_FALSE(reduce->isEnabled()) << "no gap is known yet";
    calculate();
    ASSERT_TRUE(reduce->isEnabled()) << hint().toStdString();
    reduce->trigger();
    ASSERT_TRUE(dialog.isVisible());
    field<QLineEdit>("fixOutput").setText(QString::fromStdString((folder() / "reduced").string()));
    EXPECT_TRUE(commandLine().startsWith(QStringLiteral("et-inspect reduce --fails=gap")))
        << commandLine().toStdString();
    run();
    EXPECT_TRUE(state().startsWith(QStringLiteral("Saved to"))) << state().toStdString();
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("still fail"))) << dialog.said().toStdString();
    // Saved in the build folder only; the picture shows local paths, so it does not belong in the docs.
    EXPECT_TRUE(dialog.grab().save(QStringLiteral(ET_SCREENSHOT_BUILD_DIR "/fix_reduce.png")));
    openResult();
    ASSERT_TRUE(driver.window().opened().session());
    EXPECT_EQ(driver.window().opened().session()->files.bundle, folder() / "reduced" / "part.bpte");
}

TEST_F(JobDialogTest, SelectionIsExtractedFromEveryPanel) {
    driver.open(runSamplePaths());
    chooseAnOperator();
    for (const char* const menu : {"In Events", "In Timeline", "In Graph", "In Model"}) {
        QAction* const extract = command(QLatin1String(menu), QStringLiteral("Extract…"));
        ASSERT_TRUE(extract->isEnabled()) << menu;
        dialog.close();
        extract->trigger();
        EXPECT_TRUE(dialog.isVisible()) << menu;
        EXPECT_EQ(field<QLineEdit>("fixInstructions").text(), QStringLiteral("1")) << menu;
    }
    const auto part = folder() / "run" / "part.bpte";
    field<QLineEdit>("fixOutput").setText(QString::fromStdString(part.string()));
    run();
    EXPECT_TRUE(state().startsWith(QStringLiteral("Saved to"))) << state().toStdString();
    openResult();
    EXPECT_EQ(driver.window().opened().session()->files.bundle, part);
    EXPECT_EQ(driver.window().opened().session()->program->methods.front().chains.front().instructions.size(),
              1U);
}

TEST_F(JobDialogTest, AChosenNodeIsExtractedOutOfItsDelegate) {
    ET_NEEDS_SHARED_DATA();
    const auto set = sharedData() / "programs" / "mobilenet_v2_small";
    driver.open({set / "xnnpack_q8.bpte", set / "xnnpack_q8.etrecord"});
    driver.window().selection().setHandles("forward", {core::DebugHandle(71)});
    QAction* const extract = command(QStringLiteral("In Graph"), QStringLiteral("Extract…"));
    ASSERT_TRUE(extract->isEnabled());
    extract->trigger();
    const auto asked = dialog.request().options;
    EXPECT_EQ(asked[QStringLiteral("--instructions")], QStringLiteral("0"));
    const QString nodes = asked[QStringLiteral("--nodes")];
    EXPECT_FALSE(nodes.isEmpty()) << "one convolution of the delegate";
    EXPECT_FALSE(nodes.contains(QStringLiteral(".."))) << nodes.toStdString();
}

TEST_F(JobDialogTest, APlanIsWritten) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Memory"));
    QAction* const plan = command(QStringLiteral("In Memory"), QStringLiteral("Write This Plan…"));
    ASSERT_TRUE(plan->isEnabled());
    plan->trigger();
    EXPECT_EQ(field<QComboBox>("fixAlgorithm").currentText(), QStringLiteral("best"));
    auto& view = *driver.window().findChild<visualizers::MemoryView*>();
    // The program's own plan and the lower bound are known before the others.
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return view.otherPlans().model().rows().table.rows.size() > 2; }, 30'000));
    dialog.close();
    view.toolBar().choosePlan(1);
    ASSERT_NE(view.otherPlan(), nullptr);
    plan->trigger();
    const QString algorithm = field<QComboBox>("fixAlgorithm").currentText();
    EXPECT_EQ(algorithm.toStdString(), inspector::strategyName(view.otherPlan()->strategy));
    const auto file = dialog.request().output;
    EXPECT_EQ(file.parent_path(), folder() / "run");
    run();
    EXPECT_TRUE(state().startsWith(QStringLiteral("Saved to"))) << state().toStdString();
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(JobDialogTest, AllCasesAreSoaked) {
    driver.open(runSamplePaths());
    QAction* const soak = command(QStringLiteral("In Verify"), QStringLiteral("Soak…"));
    ASSERT_TRUE(soak->isEnabled());
    soak->trigger();
    field<QSpinBox>("fixRuns").setValue(20);
    EXPECT_FALSE(field<QLineEdit>("fixOutput").isVisible()) << "nothing is written";
    run();
    EXPECT_EQ(state(), QStringLiteral("Done.")) << dialog.said().toStdString();
    EXPECT_FALSE(dialog.said().isEmpty());
    EXPECT_FALSE(field<QPushButton>("fixOpen").isEnabled());
}

TEST_F(JobDialogTest, InvalidOptionsAreReported) {
    driver.open(runSamplePaths());
    chooseAnOperator();
    command(QStringLiteral("In Events"), QStringLiteral("Extract…"))->trigger();
    field<QLineEdit>("fixInstructions").setText(QStringLiteral("7000"));
    run();
    EXPECT_TRUE(state().contains(QStringLiteral("7000")) || state().contains(QStringLiteral("instruction")))
        << state().toStdString();
    EXPECT_FALSE(field<QPushButton>("fixOpen").isEnabled());
    field<QLineEdit>("fixInstructions").clear();
    EXPECT_FALSE(field<QPushButton>("fixStart").isEnabled()) << "nothing to extract";
}

TEST_F(JobDialogTest, ReportsCrashAndCancelsHang) {
    driver.open(runSamplePaths());
    useScript("#!/bin/sh\nkill -SEGV $$\n");
    QAction* const soak = command(QStringLiteral("In Verify"), QStringLiteral("Soak…"));
    soak->trigger();
    run();
    EXPECT_TRUE(state().contains(QStringLiteral("crashed"))) << state().toStdString();
    useScript("#!/bin/sh\nexec sleep 1000\n");
    click("fixStart");
    EXPECT_TRUE(dialog.running());
    EXPECT_FALSE(field<QPushButton>("fixStart").isEnabled());
    soak->trigger();  // shows the running job
    EXPECT_TRUE(dialog.running());
    click("fixCancel");
    EXPECT_TRUE(QTest::qWaitFor([this] { return !dialog.running(); }, 30'000));
    EXPECT_EQ(state(), QStringLiteral("Cancelled."));
    click("fixStart");
    EXPECT_TRUE(dialog.running());
    dialog.close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !dialog.running(); }, 30'000)) << "closing cancels";
}

TEST_F(JobDialogTest, ShowsProgress) {
    driver.open(runSamplePaths());
    useScript(
        "#!/bin/sh\n"
        "echo '{\"progress\": 1, \"phase\": \"soak\", \"done\": 3, \"total\": 9, \"seconds\": 1}' >&2\n"
        "exec sleep 1000\n");
    command(QStringLiteral("In Verify"), QStringLiteral("Soak…"))->trigger();
    click("fixStart");
    auto* const bar = dialog.findChild<QProgressBar*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return bar->maximum() == 9; }, 30'000));
    EXPECT_EQ(bar->value(), 3);
    click("fixCancel");
    EXPECT_TRUE(QTest::qWaitFor([this] { return !dialog.running(); }, 30'000));
}

}  // namespace

}  // namespace et::test

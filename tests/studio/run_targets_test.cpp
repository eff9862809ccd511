// Tests of running models on a target from the window, and of the device state shown meanwhile.
#include "app/devices/target_edit.h"
#include "app/devices/target_file.h"
#include "app/studio/run/run_form.h"
#include "app/studio/run/run_panel.h"
#include "app/studio/run/run_result.h"
#include "app/studio/run/targets_dialog.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace et::test {

namespace {

using studio::RunList;
using visualizers::GaugeHistory;
using visualizers::GaugeSample;
using visualizers::GaugeStrip;

class RunTargetsTest : public StudioTest {
  protected:
    RunTargetsTest() : panel(*driver.window().findChild<studio::RunPanel*>()) {
        driver.window().resize(1280, 800);
        qputenv("ET_INSPECT_AGENT", ET_AGENT_PROGRAM);
    }
    ~RunTargetsTest() override {
        std::filesystem::remove(devices::targetFile().value());
        qunsetenv("ET_INSPECT_AGENT");
    }

    void openModel() {
        std::vector<std::filesystem::path> files;
        for (const auto& path : runSamplePaths()) {
            if (path.extension() == ".bpte" || path.extension() == ".etrecord") {
                files.push_back(path);
            }
        }
        driver.open(files);
        driver.enterPanel(QStringLiteral("Run"));
        ASSERT_TRUE(panel.hasContent());
    }
    /// Adds a target that is a process on this machine with its own folder.
    void addTarget(const char* name, const char* address = "local:") {
        devices::Target settings;
        settings.folder = (folder() / "device").string();
        const auto target = devices::namedTarget(name, address, settings);
        ASSERT_TRUE(target);
        ASSERT_TRUE(devices::addTarget(devices::targetFile().value(), *target, true));
        panel.form().reloadTargets();
    }
    [[nodiscard]] QComboBox& targets() { return field<QComboBox>("runTarget"); }
    void choose(const char* name) {
        const int place = targets().findData(QLatin1String(name));
        ASSERT_GE(place, 0);
        targets().setCurrentIndex(place);
    }
    void startRun() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
    }
    void waitForRun() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.running(); }, 60'000)) << "the run does not end";
        driver.waitUntilIdle();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.result().loading(); }, 30'000));
        QTest::qWait(0);
    }
    template <class Widget>
    [[nodiscard]] Widget& field(const char* name) {
        return *panel.findChild<Widget*>(QLatin1String(name));
    }
    [[nodiscard]] QString cell(int row, RunList::Column column) {
        return panel.runs().index(row, column).data().toString();
    }
    [[nodiscard]] const std::vector<GaugeStrip>& strips() { return panel.result().gauge().strips(); }

    WindowDriver driver;
    studio::RunPanel& panel;
};

TEST_F(RunTargetsTest, TargetsAreAddedTriedAndRemoved) {
    EXPECT_EQ(targets().count(), 1) << "this machine";
    field<QToolButton>("runTargets").click();
    auto& dialog = *panel.findChild<studio::TargetsDialog*>();
    ASSERT_TRUE(dialog.isVisible());
    EXPECT_FALSE(field<QPushButton>("targetTest").isEnabled()) << "there is none";
    QTest::keyClicks(&field<QLineEdit>("targetName"), QStringLiteral("a board"));
    QTest::keyClicks(&field<QLineEdit>("targetAddress"), QStringLiteral("local:"));
    EXPECT_FALSE(field<QLineEdit>("targetRun").isVisible()) << "of an address command: only";
    field<QPushButton>("targetAdd").click();
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("expected a name"))) << dialog.said().toStdString();
    EXPECT_EQ(targets().count(), 1);
    field<QLineEdit>("targetName").setText(QStringLiteral("board"));
    field<QLineEdit>("targetFolder").setText(QString::fromStdString((folder() / "device").string()));
    field<QPushButton>("targetAdd").click();
    EXPECT_EQ(targets().findData(QStringLiteral("board")), 1) << dialog.said().toStdString();
    const auto kept = devices::findTarget("board");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->folder, (folder() / "device").string());
    field<QPushButton>("targetTest").click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog.running(); }, 60'000));
    EXPECT_TRUE(dialog.said().startsWith(QStringLiteral("Connected."))) << dialog.said().toStdString();
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("Linux"))) << dialog.said().toStdString();
    field<QPushButton>("targetRemove").click();
    EXPECT_EQ(targets().count(), 1);
    EXPECT_FALSE(devices::findTarget("board"));
}

TEST_F(RunTargetsTest, AddressSchemePromptsForCommands) {
    field<QToolButton>("runTargets").click();
    field<QLineEdit>("targetName").setText(QStringLiteral("vendor"));
    field<QLineEdit>("targetAddress").setText(QStringLiteral("command:"));
    ASSERT_TRUE(field<QLineEdit>("targetRun").isVisible());
    EXPECT_FALSE(field<QLineEdit>("targetAgent").isVisible());
    auto& add = field<QPushButton>("targetAdd");
    add.click();
    const auto& dialog = *panel.findChild<studio::TargetsDialog*>();
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("command to run"))) << dialog.said().toStdString();
    field<QLineEdit>("targetRun").setText(QStringLiteral("run {model}"));
    add.click();
    EXPECT_EQ(devices::findTarget("vendor").value().commands.run, "run {model}");
    field<QPushButton>("targetTest").click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog.running(); }, 60'000));
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("runs models with commands"))) << "there is no agent";
}

TEST_F(RunTargetsTest, AModelRunsOnATargetAndTheGaugeShowsAllOfIt) {
    openModel();
    EXPECT_FALSE(WindowDriver::onScreen(panel.result().gauge()));
    addTarget("board");
    choose("board");
    EXPECT_TRUE(panel.form().command().contains(QStringLiteral("--on=board")));
    field<QSpinBox>("runIterations").setValue(300);
    startRun();
    waitForRun();
    EXPECT_EQ(cell(0, RunList::State), QStringLiteral("done")) << panel.result().log().toStdString();
    EXPECT_TRUE(cell(0, RunList::Model).endsWith(QStringLiteral(" on board")));
    EXPECT_NE(driver.window().opened().blocks(), nullptr) << "its trace is open";
    const GaugeHistory& gauge = panel.runs().newest().gauge;
    EXPECT_EQ(gauge.times().executions, 302U) << "the warm-ups among them";
    EXPECT_GT(gauge.times().least, 0);
    EXPECT_GE(gauge.times().most, gauge.times().least);
    ASSERT_TRUE(gauge.device()) << "the agent tells what the device does";
    EXPECT_TRUE(gauge.device()->core);
    EXPECT_GT(gauge.device()->availableBytes.value_or(0), 0);
    ASSERT_GE(strips().size(), 2U);
    EXPECT_TRUE(strips().front().title.startsWith(QStringLiteral("Execution: ")));
    EXPECT_TRUE(strips().back().title.startsWith(QStringLiteral("Memory available: ")));
    EXPECT_TRUE(std::filesystem::exists(folder() / "device" / "files")) << "it ran there";
}

TEST_F(RunTargetsTest, LocalMachineHasAGauge) {
    openModel();
    field<QSpinBox>("runIterations").setValue(20);
    startRun();
    waitForRun();
    const GaugeHistory& gauge = panel.runs().newest().gauge;
    EXPECT_EQ(gauge.times().executions, 22U);
    ASSERT_TRUE(gauge.device());
    EXPECT_FALSE(gauge.device()->core) << "of the thread that looks";
    EXPECT_GT(gauge.device()->availableBytes.value_or(0), 0);
}

/// A device that reports more than this machine does.
TEST_F(RunTargetsTest, TheGaugeIsLive) {
    openModel();
    const auto gate = folder() / "gate";
    ASSERT_EQ(::mkfifo(gate.c_str(), S_IRUSR | S_IWUSR), 0);
    std::string lines;
    for (int i = 1; i <= 40; ++i) {
        lines += "{\"progress\": 1, \"phase\": \"run\", \"done\": " + std::to_string(i) +
                 ", \"total\": 80, \"seconds\": " + std::to_string(i * 0.1) +
                 ", \"times\": {\"executions\": 1, \"last_ns\": 2100000, \"min_ns\": 2000000, \"max_ns\": " +
                 std::to_string(2'200'000 + (i % 7) * 100'000) +
                 ", \"avg_ns\": 2100000}, \"device\": {\"core\": 3, \"kilohertz\": [1800000, " +
                 std::to_string(2'800'000 - i * 20'000) +
                 "], \"millicelsius\": " + std::to_string(45'000 + i * 700) +
                 ", \"throttled\": " + std::to_string(i < 30 ? 7 : 9) +
                 ", \"available_bytes\": 2000000000, \"memory_pressure_percent\": 1.5}}\n";
    }
    const auto told = write("told", std::string_view(lines));
    const auto script = write("slow", std::string_view("#!/bin/sh\ncat '" + told.string() +
                                                       "' >&2; read x <'" + gate.string() + "'; exit 3\n"));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    driver.useProgram(script);
    startRun();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return panel.runs().newest().gauge.times().executions == 40; }, 30'000));
    EXPECT_TRUE(panel.running());
    const auto& gauge = panel.result().gauge();
    EXPECT_TRUE(WindowDriver::onScreen(gauge)) << "without a click";
    ASSERT_EQ(strips().size(), 4U);
    EXPECT_EQ(strips()[0].title, QStringLiteral("Execution: 2.100 ms (2.000 ms to 2.800 ms)"));
    EXPECT_EQ(strips()[1].title, QStringLiteral("Clock: 1.80 GHz to 2.00 GHz"));
    EXPECT_EQ(strips()[1].lines.size(), 2U) << "each core";
    EXPECT_EQ(strips()[2].title, QStringLiteral("Temperature: 73.0 °C"));
    EXPECT_EQ(strips()[2].marks, (std::vector<double>{3.0})) << "when cores were slowed down";
    EXPECT_TRUE(gauge.spokenValue().startsWith(
        QStringLiteral("40 executions · core 3 · throttled 2 times · memory pressure 1.5 %")))
        << gauge.spokenValue().toStdString();
    const QRectF heat = gauge.area(2);
    const QString tip = gauge.tipAt(heat.center().toPoint());
    EXPECT_TRUE(tip.startsWith(QStringLiteral("after 2.0 s: "))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("59.0 °C"))) << tip.toStdString();
    std::ofstream(gate) << "go\n";
    waitForRun();
    EXPECT_EQ(strips().size(), 4U) << "what was seen stays";
}

TEST_F(RunTargetsTest, ReportsUnreachableTarget) {
    openModel();
    addTarget("board", "ssh://nobody@127.0.0.1:1");
    choose("board");
    startRun();
    waitForRun();
    EXPECT_TRUE(cell(0, RunList::State).startsWith(QStringLiteral("exit code")));
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("board")))
        << driver.errors().first().toStdString();
    EXPECT_FALSE(WindowDriver::onScreen(panel.result().gauge()));
}

TEST_F(RunTargetsTest, TheTargetIsFoundAgain) {
    addTarget("board");
    choose("board");
    const QByteArray state = panel.form().saveState();
    targets().setCurrentIndex(0);
    panel.form().restoreState(state);
    EXPECT_EQ(targets().currentData().toString(), QStringLiteral("board"));
    ASSERT_TRUE(devices::removeTarget(devices::targetFile().value(), "board"));
    panel.form().reloadTargets();
    panel.form().restoreState(state);
    EXPECT_TRUE(targets().currentData().toString().isEmpty()) << "it is gone: this machine";
}

TEST_F(RunTargetsTest, TakesItsPicture) {
    openModel();
    addTarget("board");
    choose("board");
    field<QSpinBox>("runIterations").setValue(1'000'000);
    startRun();
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel.runs().newest().gauge.samples().size() > 20; }, 60'000));
    takePictures(driver, "run_device");
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    waitForRun();
}

TEST(GaugeHistoryTest, HoursStayAPictureOfAllOfThem) {
    constexpr int moments = 10'000;
    GaugeHistory history;
    for (int i = 1; i <= moments; ++i) {
        GaugeSample sample{.seconds = i * 0.1,
                           .times = {.executions = 2, .last = 5, .least = 4, .most = 6, .average = 5},
                           .device = {}};
        if (i == moments / 2) {
            sample.times.most = 100;
        }
        history.add(sample);
        ASSERT_LE(history.samples().size(), GaugeHistory::maxSamples);
    }
    std::uint64_t executions = 0;
    double most = 0;
    for (const GaugeSample& each : history.samples()) {
        executions += each.times.executions;
        most = std::max(most, each.times.most);
    }
    EXPECT_EQ(executions, 2U * moments);
    EXPECT_EQ(history.times().executions, 2U * moments);
    EXPECT_EQ(most, 100) << "the slowest one is not lost among its neighbours";
    EXPECT_DOUBLE_EQ(history.times().average, 5);
    EXPECT_DOUBLE_EQ(history.samples().back().seconds, moments * 0.1);
    EXPECT_GT(history.samples().size(), GaugeHistory::maxSamples / 2 - 1);
}

}  // namespace

}  // namespace et::test

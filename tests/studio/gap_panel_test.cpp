// Tests of calculating and reading the gap of a program.
#include "app/studio/gap/gap_options.h"
#include "app/studio/panel_area.h"
#include "tests/studio/gap_panel_fixture.h"
#include "tests/studio/pictures.h"
#include "tests/support/shared_data.h"
#include "visualizers/toolkit/hover_tree.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::GapModel;

TEST_F(GapPanelTest, ShowsWhichFilesAreMissing) {
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(hint().contains(QStringLiteral("Open a program and its ETRecord")));
    const auto files = sample();
    driver.open({files.record});
    EXPECT_TRUE(hint().contains(QStringLiteral("Open the program too"))) << hint().toStdString();
    EXPECT_FALSE(panel.hasContent());
}

TEST_F(GapPanelTest, FailedCalculationIsReported) {
    driver.open(samplePaths());  // its record contains no tensors
    driver.enterPanel(QStringLiteral("Operator Errors"));
    calculate();
    EXPECT_EQ(driver.window().results().gap(), nullptr);
    EXPECT_FALSE(hint().isEmpty());
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("cannot compare with the exported graph")));
}

TEST_F(GapPanelTest, ReportsCrashAndCancelsHang) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Operator Errors"));
    const auto crash = write("crash", "#!/bin/sh\nkill -SEGV $$\n");
    std::filesystem::permissions(crash, std::filesystem::perms::owner_all);
    driver.useProgram(crash);
    calculate();
    EXPECT_TRUE(hint().contains(QStringLiteral("crashed"))) << hint().toStdString();
    const auto endless = write("endless", "#!/bin/sh\nexec sleep 1000\n");
    std::filesystem::permissions(endless, std::filesystem::perms::owner_all);
    driver.useProgram(endless);
    driver.press(Qt::Key_F9);
    EXPECT_TRUE(panel.running());
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    waitForGap();
    EXPECT_TRUE(hint().contains(QStringLiteral("Runs the program"))) << hint().toStdString();
}

TEST_F(GapPanelTest, ProgressNamesInputsThenTensors) {
    const auto saving = folder() / "saving";
    const auto line = [](const char* phase, int done, int total) {
        return fmt::format(
            R"(echo '{{"progress": 1, "phase": "{}", "done": {}, "total": {}, "seconds": 1}}' >&2)", phase,
            done, total);
    };
    const auto script =
        write("telling",
              fmt::format("#!/bin/sh\n{}\nwhile ! test -e {}; do sleep 0.02; done\n{}\nexec sleep 1000\n",
                          line("gap", 2, 3), saving.string(), line("save", 5, 66)));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    driver.useProgram(script);
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Operator Errors"));
    driver.press(Qt::Key_F9);
    const auto* const bar = panel.findChild<QProgressBar*>();
    EXPECT_TRUE(WindowDriver::waitForText([bar] { return bar->text(); }, QStringLiteral("2 / 3 inputs")));
    static_cast<void>(write("saving", "now"));
    EXPECT_TRUE(WindowDriver::waitForText([bar] { return bar->text(); }, QStringLiteral("saving 5 / 66")));
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    waitForGap();
}

TEST_F(GapPanelTest, HoveredOperatorIsHighlightedWithItsNumbers) {
    useMadeUpGap();
    calculate();
    visualizers::GapPlot& plot = panel.view().plot();
    const auto mark = plot.markOf(1, 1);
    ASSERT_TRUE(mark);
    const QImage before = plot.grab().toImage();
    QTest::mouseMove(&plot, mark->toPoint());
    EXPECT_TRUE(QTest::qWaitFor([&] { return plot.glowing() == 1U; }, 5'000));
    EXPECT_NE(plot.grab().toImage(), before) << "its numbers stand above it";
    EXPECT_TRUE(plot.hoverText(1).contains(QStringLiteral("own: 0.5 max abs")))
        << plot.hoverText(1).toStdString();
    const auto* const rows = dynamic_cast<visualizers::HoverTree*>(&panel.view().table());
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->glowing().row(), 1);
    QTest::mouseMove(&plot, {2, 2});
    EXPECT_TRUE(QTest::qWaitFor([&] { return !plot.glowing(); }, 5'000));
    EXPECT_FALSE(rows->glowing().isValid());
}

TEST_F(GapPanelTest, ShowsResultOfTheProcess) {
    useMadeUpGap();
    calculate();
    ASSERT_EQ(model().rowCount(), 3) << hint().toStdString();
    EXPECT_TRUE(driver.errors().isEmpty()) << "exit code 1 says that something diverges";
    EXPECT_EQ(panel.view().currentRow(), 1U);
    EXPECT_EQ(cell(1, GapModel::Own), QStringLiteral("0.5"));
    EXPECT_EQ(cell(2, GapModel::Inherited), QStringLiteral("0.5"));
    visualizers::GapPlot& plot = panel.view().plot();
    const auto equal = plot.markOf(0, 1);
    const auto own = plot.markOf(1, 1);
    const auto inherited = plot.markOf(2, 0);
    ASSERT_TRUE(equal && own && inherited);
    EXPECT_NEAR(equal->y(), plot.plotArea().bottom(), 1) << "no error is at the bottom";
    EXPECT_NEAR(own->y(), inherited->y(), 1) << "of the same size";
    EXPECT_GT(pixelsAt(plot, *own, ownErrorColour()), 2) << "inside of the ring";
    EXPECT_GT(pixelsAt(plot, *inherited, inheritedErrorColour()), 4);
    studio::GapDetails& details = panel.details();
    EXPECT_TRUE(details.description().contains(QStringLiteral("net.layer2")));
    ASSERT_EQ(details.worstTable().model()->rowCount(), 1);
    EXPECT_EQ(details.worstTable().model()->index(0, 0).data().toString(), QStringLiteral("[0, 2]"));
    EXPECT_EQ(details.comparison().difference().model().index(0, 2).data().toString(), QStringLiteral("0.5"));
    clickMark(0);
    EXPECT_EQ(details.worstTable().model()->rowCount(), 0);
    EXPECT_EQ(driver.window().selection().currentHandles().front(), core::DebugHandle(1));
}

TEST_F(GapPanelTest, FindsThePlantedFault) {
    ET_NEEDS_SHARED_DATA();
    const QAbstractItemModelTester tester(&model(), QAbstractItemModelTester::FailureReportingMode::Warning);
    openFaulty();
    EXPECT_TRUE(hint().contains(QStringLiteral("Runs the program")));
    calculate();
    const auto gap = driver.window().results().gap();
    ASSERT_NE(gap, nullptr) << hint().toStdString();
    EXPECT_GT(model().rowCount(), 90);
    ASSERT_TRUE(gap->firstDivergence);
    const std::size_t row = gap->firstDivergence->row;
    EXPECT_EQ(cell(row, GapModel::Handles), QStringLiteral("71"));
    EXPECT_EQ(cell(row, GapModel::Verdict), QStringLiteral("diverges"));
    EXPECT_TRUE(
        summary().contains(QStringLiteral("first divergence: conv2d · features.4.conv.0.0, debug handle 71")))
        << summary().toStdString();
    EXPECT_EQ(panel.view().currentRow(), row) << "the first divergence is chosen";
    EXPECT_TRUE(WindowDriver::onScreen(panel.view().plot()));
    EXPECT_TRUE(WindowDriver::onScreen(panel.view().table()));
}

TEST_F(GapPanelTest, ThePlotHasOwnAndInheritedErrorApart) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    const auto gap = driver.window().results().gap();
    ASSERT_TRUE(gap && gap->firstDivergence);
    visualizers::GapPlot& plot = panel.view().plot();
    EXPECT_EQ(quantityBox().currentData().toString(), QStringLiteral("errors"));
    const std::size_t row = gap->firstDivergence->row;
    const auto inherited = plot.markOf(row, 0);
    const auto own = plot.markOf(row, 1);
    ASSERT_TRUE(inherited && own);
    EXPECT_LT(own->y(), inherited->y() - 10) << "what the fault adds is higher than what came to it";
    EXPECT_GT(pixelsAt(plot, *own, ownErrorColour()), 2) << "inside of the ring";
    EXPECT_GT(pixelsAt(plot, *own, divergenceColour()), 4) << "ringed";
    EXPECT_GT(pixelsAt(plot, *inherited, inheritedErrorColour()), 2);
}

TEST_F(GapPanelTest, ClickingAMarkShowsBothTensors) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    clickMark(30);
    EXPECT_EQ(panel.view().currentRow(), 30U);
    const auto& handles = driver.window().results().gap()->rows[30].referenceHandles;
    EXPECT_TRUE(std::ranges::equal(driver.window().selection().currentHandles(), handles))
        << "chosen in all panels";
    studio::GapDetails& details = panel.details();
    EXPECT_TRUE(details.description().contains(cell(30, GapModel::Operator)));
    EXPECT_TRUE(details.statistics().contains(QStringLiteral("p99")));
    EXPECT_GT(details.comparison().expected().model().rowCount(), 0);
    EXPECT_GT(details.comparison().actual().model().rowCount(), 0);
    EXPECT_TRUE(details.comparison().expected().caption().startsWith(QStringLiteral("Reference   float32")));
}

TEST_F(GapPanelTest, TheWorstElementsLeadToTheirPlaces) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    QTableView& worst = panel.details().worstTable();
    ASSERT_GT(worst.model()->rowCount(), 10);
    const auto difference = [&](int row) {
        return std::abs(
            worst.model()->index(row, visualizers::WorstElementsModel::Difference).data().toDouble());
    };
    EXPECT_GE(difference(0), difference(1));
    EXPECT_GE(difference(1), difference(9));
    worst.setFocus();
    worst.selectRow(5);
    const QString element = worst.model()->index(5, 0).data().toString();
    EXPECT_TRUE(panel.details().comparison().cursorText().startsWith(element))
        << panel.details().comparison().cursorText().toStdString();
}

TEST_F(GapPanelTest, TheWorstChannelsLeadToTheirWorstElement) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    QTableView& channels = panel.details().channelTable();
    ASSERT_GT(channels.model()->rowCount(), 1);
    const auto number = [&](int row, int column) {
        return channels.model()->index(row, column).data().toDouble();
    };
    EXPECT_GE(number(0, visualizers::WorstChannelsModel::Largest),
              number(1, visualizers::WorstChannelsModel::Largest));
    const QTableView& elements = panel.details().worstTable();
    EXPECT_NEAR(
        number(0, visualizers::WorstChannelsModel::Largest),
        std::abs(elements.model()->index(0, visualizers::WorstElementsModel::Difference).data().toDouble()),
        1e-3 * number(0, visualizers::WorstChannelsModel::Largest))
        << "the worst element is in the worst channel";
    channels.selectRow(0);
    EXPECT_TRUE(panel.details().comparison().cursorText().startsWith(
        elements.model()->index(0, visualizers::WorstElementsModel::Index).data().toString()))
        << panel.details().comparison().cursorText().toStdString();
}

TEST_F(GapPanelTest, SelectionOfOtherPanelsIsMarked) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    driver.window().selection().setHandles("forward", {core::DebugHandle(98)});
    ASSERT_TRUE(panel.view().currentRow());
    EXPECT_EQ(cell(*panel.view().currentRow(), GapModel::Handles), QStringLiteral("98"));
    EXPECT_EQ(panel.view().plot().current(), panel.view().currentRow());
}

TEST_F(GapPanelTest, FiltersSortsAndCopies) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    QTreeView& table = panel.view().table();
    driver.press(Qt::Key_F, Qt::ControlModifier);
    ASSERT_TRUE(filterBox().hasFocus());
    QTest::keyClicks(&filterBox(), QStringLiteral("XNNAdd"));
    const int adds = table.model()->rowCount();
    EXPECT_GT(adds, 2);
    EXPECT_LT(adds, 20);
    table.sortByColumn(GapModel::Metric, Qt::DescendingOrder);
    const auto number = [&](int row) {
        return table.model()->index(row, GapModel::Metric).data(GapModel::SortRole).toDouble();
    };
    EXPECT_GE(number(0), number(1));
    table.setFocus();
    table.selectAll();
    driver.press(Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().trimmed().split(u'\n');
    EXPECT_EQ(lines.size(), adds + 1);
    EXPECT_TRUE(lines.first().contains(QStringLiteral("MSE\t"))) << lines.first().toStdString();
    driver.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("| XNNAdd")));
    filterBox().clear();
    driver.trigger(QStringLiteral("Diverging Only"));
    EXPECT_GE(table.model()->rowCount(), 1);
    EXPECT_LT(table.model()->rowCount(), 10);
}

TEST_F(GapPanelTest, KeysMoveAndZoomThePlot) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    visualizers::GapPlot& plot = panel.view().plot();
    plot.setFocus();
    driver.press(Qt::Key_Home);
    EXPECT_EQ(panel.view().currentRow(), 0U);
    driver.press(Qt::Key_Right);
    EXPECT_EQ(panel.view().currentRow(), 1U);
    const double all = plot.range().to();
    driver.press(Qt::Key_W);
    EXPECT_LT(plot.range().to(), all);
    driver.press(Qt::Key_N);
    EXPECT_EQ(panel.view().currentRow(), driver.window().results().gap()->firstDivergence->row);
    EXPECT_TRUE(plot.markOf(*panel.view().currentRow())) << "comes into view";
    driver.press(Qt::Key_Space);
    EXPECT_EQ(plot.range().to(), all);
}

TEST_F(GapPanelTest, AnotherMetricIsPlottedAndListed) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    panel.options().bisect().setChecked(false);
    calculate();
    const auto gap = driver.window().results().gap();
    ASSERT_NE(gap, nullptr);
    EXPECT_FALSE(gap->bisected);
    EXPECT_TRUE(panel.view().table().isColumnHidden(GapModel::Own));
    QComboBox& box = quantityBox();
    EXPECT_EQ(box.findData(QStringLiteral("errors")), -1) << "nothing replayed anything";
    EXPECT_EQ(box.currentData().toString(), QStringLiteral("mse"));
    box.setFocus();
    while (box.currentData().toString() != QStringLiteral("snr")) {
        const int before = box.currentIndex();
        QTest::keyClick(&box, Qt::Key_Down);
        ASSERT_NE(box.currentIndex(), before);
    }
    EXPECT_EQ(model().headerData(GapModel::Metric, Qt::Horizontal).toString(), QStringLiteral("SNR (dB)"));
    // The first row is equal on both sides: at the bottom on any scale.
    const auto mark = panel.view().plot().markOf(0);
    ASSERT_TRUE(mark);
    EXPECT_NEAR(mark->y(), panel.view().plot().plotArea().bottom(), 1);
    EXPECT_EQ(cell(0, GapModel::Metric), QStringLiteral("inf"));
}

TEST_F(GapPanelTest, ComparesDeviceTrace) {
    ET_NEEDS_SHARED_DATA();
    const auto trace = sharedData() / "traces" / "mobilenet_v2_small_portable_debug";
    driver.open({trace / "trace.etdp", trace / "debug_buffer.bin",
                 sharedData() / "programs" / "mobilenet_v2_small" / "portable.etrecord"});
    driver.enterPanel(QStringLiteral("Operator Errors"));
    calculate();
    ASSERT_NE(driver.window().results().gap(), nullptr) << hint().toStdString();
    EXPECT_GT(model().rowCount(), 50);
    clickMark(5);
    const auto event = driver.window().selection().currentEvent();
    EXPECT_NE(event, nullptr) << "the row's operator is chosen in the trace";
}

TEST_F(GapPanelTest, AnotherProgramEndsTheGap) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    ASSERT_NE(driver.window().results().gap(), nullptr);
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(driver.window().results().gap(), nullptr);
    EXPECT_EQ(model().rowCount(), 0);
    EXPECT_TRUE(hint().contains(QStringLiteral("Open a program")));
}

TEST_F(GapPanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    openFaulty();
    calculate();
    takePictures(driver, "gap");
}

}  // namespace

}  // namespace et::test

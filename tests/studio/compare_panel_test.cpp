// Tests of comparing two traces in the window.
#include "app/studio/compare/compare_panel.h"

#include "app/studio/compare/compare_offers.h"
#include "etdump/writer.h"
#include "inspector/store/baseline_store.h"
#include "tests/studio/clicks.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/compare/comparison_table.h"
#include "visualizers/compare/waterfall_plot.h"
#include "visualizers/notes/note_target.h"
#include "visualizers/toolkit/report_table.h"

#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::ComparisonModel;

/// Builds twenty runs of three kernels that take 1000 * `factors` nanoseconds, with small variations between
/// runs.
std::vector<std::byte> traceOf(const std::vector<double>& factors) {
    constexpr std::uint64_t base = 100'000;
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < 20; ++run) {
        writer.beginRun("Execute");
        std::uint64_t now = run * 10'000'000;
        const std::uint64_t start = now;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            const auto length = static_cast<std::uint64_t>(factors[i] * base) + (run * 7 + i) % 20 * 10;
            writer.profile("native_call_op" + std::to_string(i) + ".out",
                           {.instruction = static_cast<std::int32_t>(i), .chain = 0}, now, now + length);
            now += length;
        }
        writer.profile("Method::execute", {.instruction = 0}, start, now);
    }
    return writer.finish().value();
}

/// Builds twenty runs of a delegate with two operators, of which the second takes `slow` * 100 us.
std::vector<std::byte> delegateTrace(std::uint64_t slow, std::int32_t call = 4) {
    constexpr std::uint64_t base = 100'000;
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < 20; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = run * 10'000'000;
        const std::uint64_t middle = start + base + run * 7 % 20 * 10;
        const std::uint64_t end = middle + slow * base + run * 11 % 20 * 10;
        writer.profile("", {.instruction = call, .chain = 0, .delegateString = "Transpose #1"}, start,
                       middle);
        writer.profile("", {.instruction = call, .chain = 0, .delegateString = "IGEMM #1"}, middle, end);
        writer.profile("DELEGATE_CALL", {.instruction = call, .chain = 0}, start, end);
        writer.profile("Method::execute", {.instruction = 0}, start, end);
    }
    return writer.finish().value();
}

class ComparePanelTest : public StudioTest {
  protected:
    ComparePanelTest() : panel(driver.compare()) {}

    void openBoth(const std::vector<double>& a, const std::vector<double>& b) {
        driver.open({write("a.etdp", traceOf(a))});
        driver.enterPanel(QStringLiteral("Compare"));
        driver.dropOn(panel, {write("b.etdp", traceOf(b))});
        driver.waitForComparison();
    }
    [[nodiscard]] ComparisonModel& model() { return panel.view().model(); }
    /// Text of a cell of the operator.
    [[nodiscard]] QString cell(const QString& name, ComparisonModel::Column column) {
        const QModelIndex method = model().index(0, 0);
        for (int row = 0; row < model().rowCount(method); ++row) {
            if (model().index(row, 0, method).data().toString().contains(name)) {
                return model().index(row, column, method).data().toString();
            }
        }
        return QStringLiteral("no row");
    }

    WindowDriver driver;
    studio::ComparePanel& panel;
};

TEST_F(ComparePanelTest, ShowsWhichFilesAreMissing) {
    const auto hint = [this] {
        return driver.window().findChild<QLabel*>(QStringLiteral("compareHint"))->text();
    };
    EXPECT_TRUE(hint().contains(QStringLiteral("Open a trace or a program first")));
    driver.open({write("a.etdp", traceOf({1, 2, 3}))});
    EXPECT_TRUE(hint().contains(QStringLiteral("Drop a second trace")));
}

TEST_F(ComparePanelTest, OffersTracesAndBaselines) {
    const auto a = write("a.etdp", traceOf({1, 2, 3}));
    (void)write("later.etdp", traceOf({1, 4, 3}));
    (void)write("notes.txt", std::string_view("no trace"));
    driver.open({a});
    driver.enterPerspective("change");
    auto* const offers = driver.window().findChild<studio::CompareOffers*>();
    const auto said = [&] { return offers->text(0); };
    ASSERT_TRUE(WindowDriver::waitForText(said, QStringLiteral("later.etdp"))) << said().toStdString();
    EXPECT_FALSE(said().contains(QStringLiteral("a.etdp"))) << "it is open already";
    EXPECT_FALSE(said().contains(QStringLiteral("notes.txt")));
    EXPECT_TRUE(WindowDriver::onScreen(*offers));
    auto* const waiting = offers->findChild<visualizers::ReportTable*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return WindowDriver::onScreen(*waiting); }, 30'000))
        << "the operators that wait for a B";
    EXPECT_EQ(waiting->model().rows().table.rows.size(), 3U);
    const auto buttons = offers->findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 3);
    EXPECT_TRUE(buttons[0]->isEnabled());
    EXPECT_FALSE(buttons[2]->isEnabled()) << "there is no program to run";
    ASSERT_TRUE(clickLinkIn(*offers, QStringLiteral("file:0")));
    driver.waitForComparison();
    ASSERT_NE(model().comparison(), nullptr);
    EXPECT_TRUE(cell(QStringLiteral("op1"), ComparisonModel::Verdict).contains(QStringLiteral("slower")));
    const auto* const headline = driver.window().findChild<QLabel*>(QStringLiteral("compareHeadline"));
    EXPECT_TRUE(WindowDriver::onScreen(*headline));
    EXPECT_TRUE(headline->text().startsWith(QStringLiteral("B is "))) << headline->text().toStdString();
    EXPECT_TRUE(headline->text().contains(QStringLiteral("1 of 3 operators slower, mostly op1")))
        << headline->text().toStdString();
}

TEST_F(ComparePanelTest, ShowsSlowerAndFasterOperators) {
    openBoth({1, 2, 3}, {1, 3, 1.5});
    ASSERT_NE(model().comparison(), nullptr);
    EXPECT_TRUE(cell(QStringLiteral("op0"), ComparisonModel::Verdict).contains(QStringLiteral("same")));
    EXPECT_TRUE(cell(QStringLiteral("op1"), ComparisonModel::Verdict).contains(QStringLiteral("slower")));
    EXPECT_TRUE(cell(QStringLiteral("op1"), ComparisonModel::Change).startsWith(QStringLiteral("+")));
    EXPECT_TRUE(cell(QStringLiteral("op2"), ComparisonModel::Verdict).contains(QStringLiteral("faster")));
    EXPECT_TRUE(WindowDriver::onScreen(panel.view().table()));
    EXPECT_EQ(driver.window().opened().session()->files.trace.filename(), "a.etdp") << "A stays";
}

TEST_F(ComparePanelTest, SwappingTurnsTheVerdictsAround) {
    openBoth({1, 2, 3}, {1, 3, 3});
    panel.view().table().setFocus();
    driver.press(Qt::Key_X);
    driver.waitForComparison();
    EXPECT_TRUE(cell(QStringLiteral("op1"), ComparisonModel::Verdict).contains(QStringLiteral("faster")));
}

TEST_F(ComparePanelTest, SelectingARowSelectsTheOperatorInAllPanels) {
    openBoth({1, 2, 3}, {1, 3, 3});
    panel.view().table().setFocus();
    driver.press(Qt::Key_Period);
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "native_call_op1.out");
}

TEST_F(ComparePanelTest, OperatorsInsideDelegatesAreSelected) {
    driver.open({write("a.etdp", delegateTrace(2))});
    driver.enterPanel(QStringLiteral("Compare"));
    driver.dropOn(panel, {write("b.etdp", delegateTrace(4))});
    driver.waitForComparison();
    auto& selection = driver.window().selection();
    const QModelIndex method = model().index(0, 0);
    for (const auto* const name : {"Transpose #1", "IGEMM #1"}) {
        const auto& shown = *panel.view().table().model();
        const auto found = shown.match(shown.index(0, 0, shown.index(0, 0)), Qt::DisplayRole,
                                       QString::fromLatin1(name), 1, Qt::MatchContains);
        ASSERT_EQ(found.size(), 1) << name << " of " << model().rowCount(method);
        panel.view().table().setCurrentIndex(found.front());
        ASSERT_NE(selection.currentEvent(), nullptr);
        EXPECT_EQ(selection.currentEvent()->name, name);
        const inspector::store::Note note = visualizers::noteTo(selection);
        EXPECT_EQ(note.delegated, name);
        selection.setCurrent({});
        visualizers::selectTarget(note, selection);
        ASSERT_NE(selection.currentEvent(), nullptr);
        EXPECT_EQ(selection.currentEvent()->name, name) << "the note is on it";
        EXPECT_TRUE(visualizers::placeText(note, driver.window().opened().session().get())
                        .startsWith(QString::fromLatin1(name)));
    }
}

TEST_F(ComparePanelTest, SwappedRowStillSelectsInTheOpenTrace) {
    driver.open({write("a.etdp", delegateTrace(2))});
    driver.enterPanel(QStringLiteral("Compare"));
    driver.dropOn(panel, {write("b.etdp", delegateTrace(4, 7))});
    driver.waitForComparison();
    panel.view().table().setFocus();
    for (const bool swapped : {false, true}) {
        if (swapped) {
            driver.press(Qt::Key_X);
            driver.waitForComparison();
        }
        driver.window().selection().setCurrent({});
        const auto& shown = *panel.view().table().model();
        const auto found = shown.match(shown.index(0, 0, shown.index(0, 0)), Qt::DisplayRole,
                                       QStringLiteral("IGEMM"), 1, Qt::MatchContains);
        ASSERT_EQ(found.size(), 1);
        panel.view().table().setCurrentIndex(found.front());
        ASSERT_TRUE(driver.window().selection().currentOperator());
        EXPECT_EQ(driver.window().selection().currentOperator()->instruction, core::InstructionId(4));
    }
}

/// Picture of the values at the right; the rest depends on the width.
QImage valuesOf(visualizers::WaterfallPlot& plot, int width) {
    plot.resize(width, plot.sizeHint().height());
    return plot.grab(QRect(width - plot.valueWidth(), 0, plot.valueWidth(), plot.height())).toImage();
}

TEST_F(ComparePanelTest, ValuesOfTheWaterfallAreWholeAtAnyWidth) {
    visualizers::WaterfallPlot plot(nullptr);
    plot.show(
        {.from = 345'200, .to = 858'900, .steps = {{.name = "XnnpackBackend", .change = 513'700, .row = {}}}},
        inspector::TimeScale::Microseconds, 1000);
    EXPECT_EQ(valuesOf(plot, 200), valuesOf(plot, 900));
}

TEST_F(ComparePanelTest, TheFilterIsReadableInASmallWindow) {
    driver.window().resize(1280, 800);
    openBoth({1, 2, 3}, {1, 3, 3});
    driver.enterPerspective("change");
    const auto& filter = panel.view().filterBox();
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return WindowDriver::onScreen(filter) &&
                   filter.width() >
                       filter.fontMetrics().horizontalAdvance(QStringLiteral("Filter by operator"));
        },
        30'000))
        << filter.width();
}

TEST_F(ComparePanelTest, FindsByKey) {
    openBoth({1, 2, 3}, {1, 3, 3});
    panel.view().table().setFocus();
    driver.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(panel.view().filterBox().hasFocus()) << "the filter of this panel, not of another";
}

TEST_F(ComparePanelTest, FilesOtherThanTracesAreReportedAndTheComparisonStays) {
    openBoth({1, 2, 3}, {1, 3, 3});
    driver.dropOn(panel, {write("letter.txt", "dear model")});
    driver.waitForComparison();
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("letter.txt")));
    EXPECT_NE(model().comparison(), nullptr);
}

TEST_F(ComparePanelTest, ClosingTheSecondOrTheFirstEndsTheComparison) {
    openBoth({1, 2, 3}, {1, 3, 3});
    driver.trigger(QStringLiteral("Close Second Trace"));
    EXPECT_EQ(model().comparison(), nullptr);
    driver.dropOn(panel, {folder() / "b.etdp"});
    driver.waitForComparison();
    EXPECT_NE(model().comparison(), nullptr);
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(model().comparison(), nullptr);
}

TEST_F(ComparePanelTest, ABaselineIsComparedByItsName) {
    const auto file = folder() / "baselines.db";
    driver.store().setValue(QStringLiteral("compare/baselines"), QString::fromStdString(file.string()));
    driver.open({write("a.etdp", traceOf({1, 2, 3}))});
    driver.enterPanel(QStringLiteral("Compare"));
    driver.press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    driver.waitForComparison();
    ASSERT_EQ(driver.errors().size(), 1) << "there is no store";
    {
        const auto before =
            openSession({.trace = write("before.etdp", traceOf({1, 4, 3})), .record = {}, .debugBuffer = {}});
        auto baselines = inspector::store::BaselineStore::open(file);
        ASSERT_TRUE(baselines);
        ASSERT_TRUE(baselines->save("release", inspector::makeMeasurement(*before->blocks, "before.etdp")));
    }
    driver.press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    driver.waitForComparison();
    auto* const dialog = driver.window().findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->comboBoxItems(), QStringList{QStringLiteral("release")});
    QTest::keyClick(dialog, Qt::Key_Return);
    driver.waitForComparison();
    ASSERT_NE(model().comparison(), nullptr);
    EXPECT_TRUE(cell(QStringLiteral("op1"), ComparisonModel::Verdict).contains(QStringLiteral("slower")));
    const QString files = driver.window().findChild<QLabel*>(QStringLiteral("compareFiles"))->text();
    EXPECT_TRUE(files.contains(QStringLiteral("baseline release"))) << files.toStdString();
    EXPECT_TRUE(files.contains(QStringLiteral("between launches"))) << files.toStdString();
}

TEST_F(ComparePanelTest, RealTracesOfOneModelCompare) {
    ET_NEEDS_SHARED_DATA();
    const auto traces = sharedData() / "traces";
    driver.open({traces / "simple_portable_debug" / "trace.etdp"});
    driver.enterPanel(QStringLiteral("Compare"));
    driver.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    chooseInFileDialog(traces / "simple_xnnpack" / "trace.etdp");
    driver.waitForComparison();
    ASSERT_NE(model().comparison(), nullptr);
    EXPECT_GT(model().rowCount(model().index(0, 0)), 0);
}

TEST_F(ComparePanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    openBoth({1, 2, 3, 1.2, 0.4, 5}, {1, 3, 1.5, 1.26, 0.4, 5.01});
    panel.view().table().setFocus();
    driver.press(Qt::Key_Period);
    takePictures(driver, "compare");
}

}  // namespace

}  // namespace et::test

// Tests of the memory panel: the plan, the curve above it, the tensors next to it.
#include "app/studio/memory/memory_panel.h"

#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "runtime/builder/method_builder.h"
#include "runtime/builder/program_builder.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/long_program.h"
#include "tests/support/shared_data.h"
#include "visualizers/memory/tensor_model.h"
#include "visualizers/memory/tensor_pane.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace et::test {

namespace {

using inspector::MemoryTimeline;
using inspector::PlanBox;
using inspector::TensorKind;
using visualizers::PlanWidget;
using visualizers::TensorModel;
using visualizers::TensorPane;

class MemoryPanelTest : public StudioTest {
  protected:
    MemoryPanelTest()
        : panel(*driver.window().findChild<studio::MemoryPanel*>()),
          picture(panel.view().picture()),
          model(panel.view().tensors().model()),
          selection(driver.window().selection()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Memory"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
        QTest::qWait(0);
        ASSERT_TRUE(driver.window().opened().session() && driver.window().opened().session()->program);
        auto looked = MemoryTimeline::build(driver.window().opened().session()->program->methods.front());
        ASSERT_TRUE(looked) << looked.error().toString();
        timeline = std::move(*looked);
        picture.setFocus();
    }
    [[nodiscard]] QPoint middle(const PlanBox& box) const {
        return picture.rectOf(box).intersected(QRectF(picture.plotArea())).center().toPoint();
    }
    [[nodiscard]] const PlanBox& boxOf(TensorKind kind) const {
        const auto found = std::ranges::find_if(
            picture.boxes(), [&](const PlanBox& box) { return timeline.tensors[box.tensor].kind == kind; });
        EXPECT_NE(found, picture.boxes().end());
        return found == picture.boxes().end() ? picture.boxes().front() : *found;
    }
    [[nodiscard]] QRgb pixel(QPoint at) const { return picture.grab().toImage().pixel(at); }
    [[nodiscard]] QComboBox& choice(const char* name) {
        return *driver.window().findChild<QComboBox*>(QLatin1String(name));
    }
    [[nodiscard]] QString text(const char* name) {
        return driver.window().findChild<QLabel*>(QLatin1String(name))->text();
    }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, picture.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&picture, &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&picture, Qt::LeftButton, modifiers, from);
        QMouseEvent move(QEvent::MouseMove, QPointF(to), picture.mapToGlobal(QPointF(to)), Qt::NoButton,
                         Qt::LeftButton, modifiers);
        QApplication::sendEvent(&picture, &move);
        QTest::mouseRelease(&picture, Qt::LeftButton, modifiers, to);
    }

    WindowDriver driver;
    studio::MemoryPanel& panel;
    PlanWidget& picture;
    TensorModel& model;
    visualizers::Selection& selection;
    MemoryTimeline timeline;
};

TEST_F(MemoryPanelTest, SavesLiveTensorsAsAChromeTrace) {
    open(runSamplePaths());
    driver.trigger(QStringLiteral("Save as Chrome Trace…"));
    chooseInFileDialog(folder() / "memory.json");
    QFile file(QString::fromStdString((folder() / "memory.json").string()));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    qint64 boxes = 0;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    for (const QJsonValue& event : root.value(QStringLiteral("traceEvents")).toArray()) {
        boxes += event[QStringLiteral("cat")].toString() == QStringLiteral("memory_allocation") ? 1 : 0;
    }
    inspector::Step alive = 0;
    for (const inspector::PlannedTensor& each : timeline.tensors) {
        alive += std::max<inspector::Step>(0, each.lastStep - each.firstStep + 1);
    }
    EXPECT_EQ(boxes, alive) << "each tensor at each step";
    EXPECT_GT(boxes, 0);
}

TEST_F(MemoryPanelTest, ShowsWhichFilesToOpen) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Memory"));
    EXPECT_TRUE(text("memoryHint").contains(QStringLiteral("Open a program")));
    EXPECT_FALSE(panel.hasContent());
}

TEST_F(MemoryPanelTest, PaintsEachTensorInTheColourOfItsKind) {
    open(runSamplePaths());
    ASSERT_FALSE(picture.boxes().empty());
    for (const TensorKind kind : {TensorKind::Input, TensorKind::Intermediate}) {
        const PlanBox& box = boxOf(kind);
        const QRectF rect = picture.rectOf(box);
        // Outside the label, which is at the middle left.
        const QPoint corner(static_cast<int>(rect.right()) - 4, static_cast<int>(rect.top()) + 3);
        EXPECT_EQ(pixel(corner), picture.colours().tensors[box.tensor]) << tensorKindName(kind);
    }
    EXPECT_NE(picture.colours().tensors[boxOf(TensorKind::Input).tensor],
              picture.colours().tensors[boxOf(TensorKind::Intermediate).tensor]);
}

TEST_F(MemoryPanelTest, TheCurveIsHighestAtThePeak) {
    open(runSamplePaths());
    const auto& arena = timeline.arenas.front();
    const QImage image = picture.grab().toImage();
    const QRgb ground = picture.palette().color(QPalette::Base).rgb();
    const auto height = [&](inspector::Step step) {
        const auto& window = picture.window();
        const double place = (window.axis.startOf(step) + window.axis.endOf(step)) / 2;
        // Offset by a quarter, because the line of the peak is in the middle.
        const double aside = (window.axis.endOf(step) - window.axis.startOf(step)) / 4;
        const int x = picture.plotArea().left() + static_cast<int>(window.x.pixelOf(place + aside));
        int filled = 0;
        for (int y = picture.curveArea().top(); y <= picture.curveArea().bottom(); ++y) {
            filled += image.pixel(x, y) == ground ? 0 : 1;
        }
        return filled;
    };
    const int peak = height(arena.peakStep);
    EXPECT_GT(peak, 30);
    EXPECT_LT(height(static_cast<inspector::Step>(timeline.steps.size())), peak / 2);
}

TEST_F(MemoryPanelTest, HeadlineMatchesTheCommandLine) {
    open(runSamplePaths());
    EXPECT_EQ(text("memoryHead"),
              QString::fromStdString("forward, arena 1: " + describe(timeline.arenas.front(), timeline)));
}

TEST_F(MemoryPanelTest, ClickSelectsTensorAndOperatorInAllPanels) {
    open(runSamplePaths());
    const PlanBox& box = boxOf(TensorKind::Intermediate);
    QTest::mouseClick(&picture, Qt::LeftButton, {}, middle(box));
    EXPECT_EQ(picture.state().tensor, box.tensor);
    const auto& tensor = timeline.tensors[box.tensor];
    ASSERT_TRUE(selection.currentOperator());
    EXPECT_EQ(selection.currentOperator()->instruction, tensor.producer->instruction);
    ASSERT_NE(selection.currentEvent(), nullptr) << "the trace has an event of it";
    EXPECT_EQ(selection.currentEvent()->instruction, tensor.producer->instruction);
}

TEST_F(MemoryPanelTest, SelectionOfOtherPanelsIsMarkedInThePlan) {
    open(runSamplePaths());
    const auto& last =
        *std::ranges::find(timeline.tensors, TensorKind::Output, &inspector::PlannedTensor::kind);
    ASSERT_TRUE(last.producer);
    selection.setOperator({.method = "forward", .instruction = last.producer->instruction});
    ASSERT_TRUE(picture.state().tensor);
    EXPECT_EQ(timeline.tensors[*picture.state().tensor].producer, last.producer);
}

TEST_F(MemoryPanelTest, TheTableListsThePeakLargestFirst) {
    open(runSamplePaths());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto& peak = timeline.arenas.front().peakTensors;
    ASSERT_EQ(model.rowCount(), static_cast<int>(peak.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.tensorAt(row), peak[static_cast<std::size_t>(row)]);
    }
    const std::string sum = inspector::format::readableBytes(timeline.arenas.front().peakBytes);
    EXPECT_TRUE(text("tensorSum").contains(QString::fromStdString(sum))) << text("tensorSum").toStdString();
    choice("tensorMode").setCurrentIndex(static_cast<int>(TensorPane::Mode::All));
    EXPECT_EQ(model.rowCount(), static_cast<int>(timeline.tensors.size()));
    model.sort(TensorModel::Offset, Qt::AscendingOrder);
    EXPECT_EQ(model.index(0, TensorModel::Offset).data().toString(), QStringLiteral("0"));
}

TEST_F(MemoryPanelTest, ClickOnTheCurveListsLiveTensors) {
    open(runSamplePaths());
    const QRect curve = picture.curveArea();
    QTest::mouseClick(&picture, Qt::LeftButton, {}, QPoint(curve.left() + 1, curve.center().y()));
    EXPECT_EQ(panel.view().tensors().mode(), TensorPane::Mode::Step);
    ASSERT_GT(model.rowCount(), 0);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_TRUE(timeline.tensors[model.tensorAt(row)].aliveAt(-1));
    }
    EXPECT_TRUE(text("tensorSum").contains(QStringLiteral("before the first instruction")));
}

TEST_F(MemoryPanelTest, ChoosingARowMarksTheTensor) {
    open(runSamplePaths());
    QTreeView& table = panel.view().tensors().table();
    const QModelIndex row = model.index(model.rowCount() - 1, 0);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(row).center());
    EXPECT_EQ(picture.state().tensor, model.tensorAt(row.row()));
    table.selectAll();
    driver.press(Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    EXPECT_EQ(copied.count(u'\n'), model.rowCount() + 1) << copied.toStdString();
    EXPECT_TRUE(copied.startsWith(QStringLiteral("Value\tKind\tBytes")));
}

TEST_F(MemoryPanelTest, ZoomsAtTheCursor) {
    open(runSamplePaths());
    const QPoint at(picture.plotArea().left() + picture.plotArea().width() / 4,
                    picture.plotArea().center().y());
    const auto place = [&] { return picture.window().x.valueAt(at.x() - picture.plotArea().left()); };
    const double all = picture.window().x.to() - picture.window().x.from();
    const double before = place();
    wheel(at, 3);
    EXPECT_LT(picture.window().x.to() - picture.window().x.from(), all / 2);
    EXPECT_NEAR(place(), before, picture.window().x.perPixel());
    const double bytes = picture.window().y.to();
    wheel(at, 2, Qt::ControlModifier);
    EXPECT_LT(picture.window().y.to() - picture.window().y.from(), bytes);
    const double from = picture.window().x.from();
    driver.press(Qt::Key_D);
    EXPECT_GT(picture.window().x.from(), from);
    drag(at, at + QPoint(40, 0));
    driver.press(Qt::Key_Space);
    EXPECT_EQ(picture.window().x.to() - picture.window().x.from(), all);
    EXPECT_EQ(picture.window().y.to(), bytes);
}

TEST_F(MemoryPanelTest, KeysStepThroughTensorsAndGoToThePeak) {
    open(runSamplePaths());
    driver.press(Qt::Key_Period);
    ASSERT_TRUE(picture.state().tensor);
    const std::size_t first = *picture.state().tensor;
    EXPECT_EQ(timeline.tensors[first].firstStep, -1);
    driver.press(Qt::Key_Period);
    EXPECT_NE(picture.state().tensor, first);
    driver.press(Qt::Key_Comma);
    EXPECT_EQ(picture.state().tensor, first);
    driver.press(Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->image().width(), picture.width()) << "a picture of it";
    driver.press(Qt::Key_P);
    const auto& window = picture.window();
    EXPECT_LE(window.x.from(), window.axis.startOf(timeline.arenas.front().peakStep));
    EXPECT_GE(window.x.to(), window.axis.endOf(timeline.arenas.front().peakStep));
    EXPECT_EQ(panel.view().tensors().mode(), TensorPane::Mode::Step);
}

TEST_F(MemoryPanelTest, SearchDimsOtherTensors) {
    open(runSamplePaths());
    const PlanBox input = boxOf(TensorKind::Input);
    const PlanBox other = boxOf(TensorKind::Intermediate);
    const auto corner = [this](const PlanBox& box) {
        return picture.rectOf(box).bottomRight().toPoint() - QPoint(4, 3);
    };
    const QRgb before = pixel(corner(other));
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("memoryFilter"));
    ASSERT_TRUE(search->hasFocus());
    QTest::keyClicks(search, QStringLiteral("input"));
    EXPECT_EQ(pixel(corner(input)), picture.colours().tensors[input.tensor]);
    EXPECT_NE(pixel(corner(other)), before);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.index(row, TensorModel::Kind).data().toString(), QStringLiteral("input"));
    }
}

TEST_F(MemoryPanelTest, AlternativePlansShowTheirSavings) {
    open(runSamplePaths());
    visualizers::ReportTable& table = panel.view().otherPlans();
    const auto& rows = table.model().rows().table.rows;
    ASSERT_EQ(rows.size(), inspector::planChoices().size() + 2);
    const auto naive = inspector::planAgain(timeline, builder::PlanStrategy::Naive, builder::planAlignment);
    ASSERT_TRUE(naive);
    EXPECT_EQ(std::get<std::uint64_t>(rows[rows.size() - 2][2]), naive->bytes);
    EXPECT_EQ(std::get<std::uint64_t>(rows.back()[2]), timeline.peakBytes());
    const std::vector<PlanBox> before = picture.boxes();
    choice("memoryPlan").setCurrentIndex(static_cast<int>(inspector::planChoices().size()));
    bool moved = false;
    for (const PlanBox& box : picture.boxes()) {
        EXPECT_EQ(box.offset, naive->offsets[box.tensor]);
        moved |= box.offset != timeline.tensors[box.tensor].offset;
    }
    EXPECT_TRUE(moved);
}

TEST_F(MemoryPanelTest, ShowsConstantsAndUnmeasuredMemory) {
    open(runSamplePaths());
    const auto& rows = panel.view().beside().model().rows().table.rows;
    EXPECT_EQ(std::get<std::string>(rows.front()[0]), "Constants");
    EXPECT_EQ(std::get<std::uint64_t>(rows.front()[1]), timeline.constantBytes());
    const bool unmeasured = std::ranges::any_of(rows, [](const auto& row) {
        return std::get<std::string>(row[2]).contains("not measured: run with --allocations");
    });
    EXPECT_TRUE(unmeasured);
}

TEST_F(MemoryPanelTest, OverTimeTheRangeIsSharedWithTheTimeline) {
    open(runSamplePaths());
    QComboBox& axis = choice("memoryAxis");
    ASSERT_TRUE(axis.isEnabled());
    axis.setCurrentIndex(1);
    EXPECT_TRUE(picture.window().axis.isTime());
    const QRect plot = picture.plotArea();
    drag(QPoint(plot.left() + 20, plot.center().y()), QPoint(plot.right() - 20, plot.center().y()),
         Qt::ShiftModifier);
    ASSERT_TRUE(selection.range());
    const auto range = *selection.range();
    EXPECT_LT(static_cast<double>(range.last - range.first), picture.window().axis.length());
    EXPECT_GT(static_cast<double>(range.last - range.first), picture.window().axis.length() / 2);
    axis.setCurrentIndex(0);
    EXPECT_FALSE(picture.window().axis.isTime());
    EXPECT_EQ(selection.range(), range) << "another axis is another look at the same stretch";
}

TEST_F(MemoryPanelTest, RealProgramsShowTheirArenas) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "programs" / "mobilenet_v2_small" / "portable.bpte",
          sharedData() / "programs" / "mobilenet_v2_small" / "portable.etrecord",
          sharedData() / "traces" / "mobilenet_v2_small_portable" / "trace.etdp"});
    ASSERT_EQ(timeline.arenas.size(), 1U);
    EXPECT_GT(picture.boxes().size(), 50U);
    const int modules = TensorModel::Module;
    bool named = false;
    for (int row = 0; row < model.rowCount(); ++row) {
        named |= model.index(row, modules).data().toString().startsWith(QStringLiteral("features"));
    }
    EXPECT_TRUE(named) << "the record names modules";
    EXPECT_TRUE(choice("memoryAxis").isEnabled()) << "the trace ran this program";
}

TEST_F(MemoryPanelTest, OffersMethodsAndArenas) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "programs" / "memplan" / "pools_greedy.pte"});
    EXPECT_GT(choice("memoryArena").count(), 1);
    const auto before = picture.boxes().size();
    choice("memoryArena").setCurrentIndex(1);
    EXPECT_TRUE(text("memoryHead").contains(choice("memoryArena").currentText(), Qt::CaseInsensitive));
    EXPECT_NE(picture.boxes().size(), before);
}

TEST_F(MemoryPanelTest, ReportsPlanWithOverlappingTensors) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "programs" / "memplan" / "overlap.pte"});
    EXPECT_EQ(text("memoryHead").contains(QStringLiteral("overwrites live data")),
              !timeline.overlaps.empty());
}

TEST_F(MemoryPanelTest, FiftyThousandTensorsPaintAtEveryZoom) {
    open({write("long.pte", longProgram(50'000))});
    driver.window().resize(1920, 1080);
    QTest::qWait(0);
    ASSERT_EQ(picture.boxes().size(), 50'000U);
    EXPECT_TRUE(timeline.overlaps.empty());
    std::vector<double> milliseconds;
    for (int zoom = 0; zoom < 40; ++zoom) {
        QElapsedTimer clock;
        clock.start();
        const QImage image = picture.grab().toImage();
        milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        EXPECT_NE(image.pixel(image.width() / 2, image.height() / 2), QRgb(0));
        wheel(picture.plotArea().center(), 1, zoom % 4 == 3 ? Qt::ControlModifier : Qt::NoModifier);
    }
    std::ranges::sort(milliseconds);
    std::printf("frames of fifty thousand tensors: p50 %.2f ms, p95 %.2f ms\n",
                milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 95 / 100]);
    choice("tensorMode").setCurrentIndex(static_cast<int>(TensorPane::Mode::All));
    EXPECT_EQ(model.rowCount(), 50'000);
    EXPECT_TRUE(panel.view().otherPlans().model().rows().table.rows.empty()) << "too many to plan anew";
}

TEST_F(MemoryPanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1280, 720);
    open({sharedData() / "programs" / "mobilenet_v2_small" / "portable.bpte",
          sharedData() / "programs" / "mobilenet_v2_small" / "portable.etrecord",
          sharedData() / "traces" / "mobilenet_v2_small_portable" / "trace.etdp"});
    QTest::mouseClick(&picture, Qt::LeftButton, {}, middle(boxOf(TensorKind::Intermediate)));
    takePictures(driver, "memory");
}

}  // namespace

}  // namespace et::test

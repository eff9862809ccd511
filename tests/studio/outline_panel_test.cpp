// Tests of the outline panel.
#include "app/studio/outline/outline_panel.h"

#include "inspector/format/quantities.h"
#include "inspector/memory/memory_timeline.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/outline/outline_model.h"
#include "visualizers/toolkit/hover_tree.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace et::test {

namespace {

using visualizers::OutlineModel;

class OutlinePanelTest : public StudioTest {
  protected:
    OutlinePanelTest() : panel(*driver.window().findChild<studio::OutlinePanel*>()), tree(panel.tree()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPerspective("time");
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] QModelIndex root() const { return tree.model()->index(0, 0); }

    WindowDriver driver;
    studio::OutlinePanel& panel;
    QTreeView& tree;
};

TEST_F(OutlinePanelTest, ExpandsThePathToTheSlowestPart) {
    open(samplePaths());
    const QAbstractItemModelTester tester(&panel.model());
    ASSERT_TRUE(root().isValid());
    const std::vector<std::size_t> path = panel.model().hotPath();
    ASSERT_GT(path.size(), 1U);
    EXPECT_TRUE(tree.isExpanded(root()));
    EXPECT_DOUBLE_EQ(root().siblingAtColumn(OutlineModel::Time).data(OutlineModel::ShareRole).toDouble(), 1);
    EXPECT_TRUE(WindowDriver::onScreen(panel));
    tree.setFocus(Qt::TabFocusReason);
    EXPECT_TRUE(driver.window().selection().events().empty()) << "nobody has chosen anything yet";
}

TEST_F(OutlinePanelTest, ShowsOutputsOfEachPart) {
    open(runSamplePaths());
    const auto& program = *driver.window().opened().session()->program;
    const auto memory = inspector::MemoryTimeline::build(program, program.methods.front());
    ASSERT_TRUE(memory);
    std::uint64_t written = 0;
    for (const auto& tensor : memory->tensors) {
        written += tensor.producer ? tensor.bytes : 0;
    }
    const QModelIndex all = root().siblingAtColumn(OutlineModel::Bytes);
    EXPECT_EQ(all.data().toString().toStdString(), inspector::format::readableBytes(written));
    EXPECT_DOUBLE_EQ(all.data(OutlineModel::ShareRole).toDouble(), 1);
    double parts = 0;
    for (int row = 0; row < tree.model()->rowCount(root()); ++row) {
        parts +=
            tree.model()->index(row, OutlineModel::Bytes, root()).data(OutlineModel::ShareRole).toDouble();
    }
    EXPECT_NEAR(parts, 1, 1e-9) << "each tensor once";
    driver.trigger(QStringLiteral("Close"));
    open({write("small.etdp", smallTrace(3))});
    EXPECT_TRUE(tree.isColumnHidden(OutlineModel::Bytes)) << "nobody knows them";
}

TEST_F(OutlinePanelTest, MarksBytesOfDynamicTensorsAsUpperBounds) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "llm";
    open({folder / "models/tiny-a/portable_fp32.pte", folder / "models/tiny-a/portable_fp32.etrecord",
          folder / "traces/portable_fp32.etdp"});
    const QString all = root().siblingAtColumn(OutlineModel::Bytes).data().toString();
    EXPECT_TRUE(all.startsWith(QStringLiteral("≤ "))) << all.toStdString();
    driver.trigger(QStringLiteral("Close"));
    open(runSamplePaths());
    const QString exact = root().siblingAtColumn(OutlineModel::Bytes).data().toString();
    EXPECT_FALSE(exact.isEmpty());
    EXPECT_FALSE(exact.startsWith(u'≤')) << exact.toStdString();
}

TEST_F(OutlinePanelTest, RowUnderThePointerIsHighlighted) {
    open({write("small.etdp", smallTrace(3))});
    auto* const rows = qobject_cast<visualizers::HoverTree*>(&tree);
    ASSERT_NE(rows, nullptr);
    EXPECT_FALSE(rows->glowing().isValid());
    driver.window().selection().setHovered(visualizers::EventRef{1, 0});
    EXPECT_EQ(rows->glowing().data().toString(), QStringLiteral("add"));
    EXPECT_TRUE(driver.table().isVisible());
    auto* const events = qobject_cast<visualizers::HoverTree*>(&driver.table());
    ASSERT_NE(events, nullptr);
    EXPECT_TRUE(events->glowing().isValid()) << "in the table, too";
    driver.window().selection().setHovered(std::nullopt);
    EXPECT_FALSE(rows->glowing().isValid());
    EXPECT_FALSE(events->glowing().isValid());
}

TEST_F(OutlinePanelTest, SelectingARowSelectsAllInside) {
    open({write("small.etdp", smallTrace(3))});
    tree.setCurrentIndex(root());
    EXPECT_EQ(driver.window().selection().events().size(), 4U)
        << "the kernel, not the call around it as well";
    driver.window().selection().setCurrent(visualizers::EventRef{1, 0});
    EXPECT_EQ(tree.currentIndex().data().toString(), QStringLiteral("add")) << "what others choose";
}

TEST_F(OutlinePanelTest, ByExecutionEveryStepStandsForItself) {
    open({write("small.etdp", smallTrace(3))});
    driver.window().findChild<QComboBox*>(QStringLiteral("outlineBy"))->setCurrentIndex(1);
    settle();
    EXPECT_EQ(tree.model()->rowCount(root()), 5);
    EXPECT_EQ(tree.model()->index(0, 0, root()).data().toString(), QStringLiteral("add"));
}

TEST_F(OutlinePanelTest, ShowsErrorsOfTheGap) {
    driver.window().resize(1920, 1080);  // a narrow outline hides columns to leave space for the names
    open(samplePaths());
    tree.expandAll();
    EXPECT_TRUE(tree.isColumnHidden(OutlineModel::Error));
    const auto& events = driver.window().opened().blocks()->blocks().back().events;
    const auto traced = std::ranges::find_if(events, [](const inspector::Event& event) {
        return event.handles.size() == 1 && !event.samples.empty();
    });
    ASSERT_NE(traced, events.end());
    inspector::GapReportRow row;
    row.referenceHandles.assign(traced->handles.begin(), traced->handles.end());
    row.runtimeHandles = row.referenceHandles;
    row.outputs.emplace_back().numbers[inspector::GapMetric::Mse] = 0.25;
    auto gap = std::make_shared<inspector::GapReport>();
    gap->rows.push_back(row);
    driver.window().results().setGap(gap);
    QTest::qWait(0);
    EXPECT_FALSE(tree.isColumnHidden(OutlineModel::Error));
    EXPECT_EQ(root().siblingAtColumn(OutlineModel::Error).data().toString(), QStringLiteral("0.25"))
        << "the worst below";
    driver.window().results().setGap(nullptr);
    QTest::qWait(0);
    EXPECT_TRUE(tree.isColumnHidden(OutlineModel::Error));
}

TEST_F(OutlinePanelTest, FilterKeepsSurroundingRows) {
    open({write("small.etdp", smallTrace(3))});
    driver.window().findChild<QLineEdit*>(QStringLiteral("outlineFilter"))->setText(QStringLiteral("ADD"));
    ASSERT_EQ(tree.model()->rowCount(), 1);
    ASSERT_EQ(tree.model()->rowCount(root()), 1);
    EXPECT_EQ(tree.model()->index(0, 0, root()).data().toString(), QStringLiteral("add"));
}

}  // namespace

}  // namespace et::test

// Tests of the size panel: the map, zooming, duplicates.
#include "app/studio/size/size_panel.h"

#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/size/size_map_widget.h"
#include "visualizers/toolkit/report_table.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

class SizePanelTest : public StudioTest {
  protected:
    SizePanelTest() : panel(*driver.window().findChild<studio::SizePanel*>()), map(panel.view()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Size"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
        ASSERT_NE(map.content(), nullptr);
        map.setFocus();
    }
    void openSmallMobileNet() {
        const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
        open({programs / "xnnpack.bpte", programs / "xnnpack.etrecord",
              sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    }
    void click(std::size_t node, QPoint from) {
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.rectOf(node).topLeft().toPoint() + from);
    }
    /// Index of the largest piece of a kind.
    [[nodiscard]] std::size_t largest(inspector::SizeKind kind) const {
        const auto& pieces = map.content()->map().pieces;
        std::size_t best = pieces.size();
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (pieces[i].kind == kind && (best == pieces.size() || pieces[i].bytes > pieces[best].bytes)) {
                best = i;
            }
        }
        EXPECT_LT(best, pieces.size());
        return best;
    }
    [[nodiscard]] QString labelled(const char* name) {
        return driver.window().findChild<QLabel*>(QString::fromLatin1(name))->text();
    }

    WindowDriver driver;
    studio::SizePanel& panel;
    visualizers::SizeMapWidget& map;
};

TEST_F(SizePanelTest, EveryByteIsShownForEachGrouping) {
    open(runSamplePaths());
    auto* const by = driver.window().findChild<QComboBox*>(QStringLiteral("sizeBy"));
    for (int i = 0; i < by->count(); ++i) {
        by->setCurrentIndex(i);
        EXPECT_EQ(map.nodes().front().bytes, map.content()->map().total()) << i;
    }
}

TEST_F(SizePanelTest, AClickOnANameLooksIntoItAndThePathLeadsBack) {
    ET_NEEDS_SHARED_DATA();
    openSmallMobileNet();
    auto* const by = driver.window().findChild<QComboBox*>(QStringLiteral("sizeBy"));
    by->setCurrentIndex(by->findText(QStringLiteral("By kind")));
    const std::size_t weights = map.nodes().front().children.front();
    ASSERT_EQ(map.nodes()[weights].name, "delegate weights");
    click(weights, {5, 5});
    EXPECT_EQ(map.shownRoot(), weights);
    EXPECT_TRUE(labelled("sizePath").contains(QStringLiteral("<b>delegate weights</b>")));
    EXPECT_GT(map.rectOf(map.nodes()[weights].children.front()).width(), 20);
    ASSERT_TRUE(
        clickLink(*driver.window().findChild<QLabel*>(QStringLiteral("sizePath")), QStringLiteral("0")));
    EXPECT_EQ(map.shownRoot(), 0U);
    driver.press(Qt::Key_W);
    driver.press(Qt::Key_Space);
    EXPECT_EQ(map.shownRoot(), 0U);
}

TEST_F(SizePanelTest, APieceAndTheOperatorThatReadsItAreChosenTogether) {
    ET_NEEDS_SHARED_DATA();
    openSmallMobileNet();
    const std::size_t piece = largest(inspector::SizeKind::DelegateWeights);
    const auto node = map.nodeOf(piece);
    ASSERT_TRUE(node);
    click(*node, (map.rectOf(*node).center() - map.rectOf(*node).topLeft()).toPoint());
    EXPECT_EQ(map.chosenNode(), node);
    const auto handles = driver.window().selection().currentHandles();
    ASSERT_FALSE(handles.empty());
    EXPECT_TRUE(std::ranges::contains(handles, map.content()->piece(piece).handles.front()));
    EXPECT_TRUE(labelled("sizeChosen").contains(QStringLiteral("delegate weights")));

    driver.window().selection().setCurrent(std::nullopt);
    EXPECT_FALSE(map.chosenNode());
    const auto& of = map.content()->piece(piece);
    driver.window().selection().setHandles(of.method, of.handles);
    EXPECT_TRUE(map.linkedPieces()[piece]) << "chosen elsewhere, shown here";
}

TEST_F(SizePanelTest, HoveredPieceIsHighlightedInAllPanels) {
    ET_NEEDS_SHARED_DATA();
    openSmallMobileNet();
    const std::size_t piece = largest(inspector::SizeKind::DelegateWeights);
    const auto event = map.content()->eventOf(piece);
    ASSERT_TRUE(event) << "the trace has the operator that reads it";
    const auto node = map.nodeOf(piece);
    ASSERT_TRUE(node);
    QTest::mouseMove(&map, map.rectOf(*node).center().toPoint());
    EXPECT_EQ(driver.window().selection().hovered(), event);

    driver.window().selection().setHovered(std::nullopt);
    const QImage before = map.grab().toImage();
    driver.window().selection().setHovered(event);
    EXPECT_NE(map.grab().toImage(), before) << "the other way round";
}

TEST_F(SizePanelTest, ListsDuplicatesWithCostAndCause) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack.bpte"});
    const auto groups = inspector::repeatedContent(map.content()->map()).duplicates;
    const auto& table = panel.duplicates().model().rows();
    std::size_t rows = groups.size();
    for (const auto& group : groups) {
        rows += group.pieces.size();
    }
    EXPECT_EQ(table.table.rows.size(), rows);
}

TEST_F(SizePanelTest, AWeightsFileThatIsNotOpenIsNamedAndOffered) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "ext_const";
    const auto program = programs / "portable_named.pte";
    open({program});
    auto* const line = driver.window().findChild<QLabel*>(QStringLiteral("sizeMissing"));
    EXPECT_TRUE(line->isVisible());
    EXPECT_EQ(map.content()->map().missing.size(), 3U);
    EXPECT_TRUE(line->text().contains(QStringLiteral("3 tensors"))) << line->text().toStdString();
    EXPECT_TRUE(line->text().contains(QStringLiteral("<a href")));
    EXPECT_EQ(map.nodes().front().bytes, std::filesystem::file_size(program));

    const auto weights = programs / "portable_named.weights_a.ptd";
    open({weights});
    EXPECT_EQ(map.nodes().front().bytes,
              std::filesystem::file_size(program) + std::filesystem::file_size(weights));
    EXPECT_EQ(map.content()->map().missing.size(), 1U);

    open({programs / "portable_all.pte", programs / "portable_all._default_external_constant.ptd"});
    EXPECT_FALSE(line->isVisible()) << "nothing is missing";
}

TEST_F(SizePanelTest, HasAnAccessibleDescription) {
    open(runSamplePaths());
    const std::size_t first = map.nodes().front().children.front();
    map.choose(first);
    const QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(&map);
    ASSERT_NE(spoken, nullptr);
    EXPECT_EQ(spoken->role(), QAccessible::Chart);
    EXPECT_EQ(spoken->text(QAccessible::Name), QStringLiteral("Map of sizes"));
    EXPECT_TRUE(spoken->text(QAccessible::Value).contains(QStringLiteral(" bytes)")));
    driver.window().findChild<QLineEdit*>(QStringLiteral("sizeSearch"))->setText(QStringLiteral("no such"));
    EXPECT_EQ(map.chosenNode(), first);
}

TEST_F(SizePanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1280, 720);
    openSmallMobileNet();
    driver.enterPerspective("structure");
    driver.enterPanel(QStringLiteral("Size"));
    map.choose(map.nodeOf(largest(inspector::SizeKind::DelegateWeights)));
    takePictures(driver, "size");
}

}  // namespace

}  // namespace et::test

// Tests of the graph panel: opening groups, following edges, searching, tracing, exporting.
#include "app/studio/graph/graph_panel.h"

#include "app/studio/graph/graph_export.h"
#include "tests/studio/clicks.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_details_pane.h"
#include "visualizers/graph/graph_legend.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSet>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using inspector::DiagramBox;
using visualizers::GraphCanvas;
using visualizers::GraphScene;

class GraphPanelTest : public StudioTest {
  protected:
    GraphPanelTest() : panel(*driver.window().findChild<studio::GraphPanel*>()), canvas(panel.canvas()) {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
        // The user has chosen top to bottom.
        driver.trigger(QStringLiteral("Left to Right"));
        driver.trigger(QStringLiteral("Left to Right"));
    }

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Graph"));
        settle();
        ASSERT_TRUE(canvas.scene());
        canvas.setFocus();
    }
    static std::filesystem::path mobilenet(const char* name) {
        return sharedData() / "programs" / "mobilenet_v2_small" / name;
    }
    void openMobilenet() {
        open({mobilenet("xnnpack.bpte"), mobilenet("xnnpack.etrecord"),
              sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    }
    void settle() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000)) << "the graph is never there";
        QTest::qWait(0);
    }
    void choose(const char* title) {
        auto* const box = panel.findChild<QComboBox*>(QStringLiteral("graphChoice"));
        const int place = box->findText(QString::fromLatin1(title));
        ASSERT_GE(place, 0) << title;
        chooseItem(*box, place);
        settle();
    }
    [[nodiscard]] const GraphScene& scene() const { return *canvas.scene(); }
    [[nodiscard]] const core::GraphNode& node(std::size_t box) const {
        return scene().graph().node(core::GraphNodeId(scene().diagram().boxes[box].id));
    }
    [[nodiscard]] std::size_t boxNamed(const std::string& title) const {
        const auto found = std::ranges::find(scene().labels(), title, &inspector::BoxLabel::title);
        EXPECT_NE(found, scene().labels().end()) << title;
        return static_cast<std::size_t>(found - scene().labels().begin());
    }
    [[nodiscard]] QPoint middleOf(std::size_t box) const {
        return canvas.view().toScreen(scene().boxRect(box).center()).toPoint();
    }
    void click(std::size_t box) {
        canvas.fitRect(scene().boxRect(box));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, middleOf(box));
        settle();
    }
    [[nodiscard]] QString details() const {
        return panel.findChild<visualizers::GraphDetailsPane*>()->plainText();
    }
    [[nodiscard]] QString text(const char* name) const {
        return panel.findChild<QLabel*>(QLatin1StringView(name))->text();
    }

    WindowDriver driver;
    studio::GraphPanel& panel;
    GraphCanvas& canvas;
};

TEST_F(GraphPanelTest, ShowsTheProgramWithItsDelegateOpened) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    EXPECT_GT(scene().diagram().boxes.size(), 50U);
    EXPECT_EQ(scene().diagram().groups.size(), 1U);
    EXPECT_EQ(scene().graph().group(scene().diagram().groups[0].id).kind, "delegate");
    EXPECT_EQ(text("graphStatus"), QString()) << "laid out by Graphviz";
    // Consumers are below producers, or in a column further right.
    for (const inspector::DiagramEdge& edge : scene().diagram().edges) {
        const QRectF& from = scene().boxRect(edge.from);
        const QRectF& to = scene().boxRect(edge.to);
        EXPECT_TRUE(from.top() < to.top() || from.right() < to.left());
    }
}

TEST_F(GraphPanelTest, AClickChoosesTheEventAndBack) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    const std::size_t box = boxNamed("add");
    click(box);
    EXPECT_EQ(canvas.currentBox(), box);
    visualizers::Selection& selection = driver.window().selection();
    EXPECT_TRUE(std::ranges::equal(selection.currentHandles(), node(box).debugHandles));
    EXPECT_TRUE(details().startsWith(QStringLiteral("add · features."))) << details().toStdString();
    EXPECT_TRUE(details().contains(QStringLiteral("mobilenetv2.py"))) << "the Python stack";
    EXPECT_TRUE(text("graphTrail").contains(QStringLiteral("XnnpackBackend 0")));

    const std::size_t other = boxNamed("conv2d");
    selection.setHandles("forward", node(other).debugHandles);
    ASSERT_TRUE(canvas.currentBox());
    EXPECT_EQ(node(*canvas.currentBox()).debugHandles, node(other).debugHandles);
    EXPECT_TRUE(canvas.marks().related[other]);
    EXPECT_TRUE(canvas.view().visible().contains(scene().boxRect(*canvas.currentBox())));
}

TEST_F(GraphPanelTest, TheRecordsGraphFollowsTheSameChoice) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    click(boxNamed("add"));
    const core::DebugHandle handle = node(*canvas.currentBox()).debugHandles.front();
    choose("Edge graph: forward");
    ASSERT_TRUE(canvas.currentBox());
    const auto& shown = scene().diagram().boxes[*canvas.currentBox()].nodes;
    EXPECT_TRUE(std::ranges::any_of(shown, [&](core::GraphNodeId id) {
        return std::ranges::contains(scene().graph().node(id).debugHandles, handle);
    }));
}

TEST_F(GraphPanelTest, GroupsOpenAndFoldInPlace) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    choose("Edge graph: forward");
    driver.trigger(QStringLiteral("Fold All Groups"));
    settle();
    const std::size_t folded = scene().diagram().boxes.size();
    const std::size_t box = boxNamed("features");
    const core::GraphGroupId group(scene().diagram().boxes[box].id);
    canvas.fitRect(scene().boxRect(box));
    const QPoint place = middleOf(box);
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, place);
    settle();
    EXPECT_GT(scene().diagram().boxes.size(), folded);
    ASSERT_TRUE(scene().frameOf(group));
    EXPECT_EQ(canvas.marks().frame, scene().frameOf(group)) << "it is still what is chosen";
    const auto frame = [&] { return scene().frameRect(*scene().frameOf(group)); };
    const auto pixel = [&](const QPointF& point) { return canvas.view().toScreen(point).toPoint(); };
    const std::size_t open = scene().diagram().boxes.size();
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, pixel(frame().bottomLeft() + QPointF(3, -3)));
    settle();
    EXPECT_EQ(scene().diagram().boxes.size(), open) << "it is shown whole instead of folded";
    EXPECT_TRUE(QRectF(canvas.rect()).contains(pixel(frame().center())));
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, pixel(frame().topLeft() + QPointF(30, 10)));
    settle();
    EXPECT_EQ(scene().diagram().boxes.size(), folded);
    EXPECT_EQ(canvas.currentBox(), scene().findFoldedBox(group));
}

TEST_F(GraphPanelTest, TheDelegateOpensToItsOwnGraph) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    driver.trigger(QStringLiteral("Fold All Groups"));
    settle();
    const std::size_t box = boxNamed("XnnpackBackend 0");
    EXPECT_EQ(scene().diagram().boxes[box].nodes.size(), 67U);
    click(box);
    EXPECT_EQ(driver.window().selection().currentOperator()->instruction.value, 0);
    driver.press(Qt::Key_Return);
    settle();
    EXPECT_GT(scene().diagram().boxes.size(), 60U);
}

TEST_F(GraphPanelTest, DelegatesWithoutPayloadReaderExpandToNodesOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto demo = sharedData() / "programs" / "demo_backend";
    open({demo / "addmul_partition.bpte", demo / "addmul_partition.etrecord"});
    const bool opened = std::ranges::any_of(scene().graph().groups(), [](const core::GraphGroup& group) {
        return group.kind == "delegate" &&
               std::ranges::contains(group.attributes, "shown", &core::GraphAttribute::name);
    });
    EXPECT_TRUE(opened);
}

TEST_F(GraphPanelTest, ArrowKeysWalkAlongTheLines) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    const std::size_t start = boxNamed("add");
    click(start);
    driver.press(Qt::Key_Down);
    const std::size_t next = *canvas.currentBox();
    EXPECT_TRUE(std::ranges::any_of(scene().edgesFrom(start), [&](std::size_t edge) {
        return scene().diagram().edges[edge].to == next;
    }));
    driver.press(Qt::Key_Up);
    EXPECT_EQ(canvas.currentBox(), start);
}

TEST_F(GraphPanelTest, TheWheelZoomsAtTheCursorAndKeysMove) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    driver.press(Qt::Key_Space);
    EXPECT_TRUE(canvas.view().visible().contains(canvas.view().content()));
    const QPoint at(canvas.width() / 2, canvas.height() / 3);
    const QPointF point = canvas.view().toPlane(at);
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 8 * 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    EXPECT_NEAR(canvas.view().toPlane(at).y(), point.y(), 1e-6);
    const QRectF seen = canvas.view().visible();
    driver.press(Qt::Key_Down, Qt::ControlModifier);
    EXPECT_GT(canvas.view().visible().top(), seen.top());
    driver.press(Qt::Key_Up, Qt::ControlModifier);
    EXPECT_NEAR(canvas.view().visible().top(), seen.top(), 1e-6);
    QTest::mousePress(&canvas, Qt::LeftButton, {}, at);
    QMouseEvent move(QEvent::MouseMove, QPointF(at) + QPointF(0, 50),
                     canvas.mapToGlobal(QPointF(at) + QPointF(0, 50)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&canvas, &move);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, at + QPoint(0, 50));
    EXPECT_NEAR(canvas.view().visible().top(), seen.top() - 50 / canvas.view().scale(), 1e-6);
    EXPECT_FALSE(canvas.currentBox()) << "a drag is no click";
}

TEST_F(GraphPanelTest, FindExpandsGroupsAroundMatches) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    choose("Edge graph: forward");
    driver.trigger(QStringLiteral("Fold All Groups"));
    settle();
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const edit = panel.findChild<QLineEdit*>(QStringLiteral("graphFind"));
    ASSERT_TRUE(edit->hasFocus());
    QTest::keyClicks(edit, QStringLiteral("op:add"));
    settle();
    EXPECT_EQ(text("graphFindCount"), QStringLiteral("10 nodes"));
    EXPECT_TRUE(canvas.marks().found[boxNamed("features")]) << "it hides them";
    QTest::keyClick(edit, Qt::Key_Return);
    settle();
    EXPECT_EQ(text("graphFindCount"), QStringLiteral("1 of 10"));
    ASSERT_TRUE(canvas.currentBox());
    EXPECT_EQ(scene().diagram().boxes[*canvas.currentBox()].kind, DiagramBox::Kind::Node);
    EXPECT_EQ(node(*canvas.currentBox()).kind, "aten.add.Tensor");
    QTest::keyClick(edit, Qt::Key_Return, Qt::ShiftModifier);
    settle();
    EXPECT_EQ(text("graphFindCount"), QStringLiteral("10 of 10"));
    edit->setText(QStringLiteral("("));
    settle();
    EXPECT_EQ(text("graphFindCount"), QStringLiteral("invalid regular expression"));
}

TEST_F(GraphPanelTest, TracingLeavesTheRestPale) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    const std::size_t start = boxNamed("add");
    click(start);
    const std::size_t after = *scene().walk(start, GraphScene::Step::ToOutput);
    canvas.fitRect(scene().boxRect(start).united(scene().boxRect(after)));
    const auto pixel = [&](std::size_t box) {
        const QRectF rect = canvas.view().toScreen(scene().boxRect(box));
        return canvas.grab().toImage().pixel((rect.topLeft() + QPointF(6, rect.height() / 2)).toPoint());
    };
    const QRgb bright = pixel(after);
    driver.press(Qt::Key_I);
    EXPECT_TRUE(canvas.marks().traced[start]);
    EXPECT_FALSE(canvas.marks().traced[after]);
    EXPECT_NE(pixel(after), bright);
    driver.press(Qt::Key_Escape);
    EXPECT_EQ(pixel(after), bright);
    driver.press(Qt::Key_O);
    EXPECT_TRUE(canvas.marks().traced[after]);
    click(boxNamed("linear"));
    driver.press(Qt::Key_P);
    EXPECT_TRUE(canvas.marks().traced[start] && canvas.marks().traced[after]);
    EXPECT_FALSE(canvas.marks().traced[0]) << "it stands before both";
}

TEST_F(GraphPanelTest, BoxesHaveTheColoursOfTheLegend) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    const std::size_t box = boxNamed("add");
    canvas.fitRect(scene().boxRect(box));
    const auto corner = [&] {
        const QRectF rect = canvas.view().toScreen(scene().boxRect(box));
        return canvas.grab().toImage().pixelColor((rect.topLeft() + QPointF(6, rect.height() / 2)).toPoint());
    };
    EXPECT_EQ(corner(), QColor(QString::fromStdString(canvas.colours().fills[box])));
    EXPECT_TRUE(text("graphLegend").contains(QStringLiteral("add")));
    auto* const overlay = panel.findChild<QComboBox*>(QStringLiteral("graphOverlay"));
    for (int i = 0; i < overlay->count(); ++i) {
        overlay->setCurrentIndex(i);
        EXPECT_EQ(canvas.colours().fills.size(), scene().diagram().boxes.size());
        EXPECT_FALSE(text("graphLegend").isEmpty()) << i;
    }
    overlay->setCurrentText(QStringLiteral("Partitions"));
    EXPECT_TRUE(text("graphLegend").contains(QStringLiteral("XnnpackBackend")));
}

TEST_F(GraphPanelTest, TimeIsThatOfTheTrace) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    driver.trigger(QStringLiteral("Fold All Groups"));
    settle();
    panel.findChild<QComboBox*>(QStringLiteral("graphOverlay"))->setCurrentText(QStringLiteral("Time"));
    const std::string& note = canvas.colours().notes[boxNamed("XnnpackBackend 0")];
    EXPECT_TRUE(note.contains("ms, 100.0 %")) << note;
}

TEST_F(GraphPanelTest, SavesTheVisibleGraph) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    const auto saved = [&](const char* name) {
        driver.trigger(QStringLiteral("Save the Graph as SVG, PNG, DOT or for Model Explorer…"));
        chooseInFileDialog(folder() / name);
        QFile written(QString::fromStdString((folder() / name).string()));
        EXPECT_TRUE(written.open(QIODevice::ReadOnly));
        return written.readAll();
    };
    EXPECT_TRUE(saved("a.svg").contains("XNNDepthwiseConv2d"));
    EXPECT_TRUE(saved("a.dot").startsWith("digraph"));
    const QImage picture = QImage::fromData(saved("a.png"));
    EXPECT_GE(picture.width(), 2 * scene().bounds().width()) << "the whole of it, twice as large";
    EXPECT_GE(picture.height(), 2 * scene().bounds().height());
    EXPECT_FALSE(panel.exporter().save(QString::fromStdString((folder() / "a.txt").string())).isEmpty());
    EXPECT_FALSE(panel.exporter().save(QStringLiteral("/nowhere/a.svg")).isEmpty());
    panel.exporter().copyPicture();
    EXPECT_FALSE(QApplication::clipboard()->image().isNull());
    click(boxNamed("add"));
    driver.press(Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("add · features.")));
}

TEST_F(GraphPanelTest, SavesTheGraphForModelExplorer) {
    ET_NEEDS_SHARED_DATA();
    openMobilenet();
    driver.trigger(QStringLiteral("Save the Graph as SVG, PNG, DOT or for Model Explorer…"));
    chooseInFileDialog(folder() / "model.json");
    const auto read = [&](const char* name) {
        QFile file(QString::fromStdString((folder() / name).string()));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return QJsonDocument::fromJson(file.readAll()).object();
    };
    const QJsonObject graph = read("model.json").value(QStringLiteral("graphs")).toArray().at(0).toObject();
    QSet<QString> ids;
    for (const QJsonValue& node : graph.value(QStringLiteral("nodes")).toArray()) {
        ids.insert(node[QStringLiteral("id")].toString());
    }
    EXPECT_GT(ids.size(), 100);
    for (const char* const name : {"model.time.json", "model.partition.json"}) {
        const QJsonObject data = read(name).value(graph.value(QStringLiteral("id")).toString()).toObject();
        const QStringList named = data.value(QStringLiteral("results")).toObject().keys();
        EXPECT_FALSE(named.isEmpty()) << name;
        EXPECT_TRUE(ids.contains(QSet<QString>(named.begin(), named.end()))) << name;
    }
}

TEST_F(GraphPanelTest, WithoutGraphvizThereAreRows) {
    qputenv("ET_INSPECT_LAYOUT", "/nowhere/et-layout");
    open(runSamplePaths());
    EXPECT_TRUE(text("graphStatus").startsWith(QStringLiteral("Simple layout")));
    EXPECT_GT(scene().diagram().boxes.size(), 1U);
}

TEST_F(GraphPanelTest, IsEmptyUntilThereIsAGraph) {
    EXPECT_FALSE(panel.hasContent());
    driver.open({write("small.etdp", smallTrace(2))});
    EXPECT_FALSE(panel.hasContent()) << "a trace alone has none";
    driver.enterPanel(QStringLiteral("Graph"));
    EXPECT_FALSE(canvas.scene());
    driver.press(Qt::Key_F);
    driver.press(Qt::Key_Down);
    driver.press(Qt::Key_Return);
    driver.press(Qt::Key_I);
}

TEST_F(GraphPanelTest, ShowsTimesOfOwnRun) {
    open(runSamplePaths());
    panel.findChild<QComboBox*>(QStringLiteral("graphOverlay"))->setCurrentText(QStringLiteral("Time"));
    EXPECT_TRUE(std::ranges::any_of(canvas.colours().notes,
                                    [](const std::string& note) { return note.contains(" ms, "); }));
    const auto count = panel.findChild<QComboBox*>(QStringLiteral("graphChoice"))->count();
    for (int i = 0; i < count; ++i) {
        auto* const box = panel.findChild<QComboBox*>(QStringLiteral("graphChoice"));
        chooseItem(*box, i);
        settle();
        EXPECT_TRUE(canvas.scene()) << box->currentText().toStdString();
    }
}

TEST_F(GraphPanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1280, 800);
    openMobilenet();
    panel.findChild<QComboBox*>(QStringLiteral("graphOverlay"))->setCurrentText(QStringLiteral("Time"));
    click(boxNamed("add"));
    takePictures(driver, "graph");
    panel.findChild<QComboBox*>(QStringLiteral("graphOverlay"))->setCurrentText(QStringLiteral("Operators"));
    choose("Edge graph: forward");
    driver.trigger(QStringLiteral("Fold All Groups"));
    settle();
    click(boxNamed("features"));
    driver.press(Qt::Key_Return);
    settle();
    click(boxNamed("features.3"));
    driver.press(Qt::Key_Return);
    settle();
    takePictures(driver, "graph_modules");
}

}  // namespace

}  // namespace et::test

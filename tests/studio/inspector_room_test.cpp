// The inspector: all that is known of what is chosen, wherever it was chosen.
#include "app/studio/inspector/inspector_room.h"

#include "app/studio/room_area.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QTest>
#include <QTextBrowser>
#include <QTreeView>
#include <QUrl>

#include <gtest/gtest.h>

namespace et::test {

namespace {

class InspectorRoomTest : public StudioTest {
  protected:
    InspectorRoomTest() : room(*driver.window().findChild<studio::InspectorRoom*>()) {
        driver.open(runSamplePaths());
        driver.enterPerspective("time");
        EXPECT_TRUE(QTest::qWaitFor([this] { return !room.busy(); }, 30'000));
    }

    /// The first event of this name.
    void choose(std::string_view name) {
        const auto blocks = driver.window().opened().blocks()->blocks();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            for (std::size_t j = 0; j < blocks[i].events.size(); ++j) {
                if (blocks[i].events[j].name == name) {
                    selection().setCurrent(visualizers::EventRef{i, j});
                    return;
                }
            }
        }
        ADD_FAILURE() << "no event " << name;
    }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }
    [[nodiscard]] bool says(const char* text) { return room.plainText().contains(QString::fromUtf8(text)); }

    WindowDriver driver;
    studio::InspectorRoom& room;
};

TEST_F(InspectorRoomTest, TellsTimesTensorsMemoryAndSource) {
    choose("native_call_convolution.out");
    EXPECT_TRUE(room.plainText().startsWith(QStringLiteral("conv2d · "))) << room.plainText().toStdString();
    for (const char* const part : {"native_call_convolution.out", "p50", "Inputs", "Outputs", "float32 [",
                                   "at offset", "Findings", "Python stack"}) {
        EXPECT_TRUE(says(part)) << part << " in\n" << room.plainText().toStdString();
    }
}

TEST_F(InspectorRoomTest, HeadingsLeadToTheirRooms) {
    choose("native_call_convolution.out");
    auto* const text = room.findChild<QTextBrowser*>();
    EXPECT_TRUE(text->toHtml().contains(QStringLiteral("room:memory")));
    emit text->anchorClicked(QUrl(QStringLiteral("room:memory")));
    QTest::qWait(0);
    EXPECT_EQ(driver.window().area().currentId(), "memory");
}

TEST_F(InspectorRoomTest, SumsUpSeveralEvents) {
    driver.enterRoom(QStringLiteral("Events"));
    driver.table().setFocus();
    driver.press(Qt::Key_A, Qt::ControlModifier);
    EXPECT_GT(selection().events().size(), 5U);
    EXPECT_TRUE(says("Together")) << room.plainText().toStdString();
    EXPECT_TRUE(says("100.0 %") || says("200.0 %")) << room.plainText().toStdString();
    driver.clickEvent(1);
    EXPECT_EQ(selection().events().size(), 1U);
    EXPECT_FALSE(says("Together"));
}

TEST_F(InspectorRoomTest, KnowsAnOperatorThatNoTraceHas) {
    for (const auto& path : runSamplePaths()) {
        if (path.extension() == ".pte") {
            driver.trigger(QStringLiteral("Close"));
            driver.open({path});
        }
    }
    ASSERT_EQ(driver.window().opened().blocks(), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !room.busy(); }, 30'000));
    selection().setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    EXPECT_TRUE(says("convolution")) << room.plainText().toStdString();
    EXPECT_TRUE(says("at offset"));
}

}  // namespace

}  // namespace et::test

// Tests of the inspector: details of the selection, wherever it was made.
#include "app/studio/inspector/inspector_panel.h"

#include "app/studio/inspector/operator_sections.h"
#include "app/studio/panel_area.h"
#include "app/studio/path_mappings.h"
#include "tests/studio/clicks.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QImage>
#include <QRegularExpression>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTreeView>
#include <QUrl>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace et::test {

namespace {

class InspectorPanelTest : public StudioTest {
  protected:
    InspectorPanelTest() : panel(*driver.window().findChild<studio::InspectorPanel*>()) {
        driver.open(runSamplePaths());
        driver.enterPerspective("time");
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
    }

    /// Selects the first event with this name.
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
    [[nodiscard]] bool says(const char* text) { return panel.plainText().contains(QString::fromUtf8(text)); }

    WindowDriver driver;
    studio::InspectorPanel& panel;
};

TEST_F(InspectorPanelTest, ShowsTimesTensorsMemoryAndSource) {
    choose("native_call_convolution.out");
    EXPECT_TRUE(panel.plainText().startsWith(QStringLiteral("conv2d · "))) << panel.plainText().toStdString();
    for (const char* const part : {"native_call_convolution.out", "p50", "Inputs", "Outputs", "float32 [",
                                   "at offset", "Findings", "Python stack"}) {
        EXPECT_TRUE(says(part)) << part << " in\n" << panel.plainText().toStdString();
    }
}

TEST_F(InspectorPanelTest, ShowsSourceContextIfTheFileExists) {
    std::string recorded;
    std::int64_t line = 0;
    for (const auto& block : driver.window().opened().blocks()->blocks()) {
        for (const auto& event : block.events) {
            for (const auto& frame : studio::sourceFrames(block, event)) {
                if (recorded.empty() && event.name == "native_call_convolution.out") {
                    recorded = frame.path;
                    line = frame.line;
                }
            }
        }
    }
    ASSERT_FALSE(recorded.empty());
    std::string text;
    for (std::int64_t i = 1; i < line + 9; ++i) {
        text += "    line_number(" + std::to_string(i) + ")\n";
    }
    const auto file = write(std::filesystem::path(recorded).filename().string(), text);
    studio::storeMappings(driver.store(), {inspector::mappingBetween(recorded, file)});
    choose("native_call_convolution.out");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
    for (const std::int64_t shown : {line - 2, line, line + 2}) {
        const std::string wanted = "line_number(" + std::to_string(shown) + ")";
        EXPECT_TRUE(says(wanted.c_str())) << wanted << " in\n" << panel.plainText().toStdString();
    }
    EXPECT_TRUE(says(("▸" + std::to_string(line)).c_str())) << "an arrow at the line itself";
    EXPECT_FALSE(says(("line_number(" + std::to_string(line + 3) + ")").c_str()));
}

TEST_F(InspectorPanelTest, ShowsSmallPicturesOfTensors) {
    choose("native_call_convolution.out");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
    auto* const text = panel.findChild<QTextBrowser*>();
    EXPECT_TRUE(says("Weights"));
    const QRegularExpression pictures(QStringLiteral("tensor:(\\d+)"));
    const auto found = pictures.match(text->toHtml());
    ASSERT_TRUE(found.hasMatch()) << text->toHtml().toStdString();
    const QVariant image = text->document()->resource(QTextDocument::ImageResource, QUrl(found.captured(0)));
    EXPECT_GT(image.value<QImage>().width(), 1);
    EXPECT_LE(image.value<QImage>().width(), 128);
}

TEST_F(InspectorPanelTest, HeadingsLeadToTheirPanels) {
    choose("native_call_convolution.out");
    auto* const text = panel.findChild<QTextBrowser*>();
    EXPECT_TRUE(text->toHtml().contains(QStringLiteral("panel:memory")));
    ASSERT_TRUE(clickLink(*text, QStringLiteral("panel:memory")));
    QTest::qWait(0);
    EXPECT_EQ(driver.window().area().currentId(), "memory");
}

TEST_F(InspectorPanelTest, SumsUpSeveralEvents) {
    driver.enterPanel(QStringLiteral("Events"));
    driver.table().setFocus();
    driver.press(Qt::Key_A, Qt::ControlModifier);
    EXPECT_GT(selection().events().size(), 5U);
    EXPECT_TRUE(says("Together")) << panel.plainText().toStdString();
    EXPECT_TRUE(says("100.0 %") || says("200.0 %")) << panel.plainText().toStdString();
    driver.clickEvent(1);
    EXPECT_EQ(selection().events().size(), 1U);
    EXPECT_FALSE(says("Together"));
}

TEST_F(InspectorPanelTest, ShowsOperatorMissingFromTheTrace) {
    for (const auto& path : runSamplePaths()) {
        if (path.extension() == ".pte") {
            driver.trigger(QStringLiteral("Close"));
            driver.open({path});
        }
    }
    ASSERT_EQ(driver.window().opened().blocks(), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
    selection().setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    EXPECT_TRUE(says("convolution")) << panel.plainText().toStdString();
    EXPECT_TRUE(says("at offset"));
}

}  // namespace

}  // namespace et::test

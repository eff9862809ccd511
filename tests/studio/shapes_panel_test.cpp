// Tests of trying out the input sizes of a program in the window.
#include "app/studio/shapes/shapes_panel.h"

#include "app/studio/panel_area.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/shapes/size_plot.h"
#include "visualizers/shapes/tried_rows.h"
#include "visualizers/toolkit/report_table.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::readShapeStudy;

constexpr const char* madeUpStudy = R"({"schema": 1, "file": "m.pte", "method": "forward",
"dimensions": [{"name": "s0", "min": 1, "min_from": "record", "max": 8, "max_from": "program", "typical": 4}],
"failed": 1, "cases": [
 {"place": "typical", "what": "s0 = 4", "verdict": "pass", "reason": "", "culprit": ""},
 {"place": "maximum", "what": "s0 = 8", "verdict": "fail", "reason": "3 elements", "culprit": "mul.out"}],
"curves": [{"dimension": "s0", "sizes": [1, 8, 4], "p50_ns": [1000, 9000, 2000],
 "working_bytes": [64, null, 256], "peak_bytes": [1, 1, 1],
 "time": {"base": 500, "slope": 400, "linear_until": 4, "bends": [{"operator": "mul.out", "excess": 5000}],
  "steps": []}, "memory": {}}]})";

class ShapesPanelTest : public StudioTest {
  protected:
    ShapesPanelTest() : panel(*driver.window().findChild<studio::ShapesPanel*>()) {
        driver.window().resize(1100, 700);
    }
    void openDynamic() {
        const auto set = sharedData() / "programs2" / "encoder_dyn";
        driver.open({set / "xnnpack_q8.bpte", set / "xnnpack_q8.etrecord"});
        driver.enterPanel(QStringLiteral("Shapes"));
        ASSERT_TRUE(panel.hasContent());
    }
    void tryThem() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.running(); }, 120'000)) << "it does not end";
    }
    void useScript(const std::string& text) {
        const auto script = write("script", std::string_view(text));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        driver.useProgram(script);
    }
    [[nodiscard]] QString hint() { return panel.findChild<QLabel*>(QStringLiteral("shapesHint"))->text(); }

    WindowDriver driver;
    studio::ShapesPanel& panel;
};

TEST(ShapeStudy, ReportsReadErrors) {
    EXPECT_FALSE(readShapeStudy("{}"));
    EXPECT_FALSE(readShapeStudy("not JSON"));
    EXPECT_FALSE(readShapeStudy(R"({"schema": 1, "curves": [{"sizes": [1, 2], "p50_ns": [1]}]})"));
    const auto read = readShapeStudy(madeUpStudy);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->curves.size(), 1U);
    EXPECT_EQ(read->curves.front().points[1].size, 4) << "by size";
    EXPECT_EQ(read->curves.front().points[2].bytes, std::nullopt);
}

TEST_F(ShapesPanelTest, ShowsWhyNoShapesCanBeTested) {
    EXPECT_TRUE(hint().contains(QStringLiteral("Open a program")));
    driver.open(runSamplePaths());
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(hint().contains(QStringLiteral("fixed"))) << hint().toStdString();
}

TEST_F(ShapesPanelTest, ShowsResultOfTheProcess) {
    ET_NEEDS_SHARED_DATA();
    openDynamic();
    useScript(std::string("#!/bin/sh\ncat << 'END'\n") + madeUpStudy + "\nEND\nexit 1\n");
    tryThem();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("1 of 2 sizes fail")))
        << panel.summary().toStdString();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("s0 from 1 (record) to 8 (program)")));
    const auto& rows = panel.table().model().rows().table.rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(rows.front().front()), "fail") << "those that fail come first";
    EXPECT_EQ(panel.plot().summary(), QStringLiteral("s0: the time is linear up to 4 of 8"));
    EXPECT_TRUE(panel.notes().contains(QStringLiteral("mul.out: 5.000 µs above the linear fit")))
        << panel.notes().toStdString();
    const QPointF last = panel.plot().placeOf(2);
    EXPECT_EQ(panel.plot().itemAt(last), 2U);
    EXPECT_LT(last.y(), panel.plot().placeOf(0).y()) << "more time is higher";
    EXPECT_TRUE(panel.plot().tipAt(last.toPoint()).contains(QStringLiteral("s0 = 8")));
    QTest::mouseClick(&panel.plot(), Qt::LeftButton, {}, last.toPoint());
    QTest::keyClick(&panel.plot(), Qt::Key_Left);
    EXPECT_TRUE(panel.plot().spokenValue().startsWith(QStringLiteral("s0 = 4")))
        << panel.plot().spokenValue().toStdString();
}

TEST_F(ShapesPanelTest, ReportsCrashAndCancelsHang) {
    ET_NEEDS_SHARED_DATA();
    openDynamic();
    useScript("#!/bin/sh\nkill -SEGV $$\n");
    tryThem();
    EXPECT_TRUE(hint().contains(QStringLiteral("crashed"))) << hint().toStdString();
    useScript("#!/bin/sh\nexec sleep 1000\n");
    driver.press(Qt::Key_F9);
    EXPECT_TRUE(panel.running());
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.running(); }, 30'000));
    EXPECT_TRUE(hint().contains(QStringLiteral("Runs and measures"))) << hint().toStdString();
}

TEST_F(ShapesPanelTest, ARealModelIsTriedAndTakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    openDynamic();
    panel.findChild<QLineEdit*>(QStringLiteral("shapesRange"))->setText(QStringLiteral("s27=2..128:14"));
    tryThem();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("all pass"))) << panel.summary().toStdString();
    EXPECT_GE(panel.table().model().rows().table.rows.size(), 10U);
    takePictures(driver, "shapes");
}

}  // namespace

}  // namespace et::test

// Tests of the axes of a memory plan and their visible ranges.
#include "visualizers/memory/plan_image.h"
#include "visualizers/toolkit/zoom_range.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace et::test {

namespace {

using inspector::PlanAxis;
using inspector::PlanBox;
using visualizers::PlanWindow;
using visualizers::ZoomRange;

TEST(PlanAxis, StepsStandEvenly) {
    const PlanAxis axis(3);
    EXPECT_EQ(axis.length(), 5);
    EXPECT_EQ(axis.startOf(-1), 0);
    EXPECT_EQ(axis.startOf(0), 1);
    EXPECT_EQ(axis.endOf(3), 5);
    EXPECT_EQ(axis.lastStep(), 3);
    EXPECT_EQ(axis.stepAt(-7), -1);
    EXPECT_EQ(axis.stepAt(0.5), -1);
    EXPECT_EQ(axis.stepAt(1), 0);
    EXPECT_EQ(axis.stepAt(100), 3);
    EXPECT_EQ(axis.endOf(100), 5) << "outside is the end";
}

TEST(PlanAxis, OverTimeAStepIsAsLongAsItTook) {
    const PlanAxis axis(inspector::StepTimes{.begins = {0, 10, 10, 40, 50, 60}});
    EXPECT_TRUE(axis.isTime());
    EXPECT_EQ(axis.length(), 60);
    EXPECT_EQ(axis.stepAt(10), 1) << "step 0 took no time";
    EXPECT_EQ(axis.stepAt(45), 2);
    EXPECT_EQ(axis.endOf(1), 40);
}

TEST(PlanAxis, TicksAreInstructionsOrRoundTimes) {
    const auto labels = [](const std::vector<inspector::plot::Tick>& ticks) {
        std::vector<std::string> out;
        for (const inspector::plot::Tick& tick : ticks) {
            out.push_back(tick.label);
        }
        return out;
    };
    const PlanAxis steps(8);
    EXPECT_EQ(labels(steps.ticks(0, 10, 3)), (std::vector<std::string>{"0", "5"}));
    EXPECT_EQ(labels(steps.ticks(0, 10, 0.1)).size(), 8U);
    EXPECT_EQ(steps.ticks(6, 10, 3).front().place, 0.6) << "instruction 5 is one step after the start";
    const PlanAxis times(inspector::StepTimes{.begins = {0, 1000, 2000, 4000}}, 1000,
                         inspector::TimeScale::Microseconds);
    EXPECT_EQ(labels(times.ticks(0, 4000, 1500)), (std::vector<std::string>{"0 µs", "2 µs", "4 µs"}));
}

TEST(ZoomRange, ZoomsAroundAPixelWithinTheAxis) {
    ZoomRange range(1000, 10, 100);
    EXPECT_EQ(range.perPixel(), 10);
    range.zoom(0.5, 25);
    EXPECT_EQ(range.valueAt(25), 250);
    EXPECT_EQ(range.to() - range.from(), 500);
    range.zoom(1e-9, 50);
    EXPECT_EQ(range.to() - range.from(), 10) << "no closer than that";
    range.pan(-1e9);
    EXPECT_EQ(range.from(), 0);
    range.show(100, 200, 0.5);
    EXPECT_EQ(range.from(), 50);
    EXPECT_EQ(range.to(), 250);
    range.zoom(1e9, 0);
    EXPECT_EQ(range.to() - range.from(), 1000);
    ZoomRange tiny(3, 10, 0);
    EXPECT_EQ(tiny.to(), 3) << "shorter than the closest look";
    EXPECT_EQ(tiny.pixels(), 1);
}

TEST(PlanImage, BoxesStandAtTheirStepsAndOffsets) {
    const PlanWindow window{.axis = PlanAxis(8), .x = ZoomRange(10, 1, 100), .y = ZoomRange(100, 1, 100)};
    const std::vector<PlanBox> boxes{{.tensor = 0, .first = 0, .last = 3, .offset = 10, .bytes = 50},
                                     {.tensor = 1, .first = 5, .last = 5, .offset = 0, .bytes = 1}};
    EXPECT_EQ(window.rectOf(boxes[0]), QRectF(10, 40, 40, 50));
    EXPECT_GE(window.rectOf(boxes[1]).height(), 1) << "none is too small to be seen";
    const std::vector<QRgb> colours{0xff112233, 0xff445566};
    const QImage image = planImage(window, boxes, colours, 2);
    EXPECT_EQ(image.size(), QSize(200, 200)) << "two dots a pixel";
    EXPECT_EQ(image.pixel(60, 120), colours[0]);
    EXPECT_EQ(image.pixel(60, 60), 0U) << "the ground is transparent";
    EXPECT_EQ(image.pixel(121, 199), colours[1]);
}

TEST(PlanImage, ThousandsOfOverlappingBoxesDoNotTakeForEver) {
    const PlanWindow window{.axis = PlanAxis(8), .x = ZoomRange(10, 1, 1000), .y = ZoomRange(100, 1, 1000)};
    const std::vector<PlanBox> boxes(50'000,
                                     {.tensor = 0, .first = -1, .last = 8, .offset = 0, .bytes = 100});
    const std::vector<QRgb> colours{0xff112233};
    EXPECT_EQ(planImage(window, boxes, colours, 1).pixel(500, 500), colours[0]);
}

}  // namespace

}  // namespace et::test

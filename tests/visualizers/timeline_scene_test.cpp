// Tests of navigation from one span of a timeline to the next.
#include "visualizers/timeline/timeline_scene.h"

#include "etdump/writer.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_widget.h"

#include <gtest/gtest.h>

#include <set>

namespace et::visualizers {

namespace {

std::shared_ptr<const Timeline> timelineOf(etdump::TraceWriter& writer) {
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    return Timeline::build(inspector::EventBlocks::build(trace).value());
}

/// A run with an operator of some length, three of zero length that start together, and a last one.
std::shared_ptr<const Timeline> withEmptySpans() {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("first", {.instruction = 0, .chain = 0}, 1010, 1020);
    for (const int instruction : {1, 2, 3}) {
        writer.profile("empty", {.instruction = instruction, .chain = 0}, 1030, 1030);
    }
    writer.profile("last", {.instruction = 4, .chain = 0}, 1040, 1050);
    writer.profile("Method::execute", {.instruction = 0}, 1000, 1100);
    return timelineOf(writer);
}

TEST(TimelineGenerationTest, ExecutionsHaveTheirPhaseInALaneOnTop) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_mm.out", {.instruction = 0, .chain = 0}, 1010, 1020);
    writer.profile("Method::execute", {.instruction = 0}, 1000, 1100);
    writer.beginRun("Generate");
    writer.profile("prefill 0: position 0, 12 tokens", {}, 990, 1110);
    writer.profile("sample 0: position 12", {}, 1110, 1120);
    const auto timeline = timelineOf(writer);
    ASSERT_EQ(timeline->lanes.size(), 3U);
    EXPECT_EQ(timeline->labels[0].kind, LaneKind::Generation);
    EXPECT_FALSE(timeline->labels[0].title.empty());
    EXPECT_EQ(timeline->labels[1].kind, LaneKind::Phases);
    ASSERT_EQ(timeline->lanes[0].spans().size(), 2U);
    const SpanName& name = timeline->spanName(timeline->lanes[0].spans()[0]);
    EXPECT_EQ(name.text, "prefill · position 0, 12 tokens");
    EXPECT_EQ(name.operatorText(), "prefill") << "all of a phase have one colour";
    EXPECT_EQ(name.file, "prefill 0: position 0, 12 tokens");
}

class TimelineSceneTest : public testing::Test {
  protected:
    TimelineSceneTest() { scene.setTimeline(0, withEmptySpans()); }

    [[nodiscard]] std::string_view nameOf(const SpanRef& place) const {
        return scene.timeline()->nameOf(scene.spanOf(place));
    }

    TimelineScene scene;
};

TEST_F(TimelineSceneTest, StepsThroughSpansThatShareAStart) {
    std::optional<SpanRef> place = SpanRef{.layer = 0, .lane = 1, .span = 0};
    ASSERT_EQ(scene.timeline()->lanes[1].spans().size(), 5U);
    std::set<etdump::EventIndex> seen;
    for (int step = 0; step < 4; ++step) {
        EXPECT_TRUE(seen.insert(scene.spanOf(*place).event).second) << "stuck at step " << step;
        place = scene.beside(place, 1);
    }
    EXPECT_EQ(nameOf(*place), "last");
    EXPECT_EQ(scene.beside(place, 1), place) << "there is no next one";
    for (int step = 0; step < 4; ++step) {
        place = scene.beside(place, -1);
    }
    EXPECT_EQ(nameOf(*place), "first");
    EXPECT_EQ(scene.beside(place, -1), place);
}

TEST_F(TimelineSceneTest, MatchesThatShareAStartAreAllFound) {
    scene.setSearch(QStringLiteral("EMPTY"));
    std::optional<SpanRef> place;
    std::set<etdump::EventIndex> seen;
    for (int match = 0; match < 3; ++match) {
        place = scene.nextMatch(place, true);
        ASSERT_TRUE(place);
        EXPECT_EQ(nameOf(*place), "empty");
        EXPECT_TRUE(seen.insert(scene.spanOf(*place).event).second) << "match " << match;
    }
    EXPECT_FALSE(scene.nextMatch(place, true));
    EXPECT_TRUE(scene.nextMatch(place, false));
    scene.setSearch({});
    EXPECT_FALSE(scene.nextMatch(std::nullopt, true)) << "nothing is searched";
}

TEST_F(TimelineSceneTest, FindsTheSpanOfARowAndTheRowOfASpan) {
    const SpanRef last{.layer = 0, .lane = 1, .span = 4};
    const auto row = scene.rowOf(last);
    ASSERT_TRUE(row);
    EXPECT_EQ(scene.spanOfRow(*row), last);
    EXPECT_EQ(scene.spanAt(0, 1, 45), last);
    EXPECT_FALSE(scene.spanAt(0, 1, 60));
}

TEST_F(TimelineSceneTest, ASecondTimelineLeadsToTheRowsOfTheFirst) {
    scene.setTimeline(1, withEmptySpans());
    scene.align(std::nullopt);
    const SpanRef other{.layer = 1, .lane = 1, .span = 4};
    EXPECT_EQ(scene.rowOf(other), scene.rowOf({.layer = 0, .lane = 1, .span = 4}));
    EXPECT_EQ(scene.layer(1).shift, 0) << "both begin together";
    EXPECT_EQ(scene.beside(other, -1)->layer, 1U);
}

/// The rows of pins are of the trace that they were made in, until the window has linked its notes again.
TEST(TimelineWidgetTest, PinsOfALongerTraceAreHiddenInAShorterOne) {
    const OpenSession opened;
    Selection selection(opened);
    TimelineWidget widget(selection);
    widget.resize(800, 300);
    widget.setTimeline(withEmptySpans());
    const auto last = widget.content().rowOf({.layer = 0, .lane = 1, .span = 4});
    ASSERT_TRUE(last);
    widget.setPins({{.row = last}, {.row = EventRef{.block = 3, .event = 0}}});
    EXPECT_EQ(widget.content().pins().back().start, 40U);
    EXPECT_TRUE(widget.navigation().goToPin(true));
    etdump::TraceWriter shorter;
    shorter.beginRun("Execute");
    shorter.profile("first", {.instruction = 0, .chain = 0}, 1010, 1020);
    widget.setTimeline(timelineOf(shorter));
    for (const TimelinePin& pin : widget.content().pins()) {
        EXPECT_FALSE(pin.start);
    }
    EXPECT_FALSE(widget.navigation().goToPin(true));
    EXPECT_FALSE(widget.grab().isNull()) << "it is painted without them";
}

}  // namespace

}  // namespace et::visualizers

#include "visualizers/selection.h"

#include "tests/studio/studio_fixture.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

namespace {

std::shared_ptr<const inspector::Session> sessionOf(std::shared_ptr<const inspector::EventBlocks> blocks) {
    auto session = std::make_shared<inspector::Session>();
    session->blocks = std::move(blocks);
    return session;
}

TEST(Selection, HoldsOnlyEventsOfItsSession) {
    Selection selection;
    selection.setCurrent(EventRef{0, 0});
    EXPECT_EQ(selection.current(), std::nullopt) << "nothing is open";
    selection.setSession(sessionOf(test::smallBlocks()));
    selection.setCurrent(EventRef{1, 2});
    ASSERT_NE(selection.currentEvent(), nullptr);
    EXPECT_EQ(selection.currentEvent()->name, "Convolution (NHWC) #1");
    EXPECT_EQ(selection.currentBlock()->name, "Execute");
    selection.setCurrent(EventRef{1, 99});
    EXPECT_EQ(selection.current(), std::nullopt);
    EXPECT_EQ(selection.currentEvent(), nullptr);
}

TEST(Selection, SaysEachChangeOnce) {
    Selection selection;
    selection.setSession(sessionOf(test::smallBlocks()));
    const QSignalSpy changes(&selection, &Selection::currentChanged);
    selection.setCurrent(EventRef{1, 2});
    selection.setCurrent(EventRef{1, 2});
    EXPECT_EQ(changes.count(), 1);
}

TEST(Selection, KeepsTheChoiceWhenTheSameEventIsThereAgain) {
    Selection selection;
    selection.setSession(sessionOf(test::smallBlocks(3)));
    selection.setCurrent(EventRef{1, 2});
    selection.setSession(sessionOf(test::smallBlocks(4)));
    EXPECT_EQ(selection.current(), (EventRef{1, 2}));
    selection.setSession(nullptr);
    EXPECT_EQ(selection.current(), std::nullopt);
}

std::shared_ptr<const inspector::GapReport> gapOf(const std::vector<std::string>& sets) {
    auto report = std::make_shared<inspector::GapReport>();
    report->inputs = sets.front();
    for (std::size_t i = 1; i < sets.size(); ++i) {
        report->otherSets.push_back({.inputs = sets[i], .rows = {}});
    }
    return report;
}

TEST(Selection, TheSetOfAGapIsAChoiceLikeOthers) {
    Selection selection;
    selection.setGap(gapOf({"case", "random:1"}));
    const QSignalSpy whole(&selection, &Selection::gapChanged);
    const QSignalSpy shown(&selection, &Selection::shownGapChanged);
    const Choice first = selection.choice();
    selection.setGapSet(1);
    EXPECT_EQ(selection.gap()->inputs, "random:1");
    selection.setGapSet(2);
    EXPECT_EQ(selection.gapSet(), 1U) << "there is no such set";
    selection.setGapSet(std::nullopt);
    EXPECT_EQ(selection.gap()->inputs, "worst of all");
    selection.setChoice(first);
    EXPECT_EQ(selection.gap()->inputs, "case");
    EXPECT_EQ(shown.count(), 3);
    EXPECT_EQ(whole.count(), 0);
}

TEST(Selection, ANewGapShowsTheSetOfTheSameName) {
    Selection selection;
    selection.setGap(gapOf({"case", "random:1"}));
    selection.setGapSet(1);
    selection.setGap(gapOf({"case", "extreme:zeros", "random:1"}));
    EXPECT_EQ(selection.gapSet(), 2U);
    selection.setGap(gapOf({"case"}));
    EXPECT_EQ(selection.gapSet(), 0U);
    EXPECT_EQ(selection.gap(), selection.wholeGap());
}

TEST(Selection, OnlyAGapThatIsThereBecomesStale) {
    Selection selection;
    selection.setGapStale(true);
    EXPECT_FALSE(selection.gapIsStale());
    selection.setGap(gapOf({"case"}));
    selection.setGapStale(true);
    EXPECT_TRUE(selection.gapIsStale());
    selection.setGap(gapOf({"case"}));
    EXPECT_FALSE(selection.gapIsStale());
}

class SelectionOfFiles : public test::StudioTest {};

TEST_F(SelectionOfFiles, ChosenDebugHandlesBringTheEventThatIsMostlyTheirs) {
    Selection selection;
    selection.setSession(test::openSession(sample()));
    const inspector::EventBlocks& blocks = *selection.blocks();
    std::size_t tried = 0;
    for (const inspector::Block& block : blocks.blocks()) {
        for (const inspector::Event& event : block.events) {
            if (!event.handles.empty()) {
                selection.setHandles(std::string(block.method), {event.handles.begin(), event.handles.end()});
                ASSERT_NE(selection.currentEvent(), nullptr) << event.name;
                EXPECT_TRUE(std::ranges::equal(selection.currentEvent()->handles, event.handles))
                    << event.name;
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 0U);
}

TEST(Selection, DebugHandlesOfNoEventAreChosenAlone) {
    Selection selection;
    selection.setSession(sessionOf(test::smallBlocks()));
    selection.setHandles("forward", {core::DebugHandle(4711), core::DebugHandle(4711)});
    EXPECT_EQ(selection.current(), std::nullopt) << "no event has it";
    ASSERT_EQ(selection.currentHandles().size(), 1U);
    EXPECT_EQ(selection.currentHandles().front(), core::DebugHandle(4711));
    selection.setCurrent(EventRef{1, 0});
    EXPECT_TRUE(selection.currentHandles().empty()) << "an event brings its own: none here";
}

TEST(Selection, AnEventAndItsInstructionAreChosenTogether) {
    Selection selection;
    selection.setSession(sessionOf(test::smallBlocks()));
    selection.setCurrent(EventRef{1, 2});
    ASSERT_TRUE(selection.currentOperator());
    EXPECT_EQ(selection.currentOperator()->instruction, core::InstructionId(1));
    selection.setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    ASSERT_NE(selection.currentEvent(), nullptr);
    EXPECT_EQ(selection.currentEvent()->name, "native_call_add.out");
    selection.setOperator({.method = "forward", .instruction = core::InstructionId(77)});
    EXPECT_EQ(selection.currentEvent(), nullptr) << "the trace has no such instruction";
    EXPECT_EQ(selection.currentOperator()->instruction, core::InstructionId(77));
    selection.setCurrent(std::nullopt);
    selection.setCurrent(EventRef{0, 0});
    EXPECT_EQ(selection.currentOperator(), std::nullopt) << "Method::init is no instruction";
}

TEST(Selection, ARangeIsOfItsTrace) {
    Selection selection;
    const auto session = sessionOf(test::smallBlocks());
    selection.setSession(session);
    const QSignalSpy changes(&selection, &Selection::rangeChanged);
    selection.setRange(TickRange{5, 10});
    selection.setRange(TickRange{5, 10});
    EXPECT_EQ(changes.count(), 1);
    auto otherUnit = std::make_shared<inspector::Session>(*session);
    selection.setSession(otherUnit);
    EXPECT_EQ(selection.range(), (TickRange{5, 10})) << "the same trace";
    selection.setSession(nullptr);
    EXPECT_EQ(selection.range(), std::nullopt);
}

TEST(Selection, WhatIsChosenByItselfIsOfItsModel) {
    Selection selection;
    auto session = std::make_shared<inspector::Session>();
    session->files.program = "model.pte";
    selection.setSession(session);
    const OperatorRef chosen{.method = "forward", .instruction = core::InstructionId(7)};
    const std::vector handles{core::DebugHandle(3), core::DebugHandle(5)};
    selection.setOperator(chosen);
    selection.setSession(std::make_shared<inspector::Session>(*session));
    EXPECT_EQ(selection.currentOperator(), chosen) << "read again";
    selection.setHandles("forward", handles);
    selection.setSession(std::make_shared<inspector::Session>(*session));
    EXPECT_TRUE(std::ranges::equal(selection.currentHandles(), handles)) << "read again";
    session->files.program = "another.pte";
    selection.setSession(session);
    EXPECT_TRUE(selection.currentHandles().empty());
    EXPECT_EQ(selection.currentOperator(), std::nullopt);
}

TEST(Selection, HoldsOnlyCasesOfItsBundle) {
    auto bundle = std::make_shared<bundled_program::Bundle>();
    bundle->suites = {{.method = "forward", .cases = {{}, {}}}};
    auto session = std::make_shared<inspector::Session>();
    session->bundle = bundle;
    Selection selection;
    selection.setCase(CaseRef{0, 0});
    EXPECT_EQ(selection.currentCase(), std::nullopt) << "nothing is open";
    selection.setSession(session);
    selection.setCase(CaseRef{0, 1});
    EXPECT_EQ(selection.currentCase(), (CaseRef{0, 1}));
    selection.setCase(CaseRef{0, 2});
    EXPECT_EQ(selection.currentCase(), std::nullopt);
}

}  // namespace

}  // namespace et::visualizers

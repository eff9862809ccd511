#include "visualizers/selection.h"

#include "tests/studio/studio_fixture.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

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

}  // namespace

}  // namespace et::visualizers

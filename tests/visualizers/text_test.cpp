#include "visualizers/toolkit/text.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(UnitText, IsTheUnitsSign) {
    EXPECT_EQ(unitText(inspector::TimeScale::Microseconds), QStringLiteral("µs"));
    EXPECT_EQ(unitText(inspector::TimeScale::Milliseconds), QStringLiteral("ms"));
    EXPECT_EQ(unitText(inspector::TimeScale::Cycles), QStringLiteral("cycles"));
}

TEST(Counted, OneIsNotMany) {
    const QString one = QStringLiteral("1 run");
    const QString many = QStringLiteral("%1 runs");
    EXPECT_EQ(counted(1, one, many), QStringLiteral("1 run"));
    EXPECT_EQ(counted(0, one, many), QStringLiteral("0 runs"));
    EXPECT_EQ(counted(20, one, many), QStringLiteral("20 runs"));
}

TEST(ToQString, WritesWhatIsNoTextAsNumbers) {
    EXPECT_EQ(toQString("a\x01z"), QStringLiteral("a\\x01z"));
    EXPECT_EQ(toQStringLines("a\n\tb"), QStringLiteral("a\n    b"));
}

}  // namespace

}  // namespace et::visualizers

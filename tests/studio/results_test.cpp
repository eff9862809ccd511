#include "visualizers/results.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

namespace {

std::shared_ptr<const inspector::GapReport> gapOf(const std::vector<std::string>& sets) {
    auto report = std::make_shared<inspector::GapReport>();
    report->inputs = sets.front();
    for (std::size_t i = 1; i < sets.size(); ++i) {
        report->otherSets.push_back({.inputs = sets[i], .rows = {}});
    }
    return report;
}

TEST(Results, AnySetOfAGapCanBeShown) {
    const OpenSession opened;
    Results results(opened);
    results.setGap(gapOf({"case", "random:1"}));
    const QSignalSpy whole(&results, &Results::gapChanged);
    const QSignalSpy shown(&results, &Results::shownGapChanged);
    results.setGapSet(1);
    EXPECT_EQ(results.gap()->inputs, "random:1");
    results.setGapSet(2);
    EXPECT_EQ(results.gapSet(), 1U) << "there is no such set";
    results.setGapSet(std::nullopt);
    EXPECT_EQ(results.gap()->inputs, "worst of all");
    results.setGapSet(0);
    EXPECT_EQ(results.gap()->inputs, "case");
    EXPECT_EQ(shown.count(), 3);
    EXPECT_EQ(whole.count(), 0);
}

TEST(Results, ANewGapShowsTheSetOfTheSameName) {
    const OpenSession opened;
    Results results(opened);
    results.setGap(gapOf({"case", "random:1"}));
    results.setGapSet(1);
    results.setGap(gapOf({"case", "extreme:zeros", "random:1"}));
    EXPECT_EQ(results.gapSet(), 2U);
    results.setGap(gapOf({"case"}));
    EXPECT_EQ(results.gapSet(), 0U);
    EXPECT_EQ(results.gap(), results.wholeGap());
}

TEST(Results, OnlyAGapThatIsThereBecomesStale) {
    const OpenSession opened;
    Results results(opened);
    results.setGapStale(true);
    EXPECT_FALSE(results.gapIsStale());
    results.setGap(gapOf({"case"}));
    results.setGapStale(true);
    EXPECT_TRUE(results.gapIsStale());
    results.setGap(gapOf({"case"}));
    EXPECT_FALSE(results.gapIsStale());
}

TEST(Results, BelongToTheirFiles) {
    OpenSession opened;
    Results results(opened);
    auto session = std::make_shared<inspector::Session>();
    session->files.program = "model.pte";
    session->bundle = std::make_shared<bundled_program::Bundle>();
    opened.open(session);
    results.setGap(gapOf({"case"}));
    results.setVerdicts(std::make_shared<const CaseReports>());
    opened.open(std::make_shared<inspector::Session>(*session));
    EXPECT_NE(results.gap(), nullptr) << "the same files, read again";
    EXPECT_NE(results.verdicts(), nullptr) << "the same bundle";
    auto again = std::make_shared<inspector::Session>(*session);
    again->bundle = std::make_shared<bundled_program::Bundle>();
    opened.open(again);
    EXPECT_NE(results.gap(), nullptr);
    EXPECT_EQ(results.verdicts(), nullptr) << "the bundle was read again";
    auto other = std::make_shared<inspector::Session>(*again);
    other->files.program = "another.pte";
    opened.open(other);
    EXPECT_EQ(results.gap(), nullptr);
}

}  // namespace

}  // namespace et::visualizers

// Tests of the search on made-up models with known errors and therefore known best sets.
#include "app/tasks/lab/site_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::xnnpack::SchemeKind;

constexpr SiteScheme inFloat{};
constexpr SiteScheme int8{backends::xnnpack::QuantizationScheme{.kind = SchemeKind::Static8}};
constexpr SiteScheme dynamic{backends::xnnpack::QuantizationScheme{.kind = SchemeKind::Dynamic8}};
constexpr SiteScheme int4{backends::xnnpack::QuantizationScheme{.kind = SchemeKind::Dynamic4}};

/// Each site adds to the error and to the bytes; a tensor between two adds bytes unless both are in float.
/// With dynamic scales, a site has a fifth of the error at no cost; with 4 bits, three times the error and 40
/// bytes less.
class MadeUpModel final : public SiteMeasures {
  public:
    std::vector<double> siteNoise;
    std::vector<std::uint64_t> floatBytes;
    std::map<std::pair<std::size_t, std::size_t>, double> between;
    std::size_t most = 100'000;  ///< maximum number of choices to measure
    std::size_t asked = 0;
    std::set<SiteSchemes> seen;

    core::Result<std::vector<double>> noises(std::span<const SiteSchemes> choices) override {
        std::vector<double> all;
        for (const SiteSchemes& choice : choices) {
            if (asked == most) {
                break;
            }
            ++asked;
            EXPECT_TRUE(seen.insert(choice).second) << "measured twice";
            all.push_back(noiseOf(choice));
        }
        return all;
    }
    core::Result<std::uint64_t> bytes(const SiteSchemes& choice) override {
        std::uint64_t sum = 1000;
        for (std::size_t i = 0; i < choice.size(); ++i) {
            sum += choice[i] == inFloat ? floatBytes[i] : 0;
            sum -= choice[i] == int4 ? 40 : 0;
        }
        return sum;
    }
    [[nodiscard]] bool isOver() const override { return asked == most; }

    [[nodiscard]] double noiseOf(const SiteSchemes& choice) const {
        double sum = 0;
        for (std::size_t i = 0; i < choice.size(); ++i) {
            const double share = choice[i] == inFloat   ? 0
                                 : choice[i] == dynamic ? 0.2
                                 : choice[i] == int4    ? 3
                                                        : 1;
            sum += share * siteNoise[i];
        }
        for (const auto& [pair, noise] : between) {
            sum += choice[pair.first] == inFloat && choice[pair.second] == inFloat ? 0 : noise;
        }
        return sum;
    }
    [[nodiscard]] SearchSpace space(std::vector<SiteScheme> options = {inFloat}) const {
        SearchSpace made{.start = SiteSchemes(siteNoise.size(), int8),
                         .options = std::vector(siteNoise.size(), std::move(options)),
                         .neighbours = {}};
        for (const auto& [pair, noise] : between) {
            made.neighbours.push_back(pair);
        }
        return made;
    }
};

/// "01d4": the second site is in float, the third has dynamic scales, the fourth 4 bits.
std::string textOf(const SiteSchemes& choice) {
    std::string text;
    for (const SiteScheme& each : choice) {
        text += each == inFloat ? '1' : each == dynamic ? 'd' : each == int4 ? '4' : '0';
    }
    return text;
}

std::string bestOf(const SiteSearch& search, const SearchLimits& limits) {
    const auto best = search.best(limits);
    return best ? textOf(best->schemes) : "none";
}

TEST(SiteSearch, PathTakesTheLargestGainFirst) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5};
    model.floatBytes = {10, 500, 20, 30, 5};
    SiteSearch search(model.space(), model);
    ASSERT_TRUE(search.followPath({}));
    std::vector<std::string> path;
    for (const SearchPoint& each : search.points()) {
        path.push_back(textOf(each.schemes));
    }
    EXPECT_THAT(path, testing::ElementsAre("00000", "01000", "01010", "01110", "11110", "11111"));
}

TEST(SiteSearch, TwoNeighboursThatHelpOnlyTogetherAreFound) {
    MadeUpModel model;
    model.siteNoise = {1, 0.01, 0.01, 2};
    model.floatBytes = {1, 1, 1, 1};
    model.between = {{{0, 1}, 0.0}, {{1, 2}, 50.0}, {{2, 3}, 0.0}};
    SiteSearch search(model.space(), model);
    const SearchLimits two{.maxInFloat = 2};
    ASSERT_TRUE(search.followPath(two));
    EXPECT_EQ(bestOf(search, two), "0110");
}

TEST(SiteSearch, SpendsBytesByLargestGain) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5, 7};
    model.floatBytes = {10, 500, 20, 30, 5, 480};
    SiteSearch search(model.space(), model);
    const SearchLimits small{.maxBytes = 1070};
    ASSERT_TRUE(search.followPath(small));
    ASSERT_TRUE(search.followThrift(small, MoveKind::ToFloat));
    EXPECT_EQ(bestOf(search, small), "101110");
}

TEST(SiteSearch, ExchangesEscapeLocalOptimum) {
    MadeUpModel model;
    // The path picks 0 first; 1 and 2 together are better and fit if 0 is left out.
    model.siteNoise = {5, 3, 3, 0.1};
    model.floatBytes = {60, 45, 45, 100};
    model.between = {{{1, 2}, 4.0}};
    SiteSearch search(model.space(), model);
    const SearchLimits limits{.maxBytes = 1095};
    ASSERT_TRUE(search.followPath(limits));
    ASSERT_TRUE(search.exchange(limits, MoveKind::ToFloat));
    EXPECT_EQ(bestOf(search, limits), "0110");
}

TEST(SiteSearch, FindsTheSmallestWithinTheErrorLimit) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5, 7};
    model.floatBytes = {10, 500, 20, 30, 5, 480};
    SiteSearch search(model.space(), model);
    const SearchLimits near{.maxNoise = 8.1};
    ASSERT_TRUE(search.followPath(near));
    ASSERT_TRUE(search.followThrift(near, MoveKind::ToFloat));
    ASSERT_TRUE(search.exchange(near, MoveKind::ToFloat));
    // 8 must remain, so the other five go to float.
    EXPECT_EQ(bestOf(search, near), "101111");
}

TEST(SiteSearch, FixedSitesStayInFloat) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2};
    model.floatBytes = {1, 1, 1};
    SearchSpace space = model.space();
    space.start[0] = inFloat;
    space.options[0].clear();
    SiteSearch search(space, model);
    ASSERT_TRUE(search.followPath({}));
    ASSERT_TRUE(search.exchange({.maxInFloat = 2}, MoveKind::ToFloat));
    for (const SearchPoint& each : search.points()) {
        EXPECT_EQ(each.schemes[0], inFloat);
    }
    EXPECT_EQ(bestOf(search, {.maxInFloat = 2}), "110");
}

TEST(SiteSearch, KeepsResultsWithinTheTimeBudget) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5};
    model.floatBytes = {10, 500, 20, 30, 5};
    model.most = 8;  // both ends, five of the first step, one of the second
    SiteSearch search(model.space(), model);
    ASSERT_TRUE(search.followPath({}));
    ASSERT_TRUE(search.exchange({.maxInFloat = 3}, MoveKind::ToFloat));
    EXPECT_EQ(bestOf(search, {.maxInFloat = 3}), "01000");
    EXPECT_EQ(search.measured(), 8U);
}

TEST(SiteSearch, NothingFits) {
    MadeUpModel model;
    model.siteNoise = {1, 8};
    model.floatBytes = {10, 10};
    SiteSearch search(model.space(), model);
    const SearchLimits limits{.maxBytes = 999};
    ASSERT_TRUE(search.followPath(limits));
    ASSERT_TRUE(search.followThrift(limits, MoveKind::ToFloat));
    ASSERT_TRUE(search.exchange(limits, MoveKind::ToFloat));
    EXPECT_EQ(bestOf(search, limits), "none");
}

TEST(SiteSearch, SchemesThatCostNothingComeFirst) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4};
    model.floatBytes = {10, 500, 20, 30};
    SiteSearch search(model.space({dynamic, inFloat}), model);
    const SearchLimits limits{.maxBytes = 1025};
    ASSERT_TRUE(search.followThrift(limits, MoveKind::Any));
    ASSERT_TRUE(search.exchange(limits, MoveKind::Any));
    // 25 bytes put the third site, which then has no error, into float instead of the first.
    EXPECT_EQ(bestOf(search, limits), "dd1d");
}

TEST(SiteSearch, FourBitsMakeLargeModelsFit) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4};
    model.floatBytes = {300, 500, 400, 600};
    SiteSearch search(model.space({int4, inFloat}), model);
    const SearchLimits limits{.maxBytes = 920};
    ASSERT_TRUE(search.followPath(limits));
    EXPECT_EQ(bestOf(search, limits), "none");
    ASSERT_TRUE(search.squeeze(limits));
    EXPECT_EQ(bestOf(search, limits), "4040") << "where they cost least";
}

TEST(SiteSearch, FourBitsPayForFloat) {
    MadeUpModel model;
    model.siteNoise = {0.1, 8, 0.1, 4};
    model.floatBytes = {300, 70, 400, 600};
    SiteSearch search(model.space({int4, inFloat}), model);
    const SearchLimits limits{.maxBytes = 1000};
    ASSERT_TRUE(search.followThrift(limits, MoveKind::Any));
    ASSERT_TRUE(search.exchange(limits, MoveKind::Any));
    // One move is not enough: 70 bytes need two moves of 40. Exchanges move one site at a time and find
    // nothing.
    const SearchLimits one{.maxBytes = 1030};
    ASSERT_TRUE(search.exchange(one, MoveKind::Any));
    const std::string best = bestOf(search, one);
    EXPECT_TRUE(best == "4100" || best == "0140") << best;
}

TEST(SiteSearch, AnErrorIsReachedWithTheFewestBytes) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4};
    model.floatBytes = {300, 500, 400, 600};
    SiteSearch search(model.space({dynamic, int4, inFloat}), model);
    const SearchLimits limits{.maxNoise = 7};
    ASSERT_TRUE(search.followThrift(limits, MoveKind::Any));
    ASSERT_TRUE(search.squeeze(limits));
    ASSERT_TRUE(search.exchange(limits, MoveKind::Any));
    // 8 and 4 with dynamic scales are 2.4: the rest allows 4 bits for one other site, the first.
    EXPECT_EQ(bestOf(search, limits).front(), '4');
    EXPECT_LE(search.best(limits)->noise, 7);
    EXPECT_EQ(search.best(limits)->bytes, 960U);
}

TEST(SiteSearch, NanosecondsAreABudgetAsBytesAre) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4};
    model.floatBytes = {300, 500, 400, 600};
    SiteSearch search(model.space({dynamic, inFloat}), model);
    MoveTimes times{.start = 100};
    for (const SiteMove& move : search.moves()) {
        times.added[move] = move.scheme == dynamic ? 10 : move.site == 1 ? 40 : 15;
    }
    search.setTimes(std::move(times));
    const SearchLimits limits{.maxTime = 125};
    ASSERT_TRUE(search.followThrift(limits, MoveKind::Any));
    ASSERT_TRUE(search.exchange(limits, MoveKind::Any));
    // 25 ns: dynamic scales for the second site, float for the fourth.
    EXPECT_EQ(bestOf(search, limits), "0d01");
    EXPECT_EQ(search.guessedTime(search.best(limits)->schemes), 125.0);
}

TEST(SiteSearch, OneSchemeForAllIsTried) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2};
    model.floatBytes = {10, 10, 10};
    SearchSpace space = model.space({dynamic, inFloat});
    space.options[2] = {inFloat};
    SiteSearch search(space, model);
    ASSERT_TRUE(search.tryUniform());
    std::set<std::string> tried;
    for (const SearchPoint& each : search.points()) {
        tried.insert(textOf(each.schemes));
    }
    EXPECT_THAT(tried, testing::UnorderedElementsAre("000", "111", "dd0", "dd1"));
}

TEST(SiteSearch, ExcludesSchemesAsCostlyAsFloat) {
    MadeUpModel model;
    model.siteNoise = {1, 8};
    model.floatBytes = {0, 500};
    SiteSearch search(model.space({dynamic, inFloat}), model);
    ASSERT_TRUE(search.dropUseless());
    const std::vector<SiteMove> left = search.moves();
    EXPECT_THAT(left, testing::ElementsAre(SiteMove{.site = 0, .scheme = inFloat},
                                           SiteMove{.site = 1, .scheme = dynamic},
                                           SiteMove{.site = 1, .scheme = inFloat}));
}

}  // namespace
}  // namespace et::tasks

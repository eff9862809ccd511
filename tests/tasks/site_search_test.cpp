// The search on made-up models whose errors are known, so that the best sets are.
#include "app/tasks/lab/site_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

/// Each site adds to the error and to the bytes; a tensor between two adds unless both are in float.
class MadeUpModel final : public SiteMeasures {
  public:
    std::vector<double> siteNoise;
    std::vector<std::uint64_t> floatBytes;
    std::map<std::pair<std::size_t, std::size_t>, double> between;
    std::size_t most = 100'000;  ///< sets that there is time for
    std::size_t asked = 0;
    std::set<FloatSites> seen;

    core::Result<std::vector<double>> noises(std::span<const FloatSites> sets) override {
        std::vector<double> all;
        for (const FloatSites& set : sets) {
            if (asked == most) {
                break;
            }
            ++asked;
            EXPECT_TRUE(seen.insert(set).second) << "measured twice";
            all.push_back(noiseOf(set));
        }
        return all;
    }
    core::Result<std::uint64_t> bytes(const FloatSites& set) override {
        std::uint64_t sum = 1000;
        for (std::size_t i = 0; i < set.size(); ++i) {
            sum += set[i] ? floatBytes[i] : 0;
        }
        return sum;
    }
    [[nodiscard]] bool isOver() const override { return asked == most; }

    [[nodiscard]] double noiseOf(const FloatSites& set) const {
        double sum = 0;
        for (std::size_t i = 0; i < set.size(); ++i) {
            sum += set[i] ? 0 : siteNoise[i];
        }
        for (const auto& [pair, noise] : between) {
            sum += set[pair.first] && set[pair.second] ? 0 : noise;
        }
        return sum;
    }
    [[nodiscard]] SearchSpace space() const {
        SearchSpace made{.sites = siteNoise.size(), .fixed = FloatSites(siteNoise.size()), .neighbours = {}};
        for (const auto& [pair, noise] : between) {
            made.neighbours.push_back(pair);
        }
        return made;
    }
};

/// "01100": sites in float.
std::string textOf(const FloatSites& set) {
    std::string text;
    for (const bool inFloat : set) {
        text += inFloat ? '1' : '0';
    }
    return text;
}

std::string bestOf(const SiteSearch& search, const SearchLimits& limits) {
    const auto best = search.best(limits);
    return best ? textOf(best->inFloat) : "none";
}

TEST(SiteSearch, ThePathTakesWhatGainsMost) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5};
    model.floatBytes = {10, 500, 20, 30, 5};
    SiteSearch search(model.space(), model);
    ASSERT_TRUE(search.followPath({}));
    std::vector<std::string> path;
    for (const SearchPoint& each : search.points()) {
        path.push_back(textOf(each.inFloat));
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

TEST(SiteSearch, BytesGoToWhatGainsMostForThem) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5, 7};
    model.floatBytes = {10, 500, 20, 30, 5, 480};
    SiteSearch search(model.space(), model);
    const SearchLimits small{.maxBytes = 1070};
    ASSERT_TRUE(search.followPath(small));
    ASSERT_TRUE(search.followThrift(small));
    EXPECT_EQ(bestOf(search, small), "101110");
}

TEST(SiteSearch, ExchangesLeaveADeadEnd) {
    MadeUpModel model;
    // The path takes 0 first; 1 and 2 together are better and fit, where 0 is left out.
    model.siteNoise = {5, 3, 3, 0.1};
    model.floatBytes = {60, 45, 45, 100};
    model.between = {{{1, 2}, 4.0}};
    SiteSearch search(model.space(), model);
    const SearchLimits limits{.maxBytes = 1095};
    ASSERT_TRUE(search.followPath(limits));
    ASSERT_TRUE(search.exchange(limits));
    EXPECT_EQ(bestOf(search, limits), "0110");
}

TEST(SiteSearch, TheSmallestThatIsNearEnough) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5, 7};
    model.floatBytes = {10, 500, 20, 30, 5, 480};
    SiteSearch search(model.space(), model);
    const SearchLimits near{.maxNoise = 8.1};
    ASSERT_TRUE(search.followPath(near));
    ASSERT_TRUE(search.followThrift(near));
    ASSERT_TRUE(search.exchange(near));
    // 8 has to stay, so the other five come into float.
    EXPECT_EQ(bestOf(search, near), "101111");
}

TEST(SiteSearch, FixedSitesStayInFloat) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2};
    model.floatBytes = {1, 1, 1};
    SearchSpace space = model.space();
    space.fixed[0] = true;
    SiteSearch search(space, model);
    ASSERT_TRUE(search.followPath({}));
    ASSERT_TRUE(search.exchange({.maxInFloat = 2}));
    for (const SearchPoint& each : search.points()) {
        EXPECT_TRUE(each.inFloat[0]);
    }
    EXPECT_EQ(bestOf(search, {.maxInFloat = 2}), "110");
}

TEST(SiteSearch, WhatThereWasTimeForCounts) {
    MadeUpModel model;
    model.siteNoise = {1, 8, 2, 4, 0.5};
    model.floatBytes = {10, 500, 20, 30, 5};
    model.most = 8;  // both ends, five of the first step, one of the second
    SiteSearch search(model.space(), model);
    ASSERT_TRUE(search.followPath({}));
    ASSERT_TRUE(search.exchange({.maxInFloat = 3}));
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
    ASSERT_TRUE(search.followThrift(limits));
    ASSERT_TRUE(search.exchange(limits));
    EXPECT_EQ(bestOf(search, limits), "none");
}

}  // namespace
}  // namespace et::app

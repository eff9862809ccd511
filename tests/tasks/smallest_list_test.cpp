// Tests of the search for the smallest failing list: no item can be removed, and few lists are tried.
#include "app/tasks/reduce/smallest_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace et::tasks {
namespace {

using List = std::vector<std::size_t>;

struct Found {
    List list;
    std::size_t asked = 0;
};

/// Searches a list that fails as long as it contains all of `culprits`.
Found search(std::size_t count, const List& culprits) {
    List all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Found found;
    std::set<List> seen;
    auto smallest = smallestFailing(all, [&](std::span<const std::size_t> kept) -> core::Result<bool> {
        ++found.asked;
        EXPECT_TRUE(std::ranges::is_sorted(kept));
        EXPECT_FALSE(kept.empty());
        EXPECT_TRUE(seen.emplace(kept.begin(), kept.end()).second) << "asked twice";
        return std::ranges::includes(kept, culprits);
    });
    found.list = smallest.value_or(List{});
    return found;
}

TEST(SmallestList, FindsTheFailingItems) {
    for (const List& culprits : {List{0}, List{99}, List{41}, List{3, 4}, List{3, 90}, List{0, 50, 99}}) {
        EXPECT_EQ(search(100, culprits).list, culprits);
    }
    EXPECT_EQ(search(1, {0}).list, List{0});
    EXPECT_EQ(search(2, {1}).list, List{1});
    EXPECT_EQ(search(2, {0, 1}).list, (List{0, 1}));
}

TEST(SmallestList, OfNeighboursIsFoundInFewSteps) {
    for (std::size_t culprit = 0; culprit < 1000; culprit += 37) {
        EXPECT_LE(search(1000, {culprit}).asked, 40U) << culprit;
    }
    EXPECT_LE(search(1000, {500, 501}).asked, 60U);
}

TEST(SmallestList, EndsWithAnError) {
    const auto failed = smallestFailing({0, 1, 2}, [](std::span<const std::size_t>) -> core::Result<bool> {
        return core::fail(core::ErrorCode::Cancelled, "enough");
    });
    EXPECT_EQ(failed.error().code, core::ErrorCode::Cancelled);
}

}  // namespace
}  // namespace et::tasks

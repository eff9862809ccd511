// Tests of KV caches that the host keeps outside of the program.
#include "runtime/executor/kv_cache_plan.h"
#include "runtime/executor/method.h"
#include "runtime/executor/module_data.h"
#include "runtime/executor/snapshot.h"
#include "runtime/kernels/builtin.h"
#include "tests/executor/run_program.h"
#include "tests/support/host_cache_program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <unordered_set>
#include <vector>

namespace et::test {
namespace {

using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

class HostCacheTest : public testing::Test {
  protected:
    LoadedProgram& load(const HostCacheModel& model) {
        const HostCacheProgram written(builder, model);
        loaded.emplace(builder, executor::Limits{}, kernels::builtin());
        return *loaded;
    }

    /// Runs the tokens, of which the first has this position, and returns the logits.
    Floats run(const std::vector<std::int64_t>& tokens, std::int32_t first) {
        executor::Method& method = loaded->method();
        const std::array tokenSizes{std::int64_t{1}, static_cast<std::int64_t>(tokens.size())};
        const std::array positionSizes{tokenSizes[1], std::int64_t{1}};
        std::vector<std::int32_t> positions(tokens.size());
        std::iota(positions.begin(), positions.end(), first);
        EXPECT_EQ(
            errorText(method.setInput(0, executor::TensorInput{.dtype = core::ScalarType::Long,
                                                               .sizes = tokenSizes,
                                                               .data = std::as_bytes(std::span(tokens))})),
            "");
        EXPECT_EQ(
            errorText(method.setInput(1, executor::TensorInput{.dtype = core::ScalarType::Int,
                                                               .sizes = positionSizes,
                                                               .data = std::as_bytes(std::span(positions))})),
            "");
        error = errorText(method.execute());
        return error.empty() ? outputFloats(method) : Floats();
    }

    std::vector<std::int64_t> positionsOf(std::int64_t layer) {
        const auto& layers = loaded->loadedModule().caches().layers();
        return layers.contains(layer) ? layers.at(layer).positions : std::vector<std::int64_t>();
    }

    executor::KvCachePlan plan(const core::KvCacheSettings& settings = {}) {
        const executor::ModuleData named(*loaded->program, {});
        return executor::planKvCaches(*loaded->program, {}, named, settings);
    }

    ProgramBuilder builder;
    std::optional<LoadedProgram> loaded;
    std::string error;
};

TEST_F(HostCacheTest, ChunksMatchOneCall) {
    load({});
    const Floats once = run({3, 1, 4, 1, 5}, 0);
    ASSERT_EQ(error, "");
    (void)run({3, 1}, 0);
    (void)run({4}, 2);
    const Floats rest = run({1, 5}, 3);
    ASSERT_EQ(rest.size(), 2U * 16);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        EXPECT_NEAR(rest[i], once[once.size() - rest.size() + i], 1e-4);
    }
    EXPECT_THAT(positionsOf(1), ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(HostCacheTest, AnotherConversationStartsEmpty) {
    load({});
    const Floats first = run({3, 1, 4}, 0);
    (void)run({9, 2}, 3);
    EXPECT_EQ(run({3, 1, 4}, 0), first);
    EXPECT_THAT(positionsOf(0), ElementsAre(0, 1, 2));
}

TEST_F(HostCacheTest, StateOfAModuleContainsTheCaches) {
    load({});
    (void)run({3, 1, 4}, 0);
    auto saved = loaded->loadedModule().saveState();
    ASSERT_TRUE(saved) << errorText(saved);
    const Floats next = run({1}, 3);
    auto later = loaded->loadedModule().saveState(saved->get());
    ASSERT_TRUE(later) << errorText(later);
    (void)run({7, 7, 7}, 0);
    ASSERT_EQ(errorText(loaded->loadedModule().restoreState(**saved)), "");
    EXPECT_THAT(positionsOf(0), ElementsAre(0, 1, 2));
    EXPECT_EQ(run({1}, 3), next);
    ASSERT_EQ(errorText(loaded->loadedModule().restoreState(**later)), "");
    EXPECT_THAT(positionsOf(1), ElementsAre(0, 1, 2, 3));
    std::unordered_set<const void*> counted;
    EXPECT_GT((*saved)->countBytes(counted), 2U * 2 * 3 * 8 * sizeof(float));
    loaded->loadedModule().caches().clear();
    EXPECT_TRUE(positionsOf(0).empty());
}

TEST_F(HostCacheTest, ConstantOfTheProgramLimitsPositions) {
    load({.context = 4});
    (void)run({1, 2, 3, 4}, 0);
    EXPECT_EQ(error, "");
    (void)run({5}, 4);
    EXPECT_THAT(error, HasSubstr("position 4 of layer 0 exceeds the capacity of its KV cache, 4 positions"));
}

TEST_F(HostCacheTest, GivenCapacityReplacesTheConstant) {
    load({.context = 4}).environment.caches.capacity = 8;
    (void)run({1, 2, 3, 4, 5}, 0);
    EXPECT_EQ(error, "");
}

TEST_F(HostCacheTest, LengthOfACallIsNoLimit) {
    load({.longest = 3, .context = {}});
    EXPECT_EQ(plan().capacity, 3);
    EXPECT_EQ(plan().capacitySource, "length");
    (void)run({1, 2, 3}, 0);
    (void)run({4, 5}, 3);
    EXPECT_EQ(error, "");
}

TEST_F(HostCacheTest, WindowOfTheProgramBoundsTheLayers) {
    load({.windows = {2, 0}});
    const Floats windowed = run({3, 1, 4, 1, 5}, 0);
    EXPECT_EQ(loaded->loadedModule().caches().windowOf(0), 2);
    EXPECT_EQ(loaded->loadedModule().caches().windowOf(1), 0);
    ASSERT_EQ(windowed.size(), 5U * 16);
    loaded->loadedModule().caches().configure({.capacity = 0, .windows = {}, .dtype = {}});
    const Floats all = run({3, 1, 4, 1, 5}, 0);
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + 2 * 16, windowed.begin())) << "both see all tokens";
    EXPECT_FALSE(std::equal(all.begin() + 2 * 16, all.end(), windowed.begin() + 2 * 16));
}

TEST_F(HostCacheTest, PlanCountsBytesByTheFormula) {
    load({.layers = 3, .context = 20, .windows = {0, 4, 0}});
    const executor::KvCachePlan found = plan();
    ASSERT_EQ(found.layers.size(), 3U);
    EXPECT_EQ(found.capacity, 20);
    EXPECT_EQ(found.capacitySource, "get_max_ctx_len");
    EXPECT_EQ(found.layers[1].maxStep, 6);
    constexpr std::uint64_t each = 2 * 1 * 8 * sizeof(float);  // 2 · heads · head size · element size
    EXPECT_EQ(found.layers[1].bytesPerPosition(), each);
    EXPECT_EQ(found.bytesPerPosition(), 3 * each);
    EXPECT_EQ(found.reservedBytes(found.layers[0]), 20 * each);
    EXPECT_EQ(found.reservedBytes(found.layers[1]), (4 + 6 - 1) * each);
    EXPECT_EQ(found.reservedBytes(), (20 + 9 + 20) * each);
    const executor::KvCachePlan given =
        plan({.capacity = 100, .windows = {8}, .dtype = core::ScalarType::BFloat16});
    EXPECT_EQ(given.reservedBytes(), 3 * (8 + 6 - 1) * each / 2);
    EXPECT_EQ(given.capacitySource, "");
}

TEST_F(HostCacheTest, LayersThatNameOneCacheAreCountedOnce) {
    load({.fault = CacheFault::SharedLayer});
    EXPECT_EQ(plan().layers.size(), 1U);
    (void)run({3, 1}, 0);
    const auto writes = loaded->loadedModule().caches().writes();
    ASSERT_EQ(writes.size(), 2U);
    EXPECT_TRUE(writes[1].replaced);
}

}  // namespace
}  // namespace et::test

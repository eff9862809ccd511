#include "app/tasks/fit/fit_run.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <cstddef>

// Tests the measured memory use of a run against the program's declared sizes.
namespace et::tasks {
namespace {

/// Uses `bytes` of stack.
template <std::size_t bytes>
[[gnu::noinline]] void useStack() {
    volatile char place[bytes];
    place[0] = 1;
    place[bytes - 1] = 2;
    EXPECT_LT(static_cast<int>(place[0]), static_cast<int>(place[bytes - 1]));
}

TEST(StackOf, MeasuresUsedStack) {
    constexpr std::size_t small = std::size_t{16} << 10U;
    constexpr std::size_t large = std::size_t{512} << 10U;
    const std::uint64_t less = stackOf([] { useStack<small>(); }).value();
    const std::uint64_t more = stackOf([] { useStack<large>(); }).value();
    EXPECT_GE(less, small);
    EXPECT_LT(less, small + 65536) << "with what the test itself calls";
    EXPECT_GE(more, large);
    EXPECT_LT(more, large + 65536);
}

TEST(MeasuredNeedConformance, OfARealProgram) {
    ET_NEEDS_SHARED_DATA();
    const auto file =
        ProgramFile::open(test::sharedData() / "programs/mobilenet_v2_small/portable.bpte").value();
    const auto need = measureNeed(file, "forward", {}).value();
    EXPECT_GT(need.stack, 1000U);
    EXPECT_LT(need.stack, 1U << 20U);
    EXPECT_FALSE(measureNeed(file, "backward", {}));
}

}  // namespace
}  // namespace et::tasks

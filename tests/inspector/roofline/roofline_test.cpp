#include "inspector/roofline/trace_limits.h"

#include <gtest/gtest.h>

namespace et::test {
namespace {

using inspector::Arithmetic;
using inspector::LeastTime;
using inspector::MachineProfile;

/// 100 GFLOP/s; 1000 bytes at 100 GB/s, 10,000 at 10 GB/s, the rest at 1 GB/s.
MachineProfile threeLevels() {
    MachineProfile profile;
    profile.peaks = {{.arithmetic = Arithmetic::Fp32, .how = {}, .threads = 1, .gigaops = 100}};
    profile.bandwidths = {
        {.level = "L1", .capacity = 1000, .threads = 1, .read = 100, .copy = 90, .add = 80},
        {.level = "L2", .capacity = 10'000, .threads = 1, .read = 10, .copy = 9, .add = 8},
        {.level = "memory", .capacity = 0, .threads = 1, .read = 1, .copy = 0.9, .add = 0.8}};
    return profile;
}

LeastTime least(double operations, double bytes) {
    return inspector::leastTime({.operations = operations, .bytesRead = bytes}, threeLevels(), 1);
}

TEST(RooflineTest, DataFittingACacheUsesItsBandwidth) {
    EXPECT_DOUBLE_EQ(least(0, 1000).seconds, 1000 / 100e9);
    EXPECT_EQ(least(0, 1000).boundBy, "L1");
    EXPECT_DOUBLE_EQ(least(0, 3000).seconds, 1000 / 100e9 + 2000 / 10e9);
    EXPECT_EQ(least(0, 3000).boundBy, "L2");
    EXPECT_DOUBLE_EQ(least(0, 30'000).seconds, 1000 / 100e9 + 9000 / 10e9 + 20'000 / 1e9);
    EXPECT_EQ(least(0, 30'000).boundBy, "memory");
}

TEST(RooflineTest, UsesTheLongerOfComputeAndMemoryTime) {
    EXPECT_DOUBLE_EQ(least(1e6, 1000).seconds, 1e6 / 100e9);
    EXPECT_EQ(least(1e6, 1000).boundBy, "compute");
    EXPECT_DOUBLE_EQ(least(1e6, 0).moving, 0);
}

TEST(RooflineTest, UnmeasuredArithmeticUsesSinglePrecision) {
    const auto half =
        inspector::leastTime({.operations = 1e6, .arithmetic = Arithmetic::Fp16}, threeLevels(), 1);
    EXPECT_DOUBLE_EQ(half.seconds, 1e6 / 100e9);
}

TEST(RooflineTest, WithoutMeasurementsNothingTakesTime) {
    EXPECT_EQ(inspector::leastTime({.operations = 1e6, .bytesRead = 1e6}, {}, 1).seconds, 0);
}

}  // namespace
}  // namespace et::test

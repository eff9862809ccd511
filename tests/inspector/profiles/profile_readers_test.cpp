#include "tests/inspector/profiles/profile_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace et::inspector {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr double tolerance = 1e-6;

TEST(VendorProfile, ConvertsCyclesOfQnnByTheClockOfEachRun) {
    const auto profile = test::readProfileText(test::qnnCsv);
    ASSERT_TRUE(profile) << profile.error().toString();
    EXPECT_THAT(profile->backends, ElementsAre("QnnBackend"));
    EXPECT_EQ(profile->unit, ProfileUnit::Nanoseconds);
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_EQ(profile->operators[0].name, "node_1:OpId_21 (cycles)");
    EXPECT_THAT(profile->operators[0].times,
                ElementsAre(DoubleNear(3000, tolerance), DoubleNear(1200, tolerance)));
    EXPECT_THAT(profile->operators[1].times,
                ElementsAre(DoubleNear(1000, tolerance), DoubleNear(800, tolerance)));
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("Timing Source", "BACKEND")));
    EXPECT_THAT(profile->callTimes, ElementsAre(4000, 2000));
    EXPECT_THAT(profile->columns, Contains(Pair("Number of HVX threads used", "4 COUNT")));
}

TEST(VendorProfile, KeepsCyclesOfQnnWithoutAClock) {
    const auto profile = test::readProfileText(
        "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier,Extra\n"
        "0,NODE,25,CYCLES,BACKEND,SUB-EVENT,conv,more\n");
    ASSERT_TRUE(profile) << profile.error().toString();
    EXPECT_EQ(profile->unit, ProfileUnit::Cycles);
    ASSERT_THAT(profile->operators, SizeIs(1));
    EXPECT_THAT(profile->operators[0].times, ElementsAre(25));
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("Extra", "more")))
        << "a column of a later version";
}

TEST(VendorProfile, ReadsTimesOfTensorRtLayers) {
    const auto profile = test::readProfileText(test::tensorRtTimes);
    ASSERT_TRUE(profile) << profile.error().toString();
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_EQ(profile->operators[0].name, "node_1 + node_2");
    EXPECT_THAT(profile->operators[0].times, ElementsAre(DoubleNear(50000, tolerance))) << "of one iteration";
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("percentage", "83.3")));
}

TEST(VendorProfile, ReadsPropertiesOfTensorRtLayers) {
    const auto profile = test::readProfileText(test::tensorRtLayers);
    ASSERT_TRUE(profile) << profile.error().toString();
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_THAT(
        profile->operators[0].columns,
        ElementsAre(Pair("LayerType", "kgen"), Pair("Inputs", R"([{"Name":"x","Dimensions":[1,8]}])")));
    EXPECT_EQ(profile->runs(), 0U);
}

TEST(VendorProfile, NumbersRepeatedNames) {
    const auto profile = test::readProfileText(
        R"([{"count": 1}, {"name": "a", "averageMs": 1}, {"name": "a", "averageMs": 2}, {"name": "a #2", "averageMs": 3}])");
    ASSERT_TRUE(profile) << profile.error().toString();
    ASSERT_THAT(profile->operators, SizeIs(3));
    EXPECT_EQ(profile->operators[1].name, "a #2");
    EXPECT_EQ(profile->operators[2].name, "a #2 #2");
}

TEST(VendorProfile, ReadsCyclesOfVelaLayers) {
    const auto profile = test::readProfileText(test::velaCsv);
    ASSERT_TRUE(profile) << profile.error().toString();
    EXPECT_THAT(profile->backends, Contains("EthosUBackend"));
    EXPECT_EQ(profile->unit, ProfileUnit::Cycles);
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_EQ(profile->operators[0].name, "node_1");
    EXPECT_THAT(profile->operators[0].times, ElementsAre(7312));
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("NNG Operator", "Conv2D")));
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("Target", "NPU")));
}

TEST(VendorProfile, ReadsSharesOfAComputePlan) {
    const auto profile = test::readProfileText(test::computePlan);
    ASSERT_TRUE(profile) << profile.error().toString();
    EXPECT_THAT(profile->backends, ElementsAre("CoreMLBackend"));
    EXPECT_EQ(profile->unit, ProfileUnit::Share);
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_EQ(profile->operators[0].name, "node_1_cast_fp16");
    EXPECT_THAT(profile->operators[0].times, ElementsAre(0.75));
    EXPECT_THAT(profile->operators[0].columns, Contains(Pair("preferredComputeUnit", "NE")));
}

TEST(VendorProfile, ReadsFunctionsOfStreamline) {
    const auto profile = test::readProfileText(test::streamlineCsv);
    ASSERT_TRUE(profile) << profile.error().toString();
    EXPECT_EQ(profile->unit, ProfileUnit::Share);
    ASSERT_THAT(profile->operators, SizeIs(2));
    EXPECT_EQ(profile->operators[1].name, "memcpy");
    EXPECT_THAT(profile->operators[1].times, ElementsAre(DoubleNear(0.375, tolerance)));
    EXPECT_THAT(profile->operators[1].columns,
                IsSupersetOf({Pair("Self", "15"), Pair("Location", "<unknown>")}));
}

}  // namespace
}  // namespace et::inspector

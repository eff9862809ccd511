#include "inspector/roofline/machine_profile.h"

#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace et::test {
namespace {

using inspector::Arithmetic;
using inspector::MachineProfile;
using testing::HasSubstr;

MachineProfile twoCores() {
    MachineProfile profile{.date = "2026-11-25", .timerResolution = 20, .timerCost = 25.5, .noise = 0.04};
    profile.machine.cpu = "A processor";
    profile.machine.cores = 2;
    profile.machine.system = "A system";
    profile.peaks = {
        {.arithmetic = Arithmetic::Fp32, .how = "slow", .threads = 1, .gigaops = 10, .clock = 3.5},
        {.arithmetic = Arithmetic::Fp32, .how = "fast", .threads = 1, .gigaops = 100},
        {.arithmetic = Arithmetic::Fp32, .how = "fast", .threads = 4, .gigaops = 300}};
    profile.bandwidths = {
        {.level = "L1", .capacity = 32768, .threads = 1, .read = 100, .copy = 200, .add = 300, .clock = 4},
        {.level = "memory", .threads = 1, .read = 10, .copy = 20, .add = 15},
        {.level = "memory", .threads = 4, .read = 30, .copy = 20, .add = 15}};
    return profile;
}

TEST(MachineProfileTest, RoundTripsThroughJson) {
    const auto read = inspector::parseProfile(inspector::profileJson(twoCores()));
    ASSERT_TRUE(read) << read.error().toString();
    EXPECT_EQ(read->peaks, twoCores().peaks);
    EXPECT_EQ(read->bandwidths, twoCores().bandwidths);
    EXPECT_EQ(read->machine.cpu, "A processor");
    EXPECT_EQ(read->date, "2026-11-25");
    EXPECT_EQ(inspector::profileJson(*read), inspector::profileJson(twoCores()));
}

TEST(MachineProfileTest, ScalesBetweenNumbersOfThreads) {
    const MachineProfile profile = twoCores();
    EXPECT_EQ(profile.peak(Arithmetic::Fp32, 1), 100);
    EXPECT_EQ(profile.peak(Arithmetic::Fp32, 2), 200);
    EXPECT_EQ(profile.peak(Arithmetic::Fp32, 4), 300);  // the maximum measured
    EXPECT_EQ(profile.peak(Arithmetic::Fp32, 64), 300);
    EXPECT_EQ(profile.peak(Arithmetic::Int8, 1), 0);
    EXPECT_EQ(profile.levels(3).size(), 2U);
    ASSERT_EQ(profile.levels(4).size(), 1U);
    EXPECT_EQ(profile.levels(4)[0].best(), 30);
    EXPECT_EQ(profile.mostThreads(), 4U);
}

/// Returns the error of a profile in which `from` is replaced by `to`.
std::string wrong(const std::string& from, const std::string& to) {
    std::string json = inspector::profileJson(twoCores());
    const std::size_t at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    json.replace(at, from.size(), to);
    const auto read = inspector::parseProfile(json);
    return read ? "nothing" : read.error().toString();
}

TEST(MachineProfileTest, ErrorNamesTheInvalidField) {
    EXPECT_EQ(wrong("\"threads\": 4", "\"threads\": 0"),
              "peaks[2].threads: expected an integer from 1 to 65536");
    EXPECT_EQ(wrong("\"gflops\": 10.0", "\"gflops\": -1"), "peaks[0].gflops: expected a non-negative number");
    EXPECT_EQ(wrong("\"gflops\": 10.0", "\"gflops\": 0"), "peaks[0].gflops: expected a number above 0");
    EXPECT_EQ(wrong("\"dtype\": \"fp32\"", "\"dtype\": \"fp31\""),
              "peaks[0].dtype: expected fp32, fp16 or int8");
    EXPECT_EQ(wrong("\"level\": \"L1\"", "\"level\": 1"),
              "bandwidths[0].level: expected a string of at most 1000 bytes");
    EXPECT_EQ(wrong("\"noise\"", "\"noises\""), "noise: expected a non-negative number");
    EXPECT_THAT(wrong("\"schema\": 1", "\"schema\": 2"), HasSubstr("schema 2 requires a newer et-inspect"));
}

TEST(MachineProfileTest, OldProfilesHaveNoClocks) {
    std::string json = inspector::profileJson(twoCores());
    for (std::size_t at = 0; (at = json.find(", \"clock_ghz\": ")) != std::string::npos;) {
        json.erase(at, json.find('}', at) - at);
    }
    const auto read = inspector::parseProfile(json);
    ASSERT_TRUE(read) << read.error().toString();
    EXPECT_EQ(read->peaks[0].clock, 0);
    EXPECT_EQ(read->peaks[0].gigaops, 10);
    EXPECT_EQ(wrong("\"clock_ghz\": 3.5", "\"clock_ghz\": -3"),
              "peaks[0].clock_ghz: expected a non-negative number");
}

TEST(MachineProfileTest, RejectsOtherFiles) {
    for (const char* text : {"", "{", "[]", "7", "{}", "{\"schema\": 1}", "\xff\xfe"}) {
        EXPECT_FALSE(inspector::parseProfile(text)) << text;
    }
    const ScratchFolder folder;
    std::ofstream(folder.path() / "long.json") << std::string(3U << 20U, ' ');
    const auto read = inspector::readProfile(folder.path() / "long.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, core::ErrorCode::Limit);
    EXPECT_THAT(read.error().toString(), HasSubstr("long.json"));
}

}  // namespace
}  // namespace et::test

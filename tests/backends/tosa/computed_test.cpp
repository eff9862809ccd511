// Tests that TOSA delegates, computed here from their payloads, give the results of their exporter.

#include "tests/backends/computed_payload.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> tosaFiles() {
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& each :
         fs::directory_iterator(sharedData() / "programs" / "backends" / "arm_tosa", missing)) {
        if (each.path().extension() == ".bpte") {
            files.push_back(each.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

class TosaComputed : public testing::TestWithParam<fs::path> {};

/// Integers are exact: files without floating-point operators give equal bits.
TEST_P(TosaComputed, GivesPyTorchsResults) {
    const auto report = computed(GetParam(), {.relative = 1e-3, .absolute = 1e-5});
    EXPECT_EQ(report.message, "");
    EXPECT_FALSE(report.cases.empty());
    const bool isWhole = GetParam().stem().string().ends_with("_int");
    for (const bundled_program::CaseReport& each : report.cases) {
        for (const auto& output : each.outputs) {
            if (isWhole) {
                EXPECT_EQ(output.metrics.maxAbsoluteError, 0) << "case " << each.index;
            } else {
                EXPECT_GE(output.metrics.signalToNoiseDecibels.value_or(leastDecibels), leastDecibels);
            }
        }
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TosaComputed);
INSTANTIATE_TEST_SUITE_P(Files, TosaComputed, testing::ValuesIn(tosaFiles()),
                         [](const auto& tested) { return tested.param.stem().string(); });

}  // namespace
}  // namespace et::test

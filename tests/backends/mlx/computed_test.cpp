// Tests that MLX delegates, computed here from their payloads, give PyTorch's results.

#include "backends/interpreted/runnable.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/backends/computed_payload.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

/// The quantized files and bfloat16 have larger tolerances.
constexpr double exactTolerance = 0.001;

struct MlxFile {
    std::string name;  ///< without extension
    double relative = 0;
    double absolute = 0;
    bool agrees = false;
};

std::vector<MlxFile> mlxFiles() {
    const fs::path path = sharedData() / "mlx" / "manifest.json";
    std::vector<MlxFile> files;
    simdjson::dom::parser parser;
    if (!fs::exists(path)) {
        return files;
    }
    for (const simdjson::dom::element each : parser.load(path.string()).get_array()) {
        files.push_back({.name = fs::path(std::string_view(each["file"])).stem().string(),
                         .relative = double(each["rtol"]),
                         .absolute = double(each["atol"]),
                         .agrees = std::string_view(each["computed_from_payload"]) == "agrees"});
    }
    return files;
}

class MlxComputed : public testing::TestWithParam<MlxFile> {};

TEST_P(MlxComputed, GivesPyTorchsResults) {
    const MlxFile& file = GetParam();
    const auto report = computed(sharedData() / "mlx" / (file.name + ".bpte"),
                                 {.relative = file.relative, .absolute = file.absolute});
    if (!file.agrees) {
        return;
    }
    EXPECT_EQ(report.message, "");
    EXPECT_FALSE(report.cases.empty());
    for (const bundled_program::CaseReport& each : report.cases) {
        for (std::size_t i = 0; i < each.outputs.size(); ++i) {
            const auto decibels = each.outputs[i].metrics.signalToNoiseDecibels;
            if (file.relative <= exactTolerance && each.outputs[i].type.starts_with("float32") && decibels) {
                EXPECT_GE(*decibels, leastDecibels) << "case " << each.index << ", output " << i;
            }
        }
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MlxComputed);
INSTANTIATE_TEST_SUITE_P(Files, MlxComputed, testing::ValuesIn(mlxFiles()),
                         [](const auto& tested) { return tested.param.name; });

TEST(MlxComputedTest, AKnownMetalKernelIsComputed) {
    ET_NEEDS_SHARED_DATA();
    const auto report = computed(sharedData() / "mlx" / "gated_delta_kernel.bpte", {});
    EXPECT_EQ(report.message, "");
    ASSERT_EQ(report.cases.size(), 1U);
    for (const auto& output : report.cases[0].outputs) {
        EXPECT_GE(output.metrics.signalToNoiseDecibels.value_or(leastDecibels), leastDecibels);
    }
}

TEST(MlxComputedTest, DamageIsReported) {
    ET_NEEDS_SHARED_DATA();
    const auto messageOf = [](const char* name) {
        const auto program = program::Program::open(sharedData() / "broken_new" / name);
        const kernels::ThreadPool threads{1};
        executor::Module module(program.value(), executor::Environment{.kernels = kernels::builtin(),
                                                                       .backends = backends::runnable(),
                                                                       .tensorData = {},
                                                                       .threads = threads});
        const auto method = module.load("forward");
        return method ? std::string("loaded") : method.error().toString();
    };
    EXPECT_THAT(messageOf("mlx_endless.pte"), testing::HasSubstr("runs itself"));
    EXPECT_THAT(messageOf("mlx_magic.pte"), testing::HasSubstr("MLX1"));
    EXPECT_THAT(messageOf("mlx_offset.pte"), testing::HasSubstr("header.data_offset"));
    EXPECT_THAT(messageOf("mlx_tensor_index.pte"), testing::HasSubstr("got 99999"));
    EXPECT_THAT(messageOf("mlx_weight_missing.pte"), testing::HasSubstr("ffff/not.there"));
}

}  // namespace
}  // namespace et::test

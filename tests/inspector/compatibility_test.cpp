// Tests of the comparison with ExecuTorch's releases.
#include "inspector/fit/compatibility.h"

#include "backends/builtin.h"
#include "backends/known_backends.h"
#include "bundled_program/bundle.h"
#include "inspector/fit/error_codes.h"
#include "inspector/fit/release_operators.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

namespace et::inspector {
namespace {

using core::Release;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Compatibility check(const program::Program& program) {
    return checkCompatibility(program, backends::describable());
}

/// "1.0: loads only: llama::x; 1.1: …": only releases in which something is missing.
std::string gapsOf(const Compatibility& found) {
    std::string out;
    for (const ReleaseSupport& support : found.releases) {
        if (support.verdict != ReleaseVerdict::Runs) {
            out +=
                fmt::format("{}{} {}", out.empty() ? "" : "; ", name(support.release), name(support.verdict));
            for (const ReleaseLack& lack : support.lacks) {
                out += fmt::format(", {} {}", name(lack.kind), lack.subject);
            }
        }
    }
    return out;
}

/// A program whose methods "m0", "m1", … call one operator each.
std::shared_ptr<const program::Program> calling(const std::vector<std::string>& operators) {
    builder::ProgramBuilder program;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        builder::MethodBuilder& method = program.method(fmt::format("m{}", i));
        const auto in = method.input({.sizes = {4}});
        const auto out = method.intermediate({.sizes = {4}});
        method.call(operators[i], {in}, {out});
        method.output(out);
    }
    return test::parseBytes<program::Program>(*program.finish()).value();
}

TEST(CompatibilityTest, OperatorsOfAllReleasesRunEverywhere) {
    const Compatibility found = check(*calling({"aten::abs.out", "quantized_decomposed::add.out"}));
    EXPECT_EQ(gapsOf(found), "");
    EXPECT_THAT(found.libraries, ElementsAre("portable", "quantized"));
    EXPECT_THAT(found.application, IsEmpty());
    EXPECT_EQ(found.releases.size(), core::allReleases.size());
}

TEST(CompatibilityTest, ReportsTheFirstReleaseOfAnOperator) {
    EXPECT_EQ(gapsOf(check(*calling({"aten::bitwise_left_shift.Tensor_out"}))),
              "1.0 loads only, operator aten::bitwise_left_shift.Tensor_out");
    const Compatibility found = check(*calling({"aten::var_mean.correction_out"}));
    ASSERT_EQ(found.releases[2].lacks.size(), 1U);
    EXPECT_EQ(found.releases[2].lacks[0].in, (core::ReleaseRange{.first = Release::V1_3}));
    EXPECT_EQ(found.releases[2].lacks[0].effect, "load_method() fails with OperatorMissing (0x14)");
    EXPECT_EQ(found.releases[3].verdict, ReleaseVerdict::Runs);
}

TEST(CompatibilityTest, ReportsTheLastReleaseOfAnOperator) {
    const Compatibility found = check(*calling({"cadence::quantized_conv_nchw.out"}));
    EXPECT_EQ(found.releases[0].verdict, ReleaseVerdict::Runs);
    ASSERT_EQ(found.releases[6].lacks.size(), 1U);
    EXPECT_EQ(found.releases[6].lacks[0].in,
              (core::ReleaseRange{.first = Release::V1_0, .last = Release::V1_0}));
}

TEST(CompatibilityTest, MethodsAreJudgedSeparately) {
    const Compatibility found = check(*calling({"aten::abs.out", "executorch_prim::sym_ite.Scalar"}));
    EXPECT_EQ(found.releases[3].verdict, ReleaseVerdict::RunsPart);
    EXPECT_THAT(found.releases[3].lacks[0].methods, ElementsAre("m1"));
    EXPECT_EQ(found.releases[4].verdict, ReleaseVerdict::Runs);
}

TEST(CompatibilityTest, OperatorsOfNoReleaseAreTheApplications) {
    const Compatibility found = check(*calling({"mine::twice.out", "kvcache::update_and_attend"}));
    EXPECT_EQ(found.releases[0].verdict, ReleaseVerdict::RunsAdded);
    EXPECT_EQ(runningReleases(found), "1.0 to 1.6 with additions");
    ASSERT_EQ(found.application.size(), 2U);
    EXPECT_EQ(found.application[1].subject, "mine::twice.out");
    EXPECT_FALSE(found.application[1].in.has_value());
    EXPECT_EQ(found.application[1].effect, "");
    EXPECT_EQ(found.application[0].effect, "delegates only: the host keeps the cache");
}

TEST(CompatibilityTest, LeavesOutContentOfMissingBackends) {
    ET_NEEDS_SHARED_DATA();
    const auto program = program::Program::open(test::sharedData() / "mlx/offgraph_cache.pte").value();
    const Compatibility found = check(*program);
    ASSERT_EQ(found.releases[0].lacks.size(), 1U);
    EXPECT_EQ(found.releases[0].lacks[0].subject, "MLXBackend");
    ASSERT_EQ(found.releases[4].lacks.size(), 1U);
    EXPECT_EQ(found.releases[4].lacks[0].subject, "MLXBackend: KV caches outside the program");
    EXPECT_EQ(runningReleases(found), "1.5 to 1.6");
}

/// All libraries that ExecuTorch's Python code and kernels define, without those of its tests.
TEST(CompatibilityTest, NamespacesHaveAnOrigin) {
    for (const char* name : {"aten",
                             "cadence",
                             "channels_last",
                             "coreml",
                             "cortex_m",
                             "dim_order_ops",
                             "et_copy",
                             "et_vk",
                             "executorch",
                             "executorch_cuda",
                             "executorch_devtools",
                             "executorch_prim",
                             "executorch_utils",
                             "kvcache",
                             "llama",
                             "metal",
                             "mlx",
                             "preprocess",
                             "qnn_custom",
                             "quantized_decomposed",
                             "torchao",
                             "tosa",
                             "tosa_mxfp",
                             "triton"}) {
        EXPECT_NE(namespaceOrigin(std::string(name) + "::any.out"), "") << name;
    }
    EXPECT_EQ(namespaceOrigin("mine::any.out"), "");
}

TEST(CompatibilityTest, BackendsHaveReleases) {
    EXPECT_EQ(backends::releasesOf("TensorRTBackend"), (core::ReleaseRange{.first = Release::V1_6}));
    EXPECT_EQ(backends::releasesOf("MLXBackend"), (core::ReleaseRange{.first = Release::V1_3}));
    EXPECT_EQ(backends::releasesOf("ExampleBackend"), std::nullopt);
    EXPECT_EQ(backends::releasesOf("Unknown"), std::nullopt);
    EXPECT_EQ(backends::deviceOf("StubBackend"), "none: a test");
    EXPECT_EQ(backends::deviceOf("TensorRTBackend"), "NVIDIA GPU, through TensorRT");
}

TEST(CompatibilityTest, NamesTheReleasesThatRunAProgram) {
    EXPECT_EQ(runningReleases(check(*calling({"aten::abs.out"}))), "1.0 to 1.6");
    EXPECT_EQ(runningReleases(check(*calling({"executorch_prim::sym_ite.Scalar"}))), "1.4 to 1.6");
    EXPECT_EQ(runningReleases(check(*calling({"cadence::quantized_conv_nchw.out"}))), "1.0");
    EXPECT_EQ(runningReleases(
                  check(*calling({"cadence::quantized_conv_nchw.out", "executorch_prim::sym_ite.Scalar"}))),
              "none");
}

TEST(CompatibilityTest, PackagesNeedTheNewestRelease) {
    const Compatibility found = packageCompatibility();
    EXPECT_EQ(found.releases[5].verdict, ReleaseVerdict::Fails);
    EXPECT_EQ(found.releases[6].verdict, ReleaseVerdict::Runs);
    EXPECT_THAT(found.notes[0], HasSubstr("experimental"));
}

TEST(ErrorCodesTest, AreAscendingAndNamed) {
    for (std::size_t i = 1; i < errorCodes().size(); ++i) {
        EXPECT_LT(errorCodes()[i - 1].code, errorCodes()[i].code);
    }
    EXPECT_EQ(errorCodeText(0x22), "AccessFailed (0x22)");
    EXPECT_EQ(errorCodeText(0x77), "0x77");
}

/// Gaps of a file of the shared data.
std::string gapsOfFile(const std::string& name) {
    const std::filesystem::path path = test::sharedData() / name;
    if (path.extension() == ".bpte") {
        const auto bundle = bundled_program::Bundle::open(path).value();
        return gapsOf(check(*program::Program::parse(bundle->file, bundle->program).value()));
    }
    return gapsOf(check(*program::Program::open(path).value()));
}

TEST(CompatibilityTest, OldProgramsRunInAllReleases) {
    ET_NEEDS_SHARED_DATA();
    for (const char* const name :
         {"legacy/add.pte", "legacy/linear_no_constant_segment.pte", "legacy/bundled_program.bpte"}) {
        EXPECT_EQ(gapsOfFile(name), "") << name;
    }
}

TEST(CompatibilityTest, OperatorsOfLibrariesHaveReleases) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_EQ(gapsOfFile("legacy/keyword_spotting.pte"),
              "1.0 loads only, operator cortex_m::pad.out, operator cortex_m::quantized_avg_pool2d.out, "
              "operator cortex_m::quantized_conv2d.out, operator cortex_m::quantized_depthwise_conv2d.out, "
              "operator cortex_m::quantized_linear.out; 1.1 loads only, operator cortex_m::pad.out");
}

TEST(CompatibilityTest, NewProgramsNeedNewReleases) {
    ET_NEEDS_SHARED_DATA();
    const auto needs = [](std::string_view releases, std::string_view what) {
        std::string out;
        for (std::size_t at = 0; at < releases.size(); at += 4) {
            out += fmt::format("{}{} loads only, {}", out.empty() ? "" : "; ", releases.substr(at, 3), what);
        }
        return out;
    };
    EXPECT_EQ(gapsOfFile("ops_new/gated_delta_rule.bpte"),
              needs("1.0 1.1 1.2 1.3 1.4 ", "operator llama::gated_delta_rule.out"));
    EXPECT_EQ(gapsOfFile("ops_new/quantized_moe_ffn_w4.pte"),
              needs("1.0 1.1 1.2 1.3 1.4 ", "operator llama::quantized_moe_ffn.out"));
    EXPECT_EQ(gapsOfFile("mlx/mlp.pte"), needs("1.0 1.1 1.2 ", "backend MLXBackend"));
    EXPECT_EQ(gapsOfFile("native_pte/counter.pte"),
              needs("1.0 1.1 1.2 1.3 1.4 1.5 ", "backend NativeBackend"));
    EXPECT_EQ(gapsOfFile("xnnpack_bf16/bf16_linear.pte"),
              needs("1.0 1.1 1.2 1.3 1.4 ", "payload XnnpackBackend: bfloat16 values"));
}

}  // namespace
}  // namespace et::inspector

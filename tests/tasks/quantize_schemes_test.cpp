// Tests of quantization schemes, uniform and mixed per site, against the exporter's conversions.
#include "app/samples/sample_set.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/verify/quantized_limits.h"
#include "app/tasks/verify/verify_file.h"
#include "bundled_program/bundle.h"
#include "bundled_program/writer.h"
#include "runtime/core/mapped_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/quantize_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

class QuantizeSchemes : public testing::Test {
  protected:
    /// Outputs of the encoder's program on all evaluation inputs.
    std::vector<float> outputs(backends::xnnpack::SchemeKind kind, std::size_t sites) {
        const fs::path truth = quantFolder("encoder2");
        const fs::path program = folder.path() / "q.pte";
        const auto result = quantize({.record = truth / "float.etrecord",
                                      .output = program,
                                      .sites = {.scheme = {.kind = kind, .block = 32}}});
        if (!result) {
            ADD_FAILURE() << result.error().toString();
            return {};
        }
        EXPECT_EQ(std::ranges::count_if(result->sites,
                                        [](const QuantizedSite& each) { return each.site.rule.empty(); }),
                  static_cast<std::ptrdiff_t>(sites));
        return outputsOf(program, truth / "evaluation.npz");
    }
    static std::vector<float> reference() { return arrayOf(quantFolder("encoder2") / "evaluation.npz", 2); }

    test::ScratchFolder folder;
};

TEST_F(QuantizeSchemes, DynamicMatchesTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const auto own = outputs(backends::xnnpack::SchemeKind::Dynamic8, 14);
    const auto expected = arrayOf(quantFolder("encoder2") / "runner_qd8.npz", 0);
    ASSERT_EQ(own.size(), expected.size());
    EXPECT_GT(decibelsOf(own, expected), 60);
    EXPECT_NEAR(decibelsOf(own, reference()), decibelsOf(expected, reference()), 0.2);
}

TEST_F(QuantizeSchemes, WeightOnlyMatchesTheAccuracyOfTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const auto own = outputs(backends::xnnpack::SchemeKind::Weights8, 14);
    simdjson::dom::parser parser;
    const auto document = parser.load((quantFolder("encoder2") / "sensitivity.json").string()).value();
    const double truth = document["weights_only_all"]["sqnr_db"].get_double().value();
    EXPECT_NEAR(decibelsOf(own, reference()), truth, 0.2);
}

TEST_F(QuantizeSchemes, FourBitsAreAccurate) {
    ET_NEEDS_SHARED_DATA();
    // One site has rows of eight elements.
    EXPECT_GT(decibelsOf(outputs(backends::xnnpack::SchemeKind::Dynamic4, 13), reference()), 20);
}

/// Number of linear layers with 4-bit weights in a quantized language model; -1: failure.
std::ptrdiff_t layersOfFourBits(const fs::path& record, const std::string& method = {}) {
    const auto result =
        quantize({.record = record,
                  .method = method,
                  .sites = {.scheme = {.kind = backends::xnnpack::SchemeKind::Dynamic4, .block = 32}}});
    EXPECT_TRUE(result) << record << ": " << result.error().toString();
    return result ? std::ranges::count_if(result->sites,
                                          [](const QuantizedSite& each) {
                                              return each.site.rule.empty() && each.site.kind == "linear";
                                          })
                  : -1;
}

TEST_F(QuantizeSchemes, FourBitsSuitEveryLinearLayerOfALanguageModel) {
    ASSERT_TRUE(samples::writeSampleSet("llama", folder.path()));
    EXPECT_EQ(layersOfFourBits(folder.path() / "llama.etrecord"), 15);
    ET_NEEDS_SHARED_DATA();
    const fs::path models = test::sharedData() / "llm/models/tiny-a";
    for (const char* variant : {"portable_fp32", "xnnpack_fp32", "xnnpack_nosdpa_t1"}) {
        EXPECT_EQ(layersOfFourBits(models / variant += ".etrecord"), 15) << variant;
    }
    EXPECT_EQ(layersOfFourBits(models / "xnnpack_2method.etrecord", "decode"), 15);
}

/// Half precision in delegates, float32 outside; matrix product weights need half of the bytes.
TEST_F(QuantizeSchemes, HalfPrecisionIsAccurateAndSmaller) {
    ET_NEEDS_SHARED_DATA();
    const fs::path record = quantFolder("encoder2") / "float.etrecord";
    const fs::path program = folder.path() / "half.pte";
    const backends::xnnpack::QuantizationScheme half{.kind = backends::xnnpack::SchemeKind::Half};
    const auto result = quantize({.record = record, .output = program, .sites = {.scheme = half}});
    ASSERT_TRUE(result) << result.error().toString();
    const auto outputs = outputsOf(program, quantFolder("encoder2") / "evaluation.npz");
    EXPECT_GT(decibelsOf(outputs, reference()), 55);
    EXPECT_LT(decibelsOf(outputs, reference()), 90) << "it is not float32";
    const auto plain = lower({.record = record, .output = {}});
    ASSERT_TRUE(plain);
    EXPECT_LT(fs::file_size(program), plain->lowered.file.size() * 6 / 10);
    const auto isNorm = [](const FloatOperator& each) { return each.target == "aten.layer_norm.default"; };
    const auto norm = std::ranges::find_if(result->others, isNorm);
    ASSERT_NE(norm, result->others.end());
    EXPECT_EQ(norm->rule, "XNNPACK has no such operator");
    EXPECT_THAT(norm->line, testing::HasSubstr(".py:"));
}

TEST_F(QuantizeSchemes, HalfPrecisionKeepsNamedOperators) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("resnet8");
    const auto made = [&](std::vector<std::string> keep) {
        return quantize(
            {.record = at / "float.etrecord",
             .output = folder.path() / "half.pte",
             .sites = {.keep = std::move(keep), .scheme = {.kind = backends::xnnpack::SchemeKind::Half}}});
    };
    const auto all = made({});
    ASSERT_TRUE(all) << all.error().toString();
    const auto expected = arrayOf(at / "evaluation.npz", 2);
    const double allHalf = decibelsOf(outputsOf(folder.path() / "half.pte", at / "evaluation.npz"), expected);
    EXPECT_GT(allHalf, 55);
    std::vector<std::string> sites;
    for (const QuantizedSite& each : all->sites) {
        EXPECT_TRUE(each.site.rule.empty()) << each.site.name << each.site.rule;
        sites.push_back(each.site.name);
    }
    ASSERT_TRUE(made({"linear"}));
    ASSERT_TRUE(made(sites));
    EXPECT_GT(decibelsOf(outputsOf(folder.path() / "half.pte", at / "evaluation.npz"), expected),
              allHalf + 10);
}

/// Dynamic 4-bit products have no kernels, so a node that is kept out of delegates stays in float.
TEST_F(QuantizeSchemes, NodesOutsideDelegatesStayInFloatWith4Bits) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("encoder2");
    QuantizeSettings settings{
        .record = at / "float.etrecord",
        .sites = {.scheme = {.kind = backends::xnnpack::SchemeKind::Dynamic4, .block = 32}},
        .evaluation = at / "evaluation.npz"};
    const auto plain = quantize(settings);
    ASSERT_TRUE(plain) << plain.error().toString();
    const auto isQuantized = [](const QuantizedSite& each) { return each.site.rule.empty(); };
    const auto first = std::ranges::find_if(plain->sites, isQuantized);
    ASSERT_NE(first, plain->sites.end());
    settings.except = {first->site.nodes.front()};
    const auto made = quantize(settings);
    ASSERT_TRUE(made) << made.error().toString();
    EXPECT_EQ(made->sites[static_cast<std::size_t>(first - plain->sites.begin())].site.rule, outsideByName);
    EXPECT_EQ(std::ranges::count_if(made->sites, isQuantized),
              std::ranges::count_if(plain->sites, isQuantized) - 1);
    EXPECT_GT(*made->outputs->sqnrDecibels, *plain->outputs->sqnrDecibels - 1);
}

/// Float16 inside and float32 outside: rounding exceeds the tolerance of float32, but not the limit for it.
TEST_F(QuantizeSchemes, HalfInsideHasItsOwnLimitInVerify) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("encoder2");
    const fs::path program = folder.path() / "half.pte";
    const auto made = quantize({.record = at / "float.etrecord",
                                .output = program,
                                .sites = {.scheme = {.kind = backends::xnnpack::SchemeKind::Half}}});
    ASSERT_TRUE(made) << made.error().toString();
    const auto cases = bundled_program::Bundle::open(at / "float.bpte").value();
    const fs::path bundle = folder.path() / "half.bpte";
    const auto file = core::MappedFile::open(program).value();
    std::ofstream(bundle, std::ios::binary)
        << core::textOf(bundled_program::writeBundle(file->bytes(), cases->suites).value());
    VerifySettings settings;
    settings.model = {};
    const auto report = verifyFile(bundle, settings);
    EXPECT_EQ(report.verdict, bundled_program::Verdict::Pass) << report.message;
    EXPECT_EQ(report.cases.at(0).outputs.at(0).limits.minSnr, defaultHalfSqnr);
    EXPECT_GT(report.cases.at(0).outputs.at(0).metrics.signalToNoiseDecibels.value_or(200), 45);
    settings.tolerances = {.relative = {"1e-3"}, .absolute = {"1e-5"}};
    settings.cases.tolerances = parseTolerances(settings.tolerances).value();
    EXPECT_EQ(verifyFile(bundle, settings).verdict, bundled_program::Verdict::Fail);
}

/// With a scheme per site, the program gives the same results as the quantized graph in the interpreter.
TEST_F(QuantizeSchemes, AreMixedSiteBySite) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("encoder2");
    const std::vector<std::string> kinds{"w8a8-static", "w8a8-dynamic", "w4a8-dynamic:32",
                                         "fp16",        "w8",           "float"};
    QuantizeSettings settings{.record = at / "float.etrecord",
                              .calibration = at / "calibration.npz",
                              .output = folder.path() / "mixed.pte",
                              .recordOutput = folder.path() / "mixed.etrecord",
                              .evaluation = at / "evaluation.npz"};
    const auto plain = quantize(settings);
    ASSERT_TRUE(plain) << plain.error().toString();
    for (std::size_t shift = 0; shift < kinds.size(); ++shift) {
        settings.sites.named.clear();
        for (std::size_t i = 0; i < plain->sites.size(); ++i) {
            settings.sites.named.push_back(
                {.name = plain->sites[i].site.name,
                 .scheme = parseSiteScheme(kinds[(i + shift) % kinds.size()]).value()});
        }
        const auto mixed = quantize(settings);
        ASSERT_TRUE(mixed) << shift << ": " << mixed.error().toString();
        std::set<std::string> used;
        for (std::size_t i = 0; i < mixed->sites.size(); ++i) {
            const SiteReport& site = mixed->sites[i].site;
            const std::string& wanted = kinds[(i + shift) % kinds.size()];
            EXPECT_EQ(site.rule == floatByName, wanted == "float") << site.name;
            if (site.rule.empty()) {
                EXPECT_EQ(backends::xnnpack::schemeName(site.scheme), wanted);
                used.insert(wanted);
            }
        }
        EXPECT_GE(used.size(), 4U) << shift;
        // The written record contains the quantizers; computed node by node, it gives the same results.
        const auto record = etrecord::Record::open(settings.recordOutput).value();
        const auto reference = etrecord::Record::open(settings.record).value();
        VariantSettings what{.record = settings.record,
                             .calibration = settings.calibration,
                             .evaluation = settings.evaluation};
        const auto variants = QuantizedVariants::open(*reference, "forward", what).value();
        ASSERT_TRUE(variants->runFloat());
        const auto measured = variants->measureRecord(*record);
        ASSERT_TRUE(measured) << measured.error().toString();
        ASSERT_TRUE(measured->sqnrDecibels && mixed->outputs->sqnrDecibels);
        EXPECT_NEAR(*measured->sqnrDecibels, *mixed->outputs->sqnrDecibels, 1.0) << shift;
        EXPECT_GT(*mixed->outputs->sqnrDecibels, 25) << shift;
    }
}

TEST_F(QuantizeSchemes, UnusedSchemeNamesAreErrors) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("encoder2");
    const auto result = quantize({.record = at / "float.etrecord",
                                  .calibration = at / "calibration.npz",
                                  .sites = {.named = {{.name = "nobody", .scheme = {}}}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::ErrorCode::NotFound);
    EXPECT_THAT(result.error().toString(), testing::HasSubstr("nobody"));
    for (const std::string_view wrong : {"", "=", "=w8", "a", "a=", "a=w9", "a=w8:32", "a=w4a8-dynamic:31"}) {
        EXPECT_FALSE(parseNamedScheme(wrong)) << wrong;
    }
    const auto named = parseNamedScheme("layers.3=w4a8-dynamic:64");
    ASSERT_TRUE(named);
    EXPECT_EQ(named->name, "layers.3");
    EXPECT_EQ(siteSchemeName(named->scheme), "w4a8-dynamic:64");
}

}  // namespace
}  // namespace et::tasks

// Tests that records quantized here have the scales of the exporter's conversion, and the programs its
// outputs.
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/quantize_outputs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// An observer of the exporter: its chosen scale and observed range.
struct TrueScale {
    std::vector<double> scales;
    std::int64_t zeroPoint = 0;
    double low = 0;
    double high = 0;
};

/// A number, or the first number of a list.
double numberOf(simdjson::dom::element element) {
    double number = 0;
    simdjson::dom::array list;
    if (element.get(list) == simdjson::SUCCESS) {
        EXPECT_EQ(list.at(0).get(number), simdjson::SUCCESS);
    } else {
        EXPECT_EQ(element.get(number), simdjson::SUCCESS);
    }
    return number;
}

simdjson::dom::array listOf(simdjson::dom::element element, std::string_view key) {
    simdjson::dom::array list;
    EXPECT_EQ(element[key].get(list), simdjson::SUCCESS) << key;
    return list;
}

std::string textAt(simdjson::dom::element element, std::string_view key) {
    std::string_view text;
    EXPECT_EQ(element[key].get(text), simdjson::SUCCESS) << key;
    return std::string(text);
}

/// Scales by the joined names of the values each observer watched.
std::map<std::string, TrueScale> trueScales(std::string_view model, std::string_view role) {
    std::map<std::string, TrueScale> found;
    simdjson::dom::parser parser;
    const auto document = parser.load((quantFolder(model) / "qparams.json").string()).value();
    for (const simdjson::dom::element observer : listOf(document, "observers")) {
        if (textAt(observer, "role") != role) {
            continue;
        }
        std::vector<std::string> names;
        for (const simdjson::dom::element name : listOf(observer, "observed")) {
            names.emplace_back(name.get_string().value());
        }
        TrueScale scale;
        for (const simdjson::dom::element each : listOf(observer, "scale")) {
            scale.scales.push_back(each.get_double().value());
        }
        scale.zeroPoint = listOf(observer, "zero_point").at(0).get_int64().value();
        scale.low = numberOf(observer["min"].value());
        scale.high = numberOf(observer["max"].value());
        found[fmt::format("{}", fmt::join(names, "+"))] = scale;
    }
    return found;
}

class QuantizeModels : public testing::TestWithParam<const char*> {
  protected:
    core::Result<QuantizeResult> quantized(
        backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram) {
        const fs::path truth = quantFolder(GetParam());
        return quantize({.record = truth / "float.etrecord",
                         .calibration = truth / "calibration.npz",
                         .output = program(),
                         .observer = observer});
    }
    [[nodiscard]] fs::path program() const { return folder.path() / "q.pte"; }

    test::ScratchFolder folder;
};

/// Number of observers whose result differs from the exporter's. The walk over a histogram ends where the
/// error grows, even slightly, so the last bits of the float values decide between neighbours.
std::size_t otherEnds(std::string_view model) {
    return model == "encoder2" ? 1 : 0;
}

TEST_P(QuantizeModels, ActivationScalesMatchTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const auto result = quantized();
    ASSERT_TRUE(result) << result.error().toString();
    const auto expected = trueScales(GetParam(), "activation");
    EXPECT_EQ(result->scales.size(), expected.size());
    std::size_t elsewhere = 0;
    for (const ScaleReport& scale : result->scales) {
        const std::string name = fmt::format("{}", fmt::join(scale.exported, "+"));
        const auto found = expected.find(name);
        ASSERT_NE(found, expected.end()) << name;
        const TrueScale& truth = found->second;
        const double width = truth.high - truth.low;
        EXPECT_NEAR(scale.seen.low, truth.low, 1e-6 * width) << name;
        EXPECT_NEAR(scale.seen.high, truth.high, 1e-6 * width) << name;
        const double off = std::abs(static_cast<double>(scale.numbers.scale) / truth.scales.front() - 1);
        EXPECT_LT(off, 0.01) << name;
        const bool same = off < 1e-6 && scale.numbers.zeroPoint == truth.zeroPoint;
        elsewhere += same ? 0 : 1;
    }
    EXPECT_LE(elsewhere, otherEnds(GetParam()));
}

/// Calibration with differently rounded activations finds the exporter's scale, too.
TEST(QuantizeRounding, OneScaleDependsOnTheLastBits) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = quantFolder("encoder2");
    const double expected = trueScales("encoder2", "activation").at("linear_11").scales.front();
    const auto record = etrecord::Record::open(at / "float.etrecord").value();
    const VariantSettings settings{.record = {}, .calibration = at / "calibration.npz", .evaluation = {}};
    const auto variants = QuantizedVariants::open(*record, "forward", settings).value();
    const auto annotation = variants->annotate(choicesOf(variants->sites()));
    std::vector<std::size_t> moved(annotation.scales.size(), 0);
    std::size_t asTheExporter = 0;
    std::vector<double> first;
    for (unsigned draw = 0; draw < 7; ++draw) {
        backends::xnnpack::Observations seen;
        ASSERT_TRUE(variants->model().calibrate(variants->calibration(), {&annotation, 1}, settings.observer,
                                                variants->interpreterOptions(), seen, draw));
        const auto numbers = backends::xnnpack::PreparedModel::numbersOf(annotation, seen).value();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double scale = first.emplace_back(numbers[i].scale);
            moved[i] += std::abs(scale / first[i] - 1) > 1e-5 ? 1 : 0;
            asTheExporter += std::abs(scale / expected - 1) < 1e-6 ? 1 : 0;
        }
    }
    EXPECT_GT(asTheExporter, 0U);
    EXPECT_LE(std::ranges::count_if(moved, [](std::size_t times) { return times > 0; }), 3);
}

TEST_P(QuantizeModels, WeightScalesMatchTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const auto result = quantized();
    ASSERT_TRUE(result) << result.error().toString();
    const auto expected = trueScales(GetParam(), "weight");
    std::vector<const QuantizedSite*> weighted;
    for (const QuantizedSite& site : result->sites) {
        if (!site.weightScales.empty()) {
            weighted.push_back(&site);
        }
    }
    ASSERT_EQ(weighted.size(), expected.size());
    for (const QuantizedSite* site : weighted) {
        std::string name = site->site.module + "_weight";
        std::ranges::replace(name, '.', '_');
        const auto found = expected.find(name);
        ASSERT_NE(found, expected.end()) << name;
        ASSERT_EQ(site->weightScales.size(), found->second.scales.size()) << name;
        for (std::size_t i = 0; i < site->weightScales.size(); ++i) {
            const double scale = found->second.scales[i];
            EXPECT_NEAR(site->weightScales[i], scale, 1e-6 * scale) << name << " " << i;
        }
    }
}

TEST_P(QuantizeModels, OutputsMatchTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const fs::path truth = quantFolder(GetParam());
    const auto result = quantized();
    ASSERT_TRUE(result) << result.error().toString();
    const std::vector<float> outputs = outputsOf(program(), truth / "evaluation.npz");
    const std::vector<float> expected = arrayOf(truth / "runner_q8.npz", 0);
    ASSERT_EQ(outputs.size(), expected.size());
    const double step = static_cast<double>(result->scales.back().numbers.scale);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const double steps = std::abs(static_cast<double>(outputs[i] - expected[i])) / step;
        EXPECT_LT(steps, 1.001) << i;
        equal += steps < 0.5 ? 1 : 0;
    }
    EXPECT_GE(equal, outputs.size() * 9 / 10);
    const std::vector<float> reference = arrayOf(truth / "evaluation.npz", 2);
    EXPECT_NEAR(decibelsOf(outputs, reference), decibelsOf(expected, reference), 0.4);
}

TEST_P(QuantizeModels, EveryObserverGivesAnAccurateProgram) {
    ET_NEEDS_SHARED_DATA();
    using enum backends::xnnpack::ObserverKind;
    const fs::path evaluation = quantFolder(GetParam()) / "evaluation.npz";
    const std::vector<float> reference = arrayOf(evaluation, 2);
    for (const auto observer : {MinMax, MovingAverage, Percentile, SquareError}) {
        const auto result = quantized(observer);
        ASSERT_TRUE(result) << result.error().toString();
        // After 16 runs, a moving average is still close to its first value.
        EXPECT_GT(decibelsOf(outputsOf(program(), evaluation), reference), observer == MovingAverage ? 8 : 25)
            << GetParam() << " " << static_cast<int>(observer);
    }
}

TEST(Quantize, KeepsNamedOperatorsAndReportsThem) {
    ET_NEEDS_SHARED_DATA();
    const fs::path truth = quantFolder("resnet8");
    const auto result = quantize({.record = truth / "float.etrecord",
                                  .calibration = truth / "float.bpte",
                                  .sites = {.keep = {"b2", "conv2d_1"}}});
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_EQ(result->cases, 4U);
    std::vector<std::string> kept;
    for (const auto& [site, output, weightScales] : result->sites) {
        if (!site.rule.empty()) {
            EXPECT_EQ(site.rule, "it is named by --keep");
            EXPECT_EQ(site.line, site.kind == "conv" ? "conv.py:565" : "zoo.py:101") << site.name;
            kept.push_back(site.name);
        }
    }
    EXPECT_THAT(kept, testing::ElementsAre("conv2d_1", "conv2d_3", "conv2d_4", "conv2d_5", "add_1"));
}

TEST(Quantize, ErrorsNameTheProblem) {
    ET_NEEDS_SHARED_DATA();
    const fs::path truth = quantFolder("resnet8");
    const auto errorOf = [&](const char* record, const fs::path& cases, std::vector<std::string> keep) {
        const auto result =
            quantize({.record = truth / record, .calibration = cases, .sites = {.keep = std::move(keep)}});
        return result ? std::string() : result.error().toString();
    };
    const fs::path cases = truth / "calibration.npz";
    EXPECT_THAT(errorOf("q8.etrecord", cases, {}),
                testing::HasSubstr("the graph is already quantized: node "
                                   "\"quantized_decomposed_dequantize_per_channel_default\""));
    // An operator that calibration does not cover: the message names node, rule and line.
    EXPECT_THAT(errorOf("q8.etrecord", cases, {}),
                testing::ContainsRegex("give the record of the float model \\(.*\\.py:[0-9]+\\)"));
    EXPECT_THAT(errorOf("float.etrecord", cases, {"b9"}),
                testing::HasSubstr("no node, operator or module of the Edge graphs is called \"b9\""));
    EXPECT_THAT(errorOf("float.etrecord", quantFolder("encoder2") / "calibration.npz", {}),
                testing::HasSubstr("no tensor fits the input \"x\": expected float32 [1, 3, 32, 32]"));
}

INSTANTIATE_TEST_SUITE_P(Shared, QuantizeModels, testing::Values("resnet8", "mbv2_025", "encoder2"));

}  // namespace
}  // namespace et::tasks

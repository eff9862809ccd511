// Records that are quantized here have the scales of the exporter's own conversion, and the programs its
// outputs.
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/run/model.h"
#include "inspector/tensors/tensor_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;

fs::path quantFolder(std::string_view model) {
    return test::sharedData() / "quant" / model;
}

/// An observer of the exporter: what it chose, and the range that it saw.
struct TrueScale {
    std::vector<double> scales;
    std::int64_t zeroPoint = 0;
    double low = 0;
    double high = 0;
};

/// A number, or the first of a list.
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

/// By the joined names of what each observer watched.
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

/// The walk over a histogram ends where the error grows, by however little: the last bits of the float
/// values decide between neighbours. Observers that end elsewhere than the exporter's.
std::size_t otherEnds(std::string_view model) {
    return model == "encoder2" ? 1 : 0;
}

TEST_P(QuantizeModels, ActivationScalesAreTheExporters) {
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

/// Calibrations with activations that are rounded otherwise find the exporter's scale as well.
TEST(QuantizeRounding, ThatOneScaleIsDecidedByLastBits) {
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

TEST_P(QuantizeModels, WeightScalesAreTheExporters) {
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

/// A program's first outputs on each row of a file of inputs, one behind the other.
std::vector<float> outputsOf(const fs::path& program, const fs::path& inputs) {
    std::vector<float> outputs;
    const auto model = Model::open(program, {}, nullptr);
    const auto read = inspector::readTensorFile(inputs, std::nullopt, 1 << 30);
    if (!model || !read) {
        ADD_FAILURE() << (model ? read.error() : model.error()).toString();
        return outputs;
    }
    const inspector::HostTensor& rows = read->front();
    const auto count = static_cast<std::size_t>(rows.sizes.front());
    const std::size_t bytes = rows.data.size() / count;
    std::vector<std::int64_t> sizes = rows.sizes;
    sizes.front() = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const executor::TensorInput input{
            .dtype = rows.dtype, .sizes = sizes, .data = std::span(rows.data).subspan(i * bytes, bytes)};
        EXPECT_TRUE((*model)->method->setInput(0, input));
        EXPECT_TRUE((*model)->method->execute());
        const auto& output = *(*model)->method->output(0).as<core::Tensor>();
        outputs.insert(outputs.end(), output.data<float>(), output.data<float>() + output.numel());
    }
    return outputs;
}

/// SQNR over all rows together.
double decibelsOf(std::span<const float> outputs, std::span<const float> reference) {
    double signal = 0;
    double noise = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto expected = static_cast<double>(reference[i]);
        signal += expected * expected;
        noise += std::pow(static_cast<double>(outputs[i]) - expected, 2);
    }
    return 10 * std::log10(signal / noise);
}

std::vector<float> arrayOf(const fs::path& file, std::size_t index) {
    const auto read = inspector::readTensorFile(file, std::nullopt, 1 << 30).value();
    std::vector<float> numbers(read[index].data.size() / sizeof(float));
    std::memcpy(numbers.data(), read[index].data.data(), read[index].data.size());
    return numbers;
}

TEST_P(QuantizeModels, OutputsAreTheExporters) {
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

TEST_P(QuantizeModels, EveryObserverGivesAProgramOfUse) {
    ET_NEEDS_SHARED_DATA();
    using enum backends::xnnpack::ObserverKind;
    const fs::path evaluation = quantFolder(GetParam()) / "evaluation.npz";
    const std::vector<float> reference = arrayOf(evaluation, 2);
    for (const auto observer : {MinMax, MovingAverage, Percentile, SquareError}) {
        const auto result = quantized(observer);
        ASSERT_TRUE(result) << result.error().toString();
        // After 16 runs an average is still near the first of them, whatever came later.
        EXPECT_GT(decibelsOf(outputsOf(program(), evaluation), reference), observer == MovingAverage ? 8 : 25)
            << GetParam() << " " << static_cast<int>(observer);
    }
}

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

TEST_F(QuantizeSchemes, DynamicIsTheExporters) {
    ET_NEEDS_SHARED_DATA();
    const auto own = outputs(backends::xnnpack::SchemeKind::Dynamic8, 14);
    const auto expected = arrayOf(quantFolder("encoder2") / "runner_qd8.npz", 0);
    ASSERT_EQ(own.size(), expected.size());
    EXPECT_GT(decibelsOf(own, expected), 60);
    EXPECT_NEAR(decibelsOf(own, reference()), decibelsOf(expected, reference()), 0.2);
}

TEST_F(QuantizeSchemes, WeightsAloneAreAsNearAsTheExporters) {
    ET_NEEDS_SHARED_DATA();
    const auto own = outputs(backends::xnnpack::SchemeKind::Weights8, 14);
    simdjson::dom::parser parser;
    const auto document = parser.load((quantFolder("encoder2") / "sensitivity.json").string()).value();
    const double truth = document["weights_only_all"]["sqnr_db"].get_double().value();
    EXPECT_NEAR(decibelsOf(own, reference()), truth, 0.2);
}

TEST_F(QuantizeSchemes, FourBitsComeNear) {
    ET_NEEDS_SHARED_DATA();
    // One site has rows of eight elements.
    EXPECT_GT(decibelsOf(outputs(backends::xnnpack::SchemeKind::Dynamic4, 13), reference()), 20);
}

/// Half precision in delegates, float32 outside; weights of products of matrices take half of the bytes.
TEST_F(QuantizeSchemes, HalfPrecisionComesNearAndIsSmaller) {
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

TEST_F(QuantizeSchemes, HalfPrecisionKeepsWhatIsNamed) {
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

/// A scheme for each site: what the program gives is what the quantized graph gives in the interpreter.
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
        // The record that was written has the quantizers: computed node by node, it gives the same.
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

TEST_F(QuantizeSchemes, NamesOfSchemesHaveToStandForSomething) {
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

TEST(Quantize, KeepsWhatIsNamedAndSaysSo) {
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

TEST(Quantize, NamesWhatIsWrong) {
    ET_NEEDS_SHARED_DATA();
    const fs::path truth = quantFolder("resnet8");
    const auto errorOf = [&](const char* record, const fs::path& cases, std::vector<std::string> keep) {
        const auto result =
            quantize({.record = truth / record, .calibration = cases, .sites = {.keep = std::move(keep)}});
        return result ? std::string() : result.error().toString();
    };
    const fs::path cases = truth / "calibration.npz";
    EXPECT_THAT(errorOf("q8.etrecord", cases, {}),
                testing::HasSubstr("the graph is quantized already: node "
                                   "\"quantized_decomposed_dequantize_per_channel_default\""));
    // An operator that calibration cannot reach: the message names node, rule and line.
    EXPECT_THAT(errorOf("q8.etrecord", cases, {}),
                testing::ContainsRegex("give the record of the float model \\(.*\\.py:[0-9]+\\)"));
    EXPECT_THAT(errorOf("float.etrecord", cases, {"b9"}),
                testing::HasSubstr("no node, operator or module of the Edge graphs is called \"b9\""));
    EXPECT_THAT(errorOf("float.etrecord", quantFolder("encoder2") / "calibration.npz", {}),
                testing::HasSubstr("no tensor fits the input \"x\": expected float32 [1, 3, 32, 32]"));
}

INSTANTIATE_TEST_SUITE_P(Shared, QuantizeModels, testing::Values("resnet8", "mbv2_025", "encoder2"));

}  // namespace
}  // namespace et::app

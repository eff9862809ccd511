// Tests that sites rank as in real conversions of the exporter, one per site.
#include "app/tasks/lab/sensitivity_run.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/quantize_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// Nothing: identical.
double decibelsIn(simdjson::dom::element element, std::string_view key) {
    double number = std::numeric_limits<double>::infinity();
    auto found = element[key]["sqnr_db"];
    if (found.error() == simdjson::SUCCESS && !found.value().is_null()) {
        number = found.get_double().value();
    }
    return number;
}

struct TrueSite {
    std::string module;
    double only = 0;
    double allBut = 0;
};

std::map<std::string, TrueSite> trueSites(std::string_view model) {
    std::map<std::string, TrueSite> sites;
    simdjson::dom::parser parser;
    const auto document = parser.load((quantFolder(model) / "sensitivity.json").string()).value();
    const simdjson::dom::array list = document["sites"].get_array().value();
    for (const simdjson::dom::element site : list) {
        sites[std::string(site["site"].get_string().value())] = {
            .module = std::string(site["module"].get_string().value()),
            .only = decibelsIn(site, "only"),
            .allBut = decibelsIn(site, "all_but")};
    }
    return sites;
}

/// Ranks starting at 0; equal numbers share the mean of their ranks.
std::vector<double> ranksOf(const std::vector<double>& numbers) {
    std::vector<double> ranks;
    for (const double number : numbers) {
        const auto below = std::ranges::count_if(numbers, [&](double each) { return each < number; });
        const auto equal = std::ranges::count(numbers, number);
        ranks.push_back(static_cast<double>(below) + static_cast<double>(equal - 1) / 2);
    }
    return ranks;
}

double spearman(const std::vector<double>& left, const std::vector<double>& right) {
    const auto a = ranksOf(left);
    const auto b = ranksOf(right);
    const double middle = static_cast<double>(a.size() - 1) / 2;
    double product = 0;
    double squares = 0;
    double others = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += (a[i] - middle) * (b[i] - middle);
        squares += (a[i] - middle) * (a[i] - middle);
        others += (b[i] - middle) * (b[i] - middle);
    }
    return product / std::sqrt(squares * others);
}

double decibelsOf(const std::optional<OutputError>& closeness) {
    EXPECT_TRUE(closeness.has_value());
    return closeness ? closeness->sqnrDecibels.value_or(std::numeric_limits<double>::infinity()) : 0;
}

/// Checks that sites with separate error ranges have the order of the real conversions.
void expectOrder(const SensitivityResult& result, const std::vector<double>& trueAllBut) {
    std::size_t apart = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < trueAllBut.size(); ++i) {
        for (std::size_t j = 0; j < trueAllBut.size(); ++j) {
            if (result.sites[i].allButRange->high < result.sites[j].allButRange->low) {
                ++apart;
                wrong += trueAllBut[i] < trueAllBut[j] ? 0 : 1;
            }
        }
    }
    EXPECT_GT(apart, trueAllBut.size());
    EXPECT_LE(wrong * 10, apart) << wrong << " of " << apart;
}

class SensitivityOfModels : public testing::TestWithParam<const char*> {};

TEST_P(SensitivityOfModels, RanksAsRealConversions) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = quantFolder(GetParam());
    const auto result = measureSensitivity({.record = folder / "float.etrecord",
                                            .calibration = folder / "calibration.npz",
                                            .evaluation = folder / "evaluation.npz",
                                            .maxCases = 64});
    ASSERT_TRUE(result) << result.error().toString();
    const auto expected = trueSites(GetParam());
    ASSERT_EQ(result->sites.size(), expected.size());
    std::vector<double> only, allBut, trueOnly, trueAllBut;
    for (const SiteSensitivity& each : result->sites) {
        const auto found = expected.find(each.site.name);
        ASSERT_NE(found, expected.end()) << each.site.name;
        EXPECT_EQ(each.site.module, found->second.module);
        only.push_back(decibelsOf(each.only));
        allBut.push_back(decibelsOf(each.allBut));
        trueOnly.push_back(found->second.only);
        trueAllBut.push_back(found->second.allBut);
        // One observer of encoder2 differs from the exporter's (quantize_test.cpp).
        EXPECT_NEAR(only.back(), trueOnly.back(), each.site.name == "linear_11" ? 1.0 : 0.1)
            << each.site.name;
        ASSERT_TRUE(each.allButRange) << each.site.name;
        EXPECT_LE(each.allButRange->low, allBut.back());
        EXPECT_GE(each.allButRange->high, allBut.back());
    }
    EXPECT_GE(spearman(only, trueOnly), 0.9);
    EXPECT_GE(spearman(allBut, trueAllBut), 0.9);
    expectOrder(*result, trueAllBut);
}

TEST(Sensitivity, DistinguishesWeightsFromActivations) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = quantFolder("resnet8");
    const auto result = measureSensitivity({.record = folder / "float.etrecord",
                                            .calibration = folder / "calibration.npz",
                                            .evaluation = folder / "evaluation.npz"});
    ASSERT_TRUE(result) << result.error().toString();
    simdjson::dom::parser parser;
    const auto document = parser.load((folder / "sensitivity.json").string()).value();
    const simdjson::dom::array list = document["sites"].get_array().value();
    std::size_t index = 0;
    for (const simdjson::dom::element site : list) {
        const SiteSensitivity& own = result->sites.at(index++);
        if (own.onlyWeights) {
            EXPECT_NEAR(decibelsOf(own.onlyWeights), decibelsIn(site, "only_weights"), 0.1) << own.site.name;
            EXPECT_NEAR(decibelsOf(own.onlyActivations), decibelsIn(site, "only_activations"), 0.1)
                << own.site.name;
        }
    }
    EXPECT_NEAR(result->all.sqnrDecibels.value_or(0), 27.081, 0.1);
    EXPECT_EQ(result->all.top1.value_or(0), 1.0);
}

TEST(Sensitivity, ReportsWhyARangeIsTooSmall) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = quantFolder("resnet8");
    const auto causeWith = [&](backends::xnnpack::ObserverKind observer) {
        const auto result = measureSensitivity({.record = folder / "float.etrecord",
                                                .calibration = folder / "calibration.npz",
                                                .evaluation = folder / "evaluation.npz",
                                                .observer = observer});
        return result ? result->sites.back().cause : result.error().toString();
    };
    EXPECT_THAT(causeWith(backends::xnnpack::ObserverKind::MovingAverage),
                testing::HasSubstr("of its results are clipped: try --observer minmax"));
    EXPECT_THAT(causeWith(backends::xnnpack::ObserverKind::Histogram),
                testing::HasSubstr("of its results are clipped: calibrate on more inputs"));
}

TEST(Sensitivity, ObservesASignal) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = quantFolder("resnet8");
    const std::atomic<bool> cancelled = true;
    const auto result = measureSensitivity({.record = folder / "float.etrecord",
                                            .calibration = folder / "calibration.npz",
                                            .evaluation = {},
                                            .cancel = &cancelled});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::ErrorCode::Cancelled);
}

/// Removes the exporter's quantizers site by site, with its own ranges.
class SensitivityOfRecords : public testing::TestWithParam<const char*> {
  protected:
    static core::Result<SensitivityResult> measured(const char* record, const char* quantized,
                                                    const char* calibration, std::size_t cases) {
        const fs::path folder = quantFolder(GetParam());
        return measureSensitivity({.record = folder / record,
                                   .calibration = *calibration == 0 ? fs::path() : folder / calibration,
                                   .evaluation = folder / "evaluation.npz",
                                   .quantized = *quantized == 0 ? fs::path() : folder / quantized,
                                   .maxCases = cases});
    }
};

TEST_P(SensitivityOfRecords, RankAsRealConversions) {
    ET_NEEDS_SHARED_DATA();
    const auto result = measured("float.etrecord", "q8.etrecord", "calibration.npz", 64);
    ASSERT_TRUE(result) << result.error().toString();
    const auto expected = trueSites(GetParam());
    std::vector<double> allBut, trueAllBut;
    for (const SiteSensitivity& each : result->sites) {
        const TrueSite& truth = expected.at(each.site.name);
        // A mean of integers is often halfway between two, where the summation order decides.
        EXPECT_NEAR(decibelsOf(each.only), truth.only, 0.15) << each.site.name;
        allBut.push_back(decibelsOf(each.allBut));
        trueAllBut.push_back(truth.allBut);
        EXPECT_NEAR(allBut.back(), truth.allBut, 0.06) << each.site.name;
    }
    EXPECT_GE(spearman(allBut, trueAllBut), 0.9);
}

TEST_P(SensitivityOfRecords, NeedNoFloatRecordForActivations) {
    ET_NEEDS_SHARED_DATA();
    const auto result = measured("q8.etrecord", "", "", 8);
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_EQ(result->source, QuantizerSource::Record);
    EXPECT_FALSE(result->allWeights);
    const auto both = measured("float.etrecord", "q8.etrecord", "", 8);
    ASSERT_TRUE(both) << both.error().toString();
    ASSERT_EQ(result->sites.size(), both->sites.size());
    std::vector<double> own, others;
    for (std::size_t i = 0; i < both->sites.size(); ++i) {
        EXPECT_EQ(result->sites[i].site.name, both->sites[i].site.name);
        EXPECT_FALSE(result->sites[i].onlyWeights);
        own.push_back(decibelsOf(result->sites[i].only));
        others.push_back(decibelsOf(both->sites[i].onlyActivations ? both->sites[i].onlyActivations
                                                                   : both->sites[i].only));
    }
    EXPECT_GE(spearman(own, others), 0.9);
}

/// Outputs of a record's graph for the first evaluation inputs.
std::vector<CaseOutputs> outputsOf(const etrecord::Record& record,
                                   const std::vector<CalibrationCase>& cases) {
    const kernels::ThreadPool threads(1);
    const auto interpreter = backends::reference::Interpreter::edge(
        record, "forward", {.kernels = kernels::builtin(), .threads = threads});
    std::vector<CaseOutputs> outputs;
    for (const CalibrationCase& each : cases) {
        outputs.push_back((*interpreter)->run(each).value());
    }
    return outputs;
}

TEST_P(SensitivityOfRecords, AllQuantizersAreThoseOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = quantFolder(GetParam());
    const auto record = etrecord::Record::open(folder / "q8.etrecord").value();
    const VariantSettings settings{.record = folder / "q8.etrecord",
                                   .calibration = {},
                                   .evaluation = folder / "evaluation.npz",
                                   .maxCases = 4};
    const auto variants = QuantizedVariants::open(*record, "forward", settings);
    ASSERT_TRUE(variants) << variants.error().toString();
    const auto all = (*variants)->annotate(choicesOf((*variants)->sites()));
    const auto again = (*variants)->record(all);
    ASSERT_TRUE(again) << again.error().toString();
    const auto expected = outputsOf(*record, (*variants)->evaluation());
    EXPECT_FALSE(measureOutputError(expected, outputsOf(**again, (*variants)->evaluation())).sqnrDecibels);
    EXPECT_TRUE(
        measureOutputError(expected, outputsOf((*variants)->model().record(), (*variants)->evaluation()))
            .sqnrDecibels);
}

TEST(Sensitivity, NamesSitesThatCannotBeExcluded) {
    ET_NEEDS_SHARED_DATA();
    const fs::path encoder = quantFolder("encoder2");
    const fs::path inputs = encoder / "evaluation.npz";
    const auto errorOf = [&](const fs::path& record, const fs::path& quantized) {
        const auto result = measureSensitivity(
            {.record = record, .calibration = {}, .evaluation = inputs, .quantized = quantized});
        return result ? std::string() : result.error().toString();
    };
    EXPECT_THAT(errorOf(encoder / "qd8.etrecord", {}),
                testing::HasSubstr("node \"quantized_decomposed_choose_qparams_tensor\" "
                                   "(quantized_decomposed.choose_qparams.tensor) cannot be removed from the "
                                   "graph: its scale is computed at run time"));
    EXPECT_THAT(errorOf(encoder / "float.etrecord", quantFolder("resnet8") / "q8.etrecord"),
                testing::HasSubstr("the records belong to different models: operator 0 is node "
                                   "\"aten_convolution_default\""));
    EXPECT_THAT(errorOf(encoder / "float.etrecord", {}),
                testing::HasSubstr("give calibration inputs with --calibrate"));
    EXPECT_THAT(errorOf(encoder / "q8.etrecord", encoder / "q8.etrecord"),
                testing::HasSubstr("give the record of the float model first"));
}

INSTANTIATE_TEST_SUITE_P(Shared, SensitivityOfRecords, testing::Values("resnet8", "encoder2"));
INSTANTIATE_TEST_SUITE_P(Shared, SensitivityOfModels, testing::Values("resnet8", "mbv2_025", "encoder2"));

}  // namespace
}  // namespace et::tasks

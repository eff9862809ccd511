// Tests of the search against the measured greedy path of real conversions, and of its output against its
// budgets.
#include "app/output/lab/optimize_info.h"
#include "app/output/lab/quantize_recipe.h"
#include "app/tasks/lab/optimize_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/variant_measures.h"
#include "app/tasks/model/model.h"
#include "inspector/tensor_files/tensor_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/quantize_outputs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// A step of the measured greedy path.
struct TruePoint {
    std::vector<std::string> inFloat;
    double decibels = 0;

    [[nodiscard]] double error() const { return std::pow(10, -decibels / 20); }
};

/// Points of the path, indexed by the number of sites in float.
std::vector<TruePoint> truePath(std::string_view model) {
    std::vector<TruePoint> path;
    simdjson::dom::parser parser;
    const auto document = parser.load((quantFolder(model) / "search.json").string()).value();
    for (const simdjson::dom::element step : document["greedy"].get_array()) {
        TruePoint point{.inFloat = {}, .decibels = step["sqnr_db"].get_double().value()};
        for (const simdjson::dom::element site : step["float_sites"].get_array()) {
            point.inFloat.emplace_back(site.get_string().value());
        }
        path.push_back(std::move(point));
    }
    return path;
}

OptimizeSettings settingsFor(std::string_view model, const std::string& budget) {
    const fs::path folder = quantFolder(model);
    OptimizeSettings settings;
    settings.what = {.record = folder / "float.etrecord",
                     .calibration = folder / "calibration.npz",
                     .evaluation = folder / "evaluation.npz",
                     .threads = 0};
    settings.budget = budget.empty() ? OptimizeBudget() : parseOptimizeBudget(budget).value();
    settings.schemes = {backends::xnnpack::QuantizationScheme()};
    settings.seconds = 3600;
    settings.times = false;
    settings.progress.mode = ProgressMode::None;
    return settings;
}

/// Static scales for all sites except these.
SiteSchemes staticBut(const std::vector<SiteReport>& sites, const std::vector<std::string>& inFloat) {
    SiteSchemes schemes;
    for (const SiteReport& site : sites) {
        schemes.push_back(std::ranges::contains(inFloat, site.name)
                              ? SiteScheme()
                              : SiteScheme(backends::xnnpack::QuantizationScheme()));
    }
    return schemes;
}

/// Size in bytes of the program that `quantize` makes with these sites in float.
std::uint64_t bytesWith(std::string_view model, const std::vector<SiteReport>& sites,
                        const std::vector<std::string>& inFloat) {
    const OptimizeSettings settings = settingsFor(model, "");
    QuantizeSettings what{.record = settings.what.record, .calibration = settings.what.calibration};
    what.sites.chosen = staticBut(sites, inFloat);
    const auto made = quantize(what);
    EXPECT_TRUE(made) << made.error().toString();
    return made ? made->lowered.lowered.file.size() : 0;
}

/// Errors of the path's site sets, as measured by the search.
std::vector<double> errorsOf(const std::vector<TruePoint>& path, const std::vector<SiteReport>& sites,
                             const OptimizeSettings& settings) {
    const auto record = etrecord::Record::open(settings.what.record).value();
    const auto variants = QuantizedVariants::open(*record, "forward", settings.what).value();
    EXPECT_TRUE(variants->runFloat());
    VariantMeasures measures(*variants, std::chrono::steady_clock::time_point::max(), nullptr);
    std::vector<SiteSchemes> sets;
    for (const TruePoint& point : path) {
        sets.push_back(staticBut(sites, point.inFloat));
    }
    std::vector<double> errors;
    const std::vector<double> noises = measures.noises(sets).value();
    for (const double noise : noises) {
        errors.push_back(std::sqrt(noise));
    }
    return errors;
}

double leastErrorWith(const OptimizeResult& result, std::size_t count) {
    double least = 1;
    for (const OptimizePoint& point : result.points) {
        least = point.count() <= count ? std::min(least, point.error()) : least;
    }
    return least;
}

/// SQNR of a program's outputs on the evaluation inputs against the exporter's float model.
double decibelsOfFile(const fs::path& program, std::string_view model) {
    const auto loaded = Model::open(program, {}, nullptr).value();
    const auto tensors =
        inspector::readTensorFile(quantFolder(model) / "evaluation.npz", std::nullopt, 1 << 30).value();
    const auto& inputs = tensors.at(0);
    const auto& expected = tensors.at(2);
    const auto rows = static_cast<std::size_t>(inputs.sizes.front());
    const std::size_t inputBytes = inputs.data.size() / rows;
    std::vector<std::int64_t> sizes = inputs.sizes;
    sizes.front() = 1;
    double power = 0;
    double noise = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto bytes = std::span(inputs.data).subspan(row * inputBytes, inputBytes);
        EXPECT_TRUE(loaded->method->setInput(0, executor::TensorInput{.sizes = sizes, .data = bytes}));
        EXPECT_TRUE(loaded->method->execute());
        const auto& output = *loaded->method->output(0).as<core::Tensor>();
        const auto count = static_cast<std::size_t>(output.numel());
        const auto* truth = reinterpret_cast<const float*>(expected.data.data()) + row * count;
        for (std::size_t i = 0; i < count; ++i) {
            const auto number = static_cast<double>(truth[i]);
            power += number * number;
            noise += std::pow(static_cast<double>(output.data<float>()[i]) - number, 2);
        }
    }
    return 10 * std::log10(power / noise);
}

/// The largest model is searched on half of the inputs. Each step of its measured path is compared with the
/// search's result by the search's own error measure (sensitivity_test shows for each site that it matches
/// the conversions); the written program always runs on all inputs.
class OptimizeModels : public testing::TestWithParam<const char*> {
  protected:
    static bool isHalved() { return std::string_view(GetParam()) == "mbv2_025"; }

    test::ScratchFolder folder;
};

TEST_P(OptimizeModels, AreAsAccurateAsTheMeasuredPath) {
    ET_NEEDS_SHARED_DATA();
    const auto path = truePath(GetParam());
    const TruePoint& middle = path[path.size() / 2];
    const auto sites = [&] {
        OptimizeSettings none = settingsFor(GetParam(), "");
        none.seconds = 0;
        none.what.maxCases = 1;
        return optimizeSites(none).value().sites;
    }();
    // The budget is the size at the middle of the path.
    const std::uint64_t bytes = bytesWith(GetParam(), sites, middle.inFloat);
    OptimizeSettings settings = settingsFor(GetParam(), fmt::format("bytes={}", bytes));
    settings.what.maxCases = isHalved() ? 32 : 64;
    settings.output = folder.path() / "q.pte";
    settings.recordOutput = folder.path() / "q.etrecord";
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_TRUE(result->complete);
    std::vector<double> errors;
    std::ranges::transform(path, std::back_inserter(errors), &TruePoint::error);
    if (isHalved()) {
        errors = errorsOf(path, sites, settings);
    }
    ASSERT_EQ(errors.size(), path.size());
    for (std::size_t count = 0; count < path.size(); ++count) {
        const double ratio = leastErrorWith(*result, count) / errors[count];
        EXPECT_LE(ratio, 1.1) << count << " sites in float";
    }
    ASSERT_TRUE(result->choice) << result->unmet;
    const auto chosen = std::ranges::find(result->points, true, &OptimizePoint::chosen);
    ASSERT_NE(chosen, result->points.end());
    EXPECT_LE(chosen->error() / errors[path.size() / 2], 1.1) << "at equal bytes";
    const double written = std::pow(10, -decibelsOfFile(settings.output, GetParam()) / 20);
    EXPECT_LE(written / middle.error(), 1.1) << "of the program that is written";
    EXPECT_LE(fs::file_size(settings.output), bytes);
    EXPECT_EQ(fs::file_size(settings.output), chosen->bytes) << "candidates have the bytes of files";
    EXPECT_TRUE(etrecord::Record::open(settings.recordOutput));
    RecordProperty("variants", static_cast<int>(result->variants));
    RecordProperty("seconds", fmt::format("{:.1f}", result->searchSeconds));
}

INSTANTIATE_TEST_SUITE_P(Shared, OptimizeModels, testing::Values("resnet8", "mbv2_025", "encoder2"));

TEST(Optimize, TheSmallestProgramOfAnSqnr) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    OptimizeSettings settings = settingsFor("resnet8", "sqnr=39dB");
    settings.output = folder.path() / "q.pte";
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    ASSERT_TRUE(result->choice) << result->unmet;
    EXPECT_GE(decibelsOfFile(settings.output, "resnet8"), 39.0);
    // The measured path has 39 dB with six sites in float.
    const auto path = truePath("resnet8");
    ASSERT_GE(path[6].decibels, 39.0);
    EXPECT_LE(fs::file_size(settings.output), bytesWith("resnet8", result->sites, path[6].inFloat));
    const auto recipe = output::quantizeRecipe(result->choice->quantized, result->choice->settings);
    for (std::size_t i = 0; i < result->sites.size(); ++i) {
        const auto chosen = std::ranges::find(result->points, true, &OptimizePoint::chosen);
        const std::string line = fmt::format("'{}',", result->sites[i].name);
        EXPECT_EQ(recipe.contains(line), chosen->isInFloat(i)) << line;
    }
    const std::string picture = output::optimizePicture(*result);
    EXPECT_THAT(picture, testing::StartsWith("<svg"));
    EXPECT_THAT(picture, testing::HasSubstr("class=\"chosen\""));
}

TEST(Optimize, WithoutTimeAllIsQuantized) {
    ET_NEEDS_SHARED_DATA();
    OptimizeSettings settings = settingsFor("resnet8", "bytes=1M");
    settings.seconds = 0;
    settings.what.maxCases = 4;
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_FALSE(result->complete);
    ASSERT_EQ(result->points.size(), 1U);
    EXPECT_EQ(result->points.front().count(), 0U);
    EXPECT_TRUE(result->choice);
}

TEST(Optimize, ReportsUnsatisfiableLimits) {
    ET_NEEDS_SHARED_DATA();
    OptimizeSettings settings = settingsFor("resnet8", "bytes=50K");
    settings.what.maxCases = 4;
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_FALSE(result->choice);
    EXPECT_EQ(result->unmet, fmt::format("the smallest program has {} bytes", result->points.front().bytes));
}

/// For a transformer with the size of the path's middle, schemes per site give a smaller error than any set
/// of sites in float, and the written program matches the measurement.
TEST(Optimize, PerSiteSchemesAreMoreAccurate) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    OptimizeSettings settings = settingsFor("encoder2", "bytes=115K");
    settings.what.maxCases = 2;
    settings.what.threads = 1;
    settings.output = folder.path() / "q.pte";
    const auto without = optimizeSites(settings);
    settings.schemes.push_back({.kind = backends::xnnpack::SchemeKind::Dynamic8});
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(without && result) << result.error().toString();
    ASSERT_TRUE(without->choice && result->choice) << result->unmet;
    EXPECT_GT(*result->choice->closeness.sqnrDecibels, *without->choice->closeness.sqnrDecibels + 3);
    EXPECT_LE(fs::file_size(settings.output), 115U * 1024);
    EXPECT_EQ(fs::file_size(settings.output), result->choice->bytes);
    const auto chosen = std::ranges::find(result->points, true, &OptimizePoint::chosen);
    ASSERT_NE(chosen, result->points.end());
    EXPECT_FALSE(chosen->isStatic());
    EXPECT_NEAR(*chosen->decibels(), *result->choice->closeness.sqnrDecibels, 0.01);
    // Repeated with `quantize --scheme-of`.
    QuantizeSettings again{.record = settings.what.record, .calibration = settings.what.calibration};
    again.maxCases = 2;
    for (std::size_t i = 0; i < result->sites.size(); ++i) {
        again.sites.named.push_back({.name = result->sites[i].name, .scheme = chosen->schemes[i]});
    }
    const auto made = quantize(again);
    ASSERT_TRUE(made) << made.error().toString();
    EXPECT_TRUE(made->lowered.lowered.file.joined() ==
                result->choice->quantized.lowered.lowered.file.joined());
}

/// A budget below the size of all sites in static int8 requires 4-bit weights.
TEST(Optimize, FourBitsGetBelowEightBits) {
    ET_NEEDS_SHARED_DATA();
    OptimizeSettings settings = settingsFor("encoder2", "bytes=96K");
    settings.what.maxCases = 2;
    settings.what.threads = 1;
    settings.schemes.push_back({.kind = backends::xnnpack::SchemeKind::Dynamic4});
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    ASSERT_TRUE(result->choice) << result->unmet;
    EXPECT_LE(result->choice->bytes, 96U * 1024);
    EXPECT_GT(*result->choice->closeness.sqnrDecibels, 30) << "all sites with four bits have less than 29 dB";
}

TEST(Optimize, KeepsNamedOperatorsInFloat) {
    ET_NEEDS_SHARED_DATA();
    OptimizeSettings settings = settingsFor("resnet8", "bytes=1M");
    settings.seconds = 0;
    settings.what.maxCases = 4;
    settings.what.keep = {"conv2d_4"};
    const auto result = optimizeSites(settings);
    ASSERT_TRUE(result) << result.error().toString();
    ASSERT_TRUE(result->choice);
    const auto site = std::ranges::find(result->sites, "conv2d_4", &SiteReport::name);
    EXPECT_EQ(site->rule, keptByName);
    EXPECT_TRUE(result->points.front().isInFloat(static_cast<std::size_t>(site - result->sites.begin())));
}

TEST(OptimizeBudgets, AreReadWithTheirUnits) {
    const auto limit = [](std::string_view text) { return parseOptimizeBudget(text).value().limit; };
    EXPECT_EQ(limit("time=3ms"), 3e6);
    EXPECT_EQ(limit("time=250us"), 250e3);
    EXPECT_EQ(limit("bytes=1M"), 1048576);
    EXPECT_EQ(limit("bytes=100kB"), 100'000);
    EXPECT_EQ(limit("bytes=4096"), 4096);
    EXPECT_EQ(limit("sqnr=35.5dB"), 35.5);
    EXPECT_NEAR(limit("error=1%"), 40, 1e-9);
    EXPECT_NEAR(limit("error=0.1"), 20, 1e-9);
    for (const std::string_view wrong :
         {"", "=", "time", "time=", "time=3", "time=-3ms", "bytes=0", "bytes=1X", "sqnr=35ms", "size=3",
          "sqnr=nan", "bytes=1e999", "error=0%", "error=100%", "error=1dB"}) {
        EXPECT_FALSE(parseOptimizeBudget(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace et::tasks

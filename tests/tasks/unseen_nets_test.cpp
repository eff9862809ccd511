// Tests of each lab command on kinds of nets without measured conversions.
#include "tests/tasks/unseen_nets.h"

#include "app/tasks/gap/gap_run.h"
#include "app/tasks/lab/case_runs.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/optimize_run.h"
#include "app/tasks/lab/program_outputs.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/sensitivity_run.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using backends::xnnpack::QuantizationScheme;
using backends::xnnpack::SchemeKind;
using test::makeUnseenNet;
using test::UnseenNet;

class UnseenNets : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        net = makeUnseenNet(GetParam());
        writeCases(net, inputs());
        std::ofstream out(recordFile(), std::ios::binary);
        const auto bytes = net.record->zip().content().joined();
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        ASSERT_TRUE(out.flush());
    }
    [[nodiscard]] fs::path inputs() const { return folder.path() / "inputs.npy"; }
    [[nodiscard]] fs::path recordFile() const { return folder.path() / "net.etrecord"; }

    [[nodiscard]] std::vector<CaseOutputs> interpreted(const etrecord::Record& record) const {
        auto outputs =
            runCases(record, "forward", net.cases, {.kernels = kernels::builtin(), .threads = threads}, 1);
        EXPECT_TRUE(outputs) << outputs.error().toString();
        return outputs ? *std::move(outputs) : std::vector<CaseOutputs>();
    }
    /// SQNR of a program against the graph it was made from; identical: 200 dB.
    double decibelsOf(const LowerResult& program, const std::vector<CaseOutputs>& reference) const {
        const auto outputs = programOutputs(program, "forward", net.cases);
        EXPECT_TRUE(outputs) << outputs.error().toString();
        return outputs ? measureOutputError(reference, *outputs).sqnrDecibels.value_or(200) : 0;
    }
    QuantizeSettings settings() const {
        return {.record = recordFile(), .calibration = inputs(), .evaluation = inputs()};
    }

    test::ScratchFolder folder;
    UnseenNet net;
    mutable kernels::ThreadPool threads{1};
};

INSTANTIATE_TEST_SUITE_P(All, UnseenNets, testing::ValuesIn(test::unseenNets));

TEST_P(UnseenNets, LoweredProgramsMatchTheInterpreter) {
    const auto reference = interpreted(*net.record);
    for (const LowerBackend backend : {LowerBackend::Xnnpack, LowerBackend::None}) {
        const auto lowered =
            lowerOpened(net.record, {.record = "net.etrecord", .output = {}, .backend = backend});
        ASSERT_TRUE(lowered) << lowered.error().toString();
        EXPECT_GT(decibelsOf(*lowered, reference), 90);
    }
    for (const auto& node : backends::lowering::EdgeMethod::open(*net.record, "forward")->graph().nodes) {
        const auto lowered =
            lowerOpened(net.record, {.record = "net.etrecord", .output = {}, .except = {node.name}});
        ASSERT_TRUE(lowered) << node.name << ": " << lowered.error().toString();
        EXPECT_GT(decibelsOf(*lowered, reference), 90) << node.name;
        const auto only =
            lowerOpened(net.record, {.record = "net.etrecord", .output = {}, .only = {node.name}});
        ASSERT_TRUE(only) << node.name << ": " << only.error().toString();
        EXPECT_GT(decibelsOf(*only, reference), 90) << node.name;
    }
}

/// Modules of these nodes of the record.
std::set<std::string> modulesOf(const etrecord::Record& record, const std::vector<std::string>& names) {
    std::set<std::string> modules;
    for (const auto& node : backends::lowering::EdgeMethod::open(record, "forward")->graph().nodes) {
        if (std::ranges::contains(names, node.name)) {
            modules.insert(node.moduleStack.back().fqn);
        }
    }
    return modules;
}

TEST_P(UnseenNets, DoNotDivergeAndKeepTheirModules) {
    const LowerSettings lowering{.record = recordFile(),
                                 .output = folder.path() / "net.pte",
                                 .recordOutput = folder.path() / "lowered.etrecord"};
    const auto lowered = lower(lowering);
    ASSERT_TRUE(lowered) << lowered.error().toString();
    ProgressReporter watch({.mode = ProgressMode::None}, {});
    GapSettings what{.program = lowering.output,
                     .trace = {},
                     .debugBuffer = {},
                     .inputs = {},
                     .bisect = true,
                     .model = {}};
    what.model.record = lowering.recordOutput;
    const fs::path first = folder.path() / "first.npy";
    test::writeCases({.record = net.record, .cases = {net.cases.front()}}, first);
    what.model.inputs = {first.string()};
    const auto result = runGaps(what, watch);
    ASSERT_TRUE(result) << result.error().toString();
    for (const auto& gap : result->gaps) {
        ASSERT_FALSE(gap->rows.empty());
        EXPECT_FALSE(gap->firstDivergence) << gap->rows[*gap->firstDivergence].own->reason;
        for (const inspector::GapRow& row : gap->rows) {
            const std::set<std::string> modules = modulesOf(*net.record, row.edgeNodes);
            EXPECT_TRUE(modules.size() != 1 || row.module == *modules.begin())
                << row.module << " instead of " << *modules.begin();
        }
    }
}

/// Minimum SQNR of a program against its quantized graph in the interpreter: they differ only in rounding.
constexpr double asItsGraph = 35;

TEST_P(UnseenNets, AreQuantizedWithEveryObserver) {
    using enum backends::xnnpack::ObserverKind;
    for (const auto observer : {Histogram, MinMax, MovingAverage, Percentile, SquareError}) {
        QuantizeSettings what = settings();
        what.observer = observer;
        const auto result = quantize(what);
        ASSERT_TRUE(result) << result.error().toString();
        EXPECT_GT(result->outputs->sqnrDecibels.value_or(200), 5) << static_cast<int>(observer);
        EXPECT_GT(decibelsOf(result->lowered, interpreted(*result->lowered.record)), asItsGraph);
        const auto portable =
            lowerOpened(result->lowered.record, {.record = "q", .output = {}, .backend = LowerBackend::None});
        ASSERT_TRUE(portable) << portable.error().toString();
        EXPECT_GT(decibelsOf(*portable, interpreted(*result->lowered.record)), asItsGraph);
    }
}

TEST_P(UnseenNets, AreQuantizedInEveryScheme) {
    for (const QuantizationScheme& scheme : allSchemes()) {
        QuantizeSettings what = settings();
        what.sites.scheme = scheme;
        const auto result = quantize(what);
        ASSERT_TRUE(result) << schemeName(scheme) << ": " << result.error().toString();
        EXPECT_GT(result->outputs->sqnrDecibels.value_or(200), 8) << schemeName(scheme);
        EXPECT_GT(decibelsOf(result->lowered, interpreted(*result->lowered.record)), asItsGraph)
            << schemeName(scheme);
        for (const QuantizedSite& each : result->sites) {
            EXPECT_TRUE(each.site.rule.empty() || each.site.line.starts_with("net.py:")) << each.site.name;
        }
    }
}

TEST_P(UnseenNets, TakeSchemesSiteBySiteAndStayInFloatByName) {
    const auto plain = quantize(settings());
    ASSERT_TRUE(plain) << plain.error().toString();
    for (std::size_t shift = 0; shift < plain->sites.size(); shift += 3) {
        QuantizeSettings what = settings();
        what.observer = backends::xnnpack::ObserverKind::MinMax;
        std::vector<QuantizationScheme> schemes = allSchemes();
        for (std::size_t i = 0; i < plain->sites.size(); ++i) {
            what.sites.named.push_back(
                {.name = plain->sites[i].site.name, .scheme = schemes[(i + shift) % schemes.size()]});
        }
        what.sites.keep = {plain->sites[shift].site.name};
        what.except = {plain->sites[shift].site.nodes.front()};
        const auto mixed = quantize(what);
        ASSERT_TRUE(mixed) << shift << ": " << mixed.error().toString();
        const std::string& rule = plain->sites[shift].site.rule;
        EXPECT_EQ(mixed->sites[shift].site.rule, rule.empty() ? keptByName : rule);
        EXPECT_GT(mixed->outputs->sqnrDecibels.value_or(200), 8) << shift;
        EXPECT_GT(decibelsOf(mixed->lowered, interpreted(*mixed->lowered.record)), 30) << shift;
    }
}

TEST_P(UnseenNets, AreRemedied) {
    QuantizeSettings what = settings();
    what.remedies = {allRemedies.begin(), allRemedies.end()};
    what.maxCases = 1;
    const auto result = quantize(what);
    ASSERT_TRUE(result) << result.error().toString();
    ASSERT_TRUE(result->remedies);
    const auto& [before, after] = std::pair(result->remedies->before, result->remedies->after);
    EXPECT_GE(after.sqnrDecibels.value_or(200), before.sqnrDecibels.value_or(200));
    EXPECT_GT(decibelsOf(result->lowered, interpreted(*result->lowered.record)), asItsGraph);
}

/// Sensitivity of the float record, of the quantized record, and of both.
TEST_P(UnseenNets, SensitivityIsMeasuredOfEachSite) {
    QuantizeSettings quantized = settings();
    quantized.output = folder.path() / "q.pte";
    quantized.recordOutput = folder.path() / "q.etrecord";
    const auto made = quantize(quantized);
    ASSERT_TRUE(made) << made.error().toString();
    const VariantSettings ofFloat{.record = recordFile(), .calibration = inputs(), .evaluation = inputs()};
    VariantSettings ofQuantized = ofFloat;
    ofQuantized.record = quantized.recordOutput;
    VariantSettings ofBoth = ofFloat;
    ofBoth.quantized = quantized.recordOutput;
    const auto reference = interpreted(*net.record);
    const auto graph = measureOutputError(reference, interpreted(*made->lowered.record));
    for (const VariantSettings& what : {ofFloat, ofBoth, ofQuantized}) {
        const auto result = measureSensitivity(what);
        ASSERT_TRUE(result) << result.error().toString();
        ASSERT_EQ(result->sites.size(), made->sites.size());
        for (std::size_t i = 0; i < made->sites.size(); ++i) {
            const SiteSensitivity& site = result->sites[i];
            EXPECT_EQ(site.site.name, made->sites[i].site.name);
            EXPECT_EQ(site.only.has_value(), made->sites[i].site.rule.empty()) << site.site.name;
            EXPECT_EQ(site.allBut.has_value(), site.only.has_value()) << site.site.name;
        }
        if (&what != &ofQuantized && result->source == QuantizerSource::Both) {
            EXPECT_NEAR(*result->all.sqnrDecibels, *graph.sqnrDecibels, 0.01);
        }
    }
}

TEST_P(UnseenNets, AreOptimizedUnderEachBudget) {
    const auto sizeWith = [&](std::vector<std::string> keep) {
        QuantizeSettings what = settings();
        what.evaluation.clear();
        what.sites.keep = std::move(keep);
        return quantize(what)->lowered.lowered.file.size();
    };
    const std::uint64_t least = sizeWith({});
    for (const std::string& budget :
         {std::string("sqnr=20dB"), "bytes=" + std::to_string(least + least / 4), std::string("time=1s")}) {
        OptimizeSettings what;
        what.what = {.record = recordFile(), .calibration = inputs(), .evaluation = inputs()};
        what.what.maxCases = 2;
        what.budget = parseOptimizeBudget(budget).value();
        what.schemes = {QuantizationScheme(), {.kind = SchemeKind::Dynamic8}};
        what.seconds = 3600;
        what.times = budget.starts_with("time");
        what.command = "echo 1 {}";
        what.progress.mode = ProgressMode::None;
        what.output = folder.path() / "o.pte";
        const auto result = optimizeSites(what);
        ASSERT_TRUE(result) << budget << ": " << result.error().toString();
        EXPECT_TRUE(result->complete) << budget;
        ASSERT_TRUE(result->choice) << budget << ": " << result->unmet;
        EXPECT_EQ(result->choice->bytes, fs::file_size(what.output));
        EXPECT_TRUE(!budget.starts_with("sqnr") ||
                    result->choice->closeness.sqnrDecibels.value_or(200) >= 20);
        EXPECT_TRUE(!budget.starts_with("bytes") || result->choice->bytes <= least + least / 4);
    }
}

}  // namespace
}  // namespace et::tasks

// Tests that real float records become quantized programs that run, and that damaged graphs are quantized or
// rejected.
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/verify/verify_file.h"
#include "bundled_program/bundle.h"
#include "bundled_program/writer.h"
#include "tests/support/damaged_records.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

class QuantizeFiles : public testing::Test {
  protected:
    test::ScratchFolder folder;
};

/// Runs the cases on a program; returns the error, empty if all run, whatever their outputs.
std::string whyNotRun(const fs::path& program, const fs::path& cases, const fs::path& folder) {
    const auto bundle = bundled_program::Bundle::open(cases).value();
    const auto bytes = bundled_program::writeBundle(test::readBytes(program), bundle->suites).value();
    const fs::path made = folder / "q.bpte";
    std::ofstream(made, std::ios::binary) << textOf(bytes);
    VerifySettings settings;
    settings.tolerances.absolute = {"1e9"};
    settings.cases.tolerances = parseTolerances(settings.tolerances).value();
    const auto report = verifyFile(made, settings);
    return report.verdict == bundled_program::Verdict::Error ? "cases: " + report.message : "";
}

TEST_F(QuantizeFiles, RecordsOfFloatModelsBecomeProgramsThatRun) {
    ET_NEEDS_SHARED_DATA();
    std::size_t made = 0;
    for (const fs::path& record : test::sharedFiles(test::sharedData() / "programs", ".etrecord")) {
        fs::path cases = record;
        cases.replace_extension(".bpte");
        // Graphs in the folders of other backends duplicate those of the rest.
        if (!fs::exists(cases) || record.string().contains("/backends/")) {
            continue;
        }
        const fs::path program = folder.path() / "q.pte";
        const auto result = quantize({.record = record, .calibration = cases, .output = program});
        const std::string said =
            result ? whyNotRun(program, cases, folder.path()) : result.error().toString();
        const bool refused = said.contains("the graph is already quantized") ||
                             said.contains("no kernel here computes it") ||
                             said.contains("there is no kernel");
        // A record with no sizes other than those of one case.
        const bool fixed = record.string().ends_with("map/dynamic.etrecord");
        EXPECT_TRUE(said.empty() || fixed || (refused && !result)) << record << ": " << said;
        made += said.empty() ? 1 : 0;
    }
    EXPECT_GE(made, 60U);
}

TEST_F(QuantizeFiles, AFolderOfTensorsCalibratesAsItsFilesDo) {
    ET_NEEDS_SHARED_DATA();
    const fs::path model = test::sharedData() / "quant" / "resnet8";
    const fs::path inputs = folder.path() / "inputs";
    fs::create_directory(inputs);
    const auto made = [&](const fs::path& calibration) -> std::string {
        const fs::path program = folder.path() / "q.pte";
        const auto result =
            quantize({.record = model / "float.etrecord", .calibration = calibration, .output = program});
        return result ? std::string(textOf(test::readBytes(program))) : result.error().toString();
    };
    EXPECT_NE(made(inputs).find("no inputs for the method"), std::string::npos);
    fs::copy_file(model / "calibration.npz", inputs / "b.npz");
    EXPECT_EQ(made(inputs), made(model / "calibration.npz"));
    fs::copy_file(model / "evaluation.npz", inputs / "a.npz");
    EXPECT_NE(made(inputs), made(model / "calibration.npz")) << "further inputs, further ranges";
}

/// Quantizes with a scheme on one case and lowers; returns the message if that is rejected.
std::string refusalOf(const std::shared_ptr<const etrecord::Record>& record, const fs::path& cases,
                      const backends::xnnpack::QuantizationScheme& scheme) {
    const auto made = quantizeOpened(
        *record, {.record = "damaged", .calibration = cases, .sites = {.scheme = scheme}, .maxCases = 1});
    return made ? "" : made.error().message;
}

class QuantizeDamagedGraphs : public testing::TestWithParam<const char*> {};

TEST_P(QuantizeDamagedGraphs, AreRefusedOrQuantized) {
    ET_NEEDS_SHARED_DATA();
    using enum backends::xnnpack::SchemeKind;
    const fs::path folder = test::sharedData() / "quant" / GetParam();
    test::DamagedRecords records(folder / "float.etrecord");
    std::size_t refusals = 0;
    constexpr std::size_t rounds = 60;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto record = records.next();
        const auto kind = std::array{Static8, Dynamic8, Weights8, Dynamic4}[round % 4];
        refusals +=
            refusalOf(record, folder / "calibration.npz", {.kind = kind, .block = 32}).empty() ? 0 : 1;
    }
    EXPECT_GT(refusals, 5U);
    EXPECT_LT(refusals, rounds);
}

INSTANTIATE_TEST_SUITE_P(Shared, QuantizeDamagedGraphs, testing::Values("resnet8", "encoder2"));

}  // namespace
}  // namespace et::tasks

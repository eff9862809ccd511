// Tests that programs are chosen within budgets: sizes are those of the files, times are measured.

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <filesystem>
#include <string>

namespace et::test {
namespace {

namespace dom = simdjson::dom;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view optimizeConvNet =
    "et-inspect optimize conv_net.etrecord --calibrate conv_net.bpte ";

class OptimizeProcessTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0); }
    Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    Outcome optimize(const std::string& options) const { return run(std::string(optimizeConvNet) + options); }
    dom::element parsed(const Outcome& outcome) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }

    ScratchFolder scratch;
    dom::parser parser;
    simdjson::padded_string text;
};

TEST_F(OptimizeProcessTest, TheLeastErrorOfSomeBytes) {
    const dom::element report = parsed(
        optimize("--budget bytes=20K -o q.pte --etrecord-out q.etrecord --plot front.svg --format json"));
    EXPECT_TRUE(bool(report["complete"]));
    const dom::element chosen = report["chosen"];
    EXPECT_EQ(std::uint64_t(chosen["bytes"]), std::filesystem::file_size(scratch.path() / "q.pte"));
    EXPECT_LE(std::uint64_t(chosen["bytes"]), 20'480U);
    std::size_t timed = 0;
    for (const dom::element point : report["points"].get_array()) {
        if (point["time_ms"].is_double()) {
            ++timed;
            EXPECT_GT(double(point["time_ms"]), 0);
        }
        const bool fits = std::uint64_t(point["bytes"]) <= 20'480;
        const bool isNearer = bool(point["chosen"]) || !fits || point["sqnr_db"].is_null() ||
                              chosen["outputs"]["sqnr_db"].is_null();
        EXPECT_TRUE(isNearer || double(point["sqnr_db"]) <= double(chosen["outputs"]["sqnr_db"]) + 1);
    }
    EXPECT_GE(timed, 2U);
    EXPECT_EQ(run("et-inspect run q.pte").code, 0);
    EXPECT_EQ(run("et-inspect delegates q.pte --etrecord q.etrecord").code, 0);
    EXPECT_THAT(run("cat front.svg").out, AllOf(HasSubstr("<svg"), HasSubstr("class=\"chosen\"")));
}

TEST_F(OptimizeProcessTest, TimeLimitsTheCalibration) {
    ASSERT_EQ(run("et-inspect sample mobilenet_v2_small").code, 0);
    const Outcome outcome =
        run("et-inspect optimize mobilenet_v2_small.etrecord --calibrate mobilenet_v2_small.bpte --time 1ms "
            "--budget "
            "bytes=1M -o q.pte");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_EQ(
        outcome.err,
        "et-inspect: the time limit of --time was reached before the first result: nothing was written\n");
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "q.pte"));
}

TEST_F(OptimizeProcessTest, TimesComeFromACommand) {
    const std::string timer = "--timer 'wc -c < {} | sed s/$/.5/' ";
    const dom::element report = parsed(optimize(timer + "--budget time=1000s --format json"));
    std::size_t timed = 0;
    for (const dom::element point : report["points"].get_array()) {
        if (point["time_ms"].is_double()) {
            ++timed;
            EXPECT_NEAR(double(point["time_ms"]), double(std::uint64_t(point["bytes"])) + 0.5, 1e-6);
        }
    }
    EXPECT_GE(timed, 2U);
    const Outcome slow = optimize(timer + "--budget time=3ms");
    EXPECT_EQ(slow.code, 1);
    EXPECT_THAT(slow.out, HasSubstr("no program meets time=3ms: the fastest program takes "));
    const Outcome wrong = optimize("--timer 'echo soon # {}'");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("--timer: expected a line with milliseconds at the end, got \"soon\""));
    EXPECT_THAT(optimize("--timer 'echo 3; exit 4 # {}'").err, HasSubstr("exit code 4"));
}

TEST_F(OptimizeProcessTest, AnSqnrAndItsRecipe) {
    const Outcome said = optimize("--schemes w8a8-static --budget sqnr=60 --no-times --recipe -o q.pte");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("def quantize(model, calibration):"), HasSubstr("keep = {")));
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "q.pte"));
}

/// Tests that recipes of mixed schemes, with nodes excluded from delegates, are valid Python.
TEST_F(OptimizeProcessTest, RecipesCompile) {
    if (run("command -v python3").code != 0) {
        GTEST_SKIP() << "there is no python3";
    }
    const std::string quantize = "et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte --recipe ";
    for (const std::string options :
         {"", "--scheme-of conv2d=w8a8-dynamic,linear=w4a8-dynamic:32", "--scheme-of conv2d=fp16,linear=w8",
          "--scheme w8a8-dynamic --scheme-of conv2d=float", "--scheme fp16 --keep linear", "--scheme w8",
          "--scheme-of conv2d=fp16 --observer minmax", "--observer mse --scheme-of linear=w8a8-dynamic"}) {
        ASSERT_EQ(run(quantize + options + " > recipe.py").code, 0) << options;
        const Outcome compiled = run("python3 -m py_compile recipe.py");
        EXPECT_EQ(compiled.code, 0) << options << "\n" << compiled.err;
    }
    const Outcome mixed = run(quantize + "--scheme-of conv2d=w8a8-dynamic,conv2d_1=fp16");
    EXPECT_THAT(mixed.out, AllOf(HasSubstr("ComposableQuantizer(quantizers)"), HasSubstr("is_dynamic=True"),
                                 HasSubstr("is_dynamic=False"), HasSubstr("    'conv2d',  #"),
                                 HasSubstr("InHalf(model.get_submodule(")));
}

/// Simulates, with a command, a device on which delegating a part costs more than it saves.
TEST_F(OptimizeProcessTest, DelegatesAreLeftOutByTime) {
    const std::string timer =
        "--timer 'et-inspect info {} --format json | grep -c XnnpackBackend | sed s/$/.5/ # {}' ";
    const dom::element report = parsed(optimize(timer + "--budget bytes=10M -o q.pte --format json"));
    const dom::element chosen = report["chosen"];
    std::size_t portable = 0;
    for (const dom::element each : chosen["delegates"].get_array()) {
        portable += bool(each["portable"]) ? 1 : 0;
        EXPECT_GT(double(each["saved_without"]["ms"]), 0);
    }
    EXPECT_GE(portable, 1U);
    EXPECT_GT(chosen["except"].get_array().size(), 0U);
    EXPECT_EQ(run("et-inspect run q.pte").code, 0);
    EXPECT_THAT(run("et-inspect delegates q.pte").out, Not(HasSubstr("XnnpackBackend")));
    const dom::element kept =
        parsed(optimize(timer + "--keep-delegates --budget bytes=10M --format json"))["chosen"];
    EXPECT_EQ(kept["delegates"].get_array().size(), 0U);
}

TEST_F(OptimizeProcessTest, ReportsOutputErrorOfAProgram) {
    const std::string quantize =
        "et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte --evaluate conv_net.bpte ";
    dom::element report = parsed(run(quantize + "-o q.pte --format json"));
    const double all = report["outputs"]["sqnr_db"];
    EXPECT_GT(all, 20);
    EXPECT_LT(all, 80);
    report = parsed(run(quantize + "--keep conv2d_1 --dry-run --format json"));
    EXPECT_GT(double(report["outputs"]["sqnr_db"]), all) << "one site in float";
    EXPECT_THAT(run(quantize + "--dry-run").out, HasSubstr("outputs of the program, run here: "));
    report = parsed(
        run("et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte --dry-run --format json"));
    EXPECT_TRUE(report["outputs"].is_null()) << "without --evaluate nothing runs";
    const Outcome none =
        run("et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte --evaluate none.npz -o r.pte");
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.err, HasSubstr("none.npz"));
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "r.pte")) << "what was not compared is not written";
    EXPECT_EQ(run(quantize + "-o conv_net.bpte").code, 2) << "it would replace its inputs";
}

TEST_F(OptimizeProcessTest, SensitivityReportsProgressAndWeightBytes) {
    const Outcome said = run(
        "et-inspect sensitivity conv_net.etrecord --calibrate conv_net.bpte --progress json --format json");
    EXPECT_THAT(said.err, HasSubstr("\"phase\": \"sensitivity\""));
    const dom::element report = parsed(said);
    std::size_t weights = 0;
    for (const dom::element site : report["sites"].get_array()) {
        weights += std::uint64_t(site["weight_bytes"]) > 0 ? 1 : 0;
    }
    EXPECT_EQ(weights, 3U) << "two convolutions and a product of matrices";
}

TEST_F(OptimizeProcessTest, ASignalKeepsTheBestSoFar) {
    ET_NEEDS_SHARED_DATA();
    const auto model = sharedData() / "quant" / "mbv2_025";
    // A shell starts its background jobs with SIGINT ignored.
    const Outcome said = run(fmt::format(
        "env --default-signal=INT et-inspect optimize {0}/float.etrecord --calibrate {0}/calibration.npz "
        "--evaluate "
        "{0}/evaluation.npz --no-times --budget bytes=10M -o q.pte --progress json > out.txt 2> err.txt & "
        "while ! grep -qs '\"done\": [1-9]' err.txt; do sleep 0.05; done; kill -INT $!; wait $!; code=$?; "
        "cat out.txt; exit $code",
        model.string()));
    EXPECT_EQ(said.code, 130);
    EXPECT_THAT(said.out, AllOf(HasSubstr("time limit reached"), HasSubstr("chosen for bytes=10M")));
    EXPECT_EQ(run("et-inspect run q.pte").code, 0);
}

}  // namespace
}  // namespace et::test

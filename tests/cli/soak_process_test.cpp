// Tests that et-inspect soak finds and names planted races, stale memory and state, and reports nothing for
// correct programs.
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace et::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Soak : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_symlink(ET_FAULTS_PLUGIN, scratch.path() / "faults.so");
        std::filesystem::create_symlink(ET_RACE_PLUGIN, scratch.path() / "race.so");
        for (const char* const name : {"flaky", "stale", "sticky"}) {
            writeBytes(scratch.path() / (std::string(name) + ".pte"), writeProgram(pluginProgram(name)));
        }
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(Soak, ARaceOfOneInAHundredIsFoundAndNamed) {
    for (int seed = 1; seed <= 50; ++seed) {
        const Outcome said =
            run(fmt::format("ET_FLAKY={} et-inspect soak flaky.pte --plugin ./faults.so --runs 300", seed));
        EXPECT_EQ(said.code, 1) << seed << said.err;
        EXPECT_THAT(said.out, HasSubstr("flaky.out (instruction 0): 1 of 6 elements, the first at [1, 1]"))
            << seed;
    }
}

TEST_F(Soak, FindsUninitializedMemory) {
    const Outcome said = run("et-inspect soak stale.pte --plugin ./faults.so --runs 20");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr("stale.out (instruction 0): 1 of 6 elements, the first at [0, 0]"));
    EXPECT_THAT(said.out, HasSubstr("it reads uninitialized memory"));
    EXPECT_THAT(said.out, Not(HasSubstr("not deterministic")));
}

TEST_F(Soak, FindsHiddenOperatorState) {
    const Outcome said = run("et-inspect soak sticky.pte --plugin ./faults.so --runs 20");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr("it depends on earlier inputs"));
    EXPECT_THAT(said.out, HasSubstr("sticky.out (instruction 0): 1 of 6 elements"));
}

TEST_F(Soak, CorrectProgramPassesWithDetectionLimit) {
    const Outcome said =
        run("et-inspect sample conv_net > /dev/null && et-inspect soak conv_net.bpte --runs 200");
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_THAT(said.out,
                HasSubstr("forward: 0 of 480 executions on 3 input sets differ (0.0 % to 0.6 % at 95 %)"));
    EXPECT_THAT(said.out, HasSubstr("at 95 %"));
}

TEST_F(Soak, LocatesFirstNan) {
    const std::vector<float> nans(16, std::numeric_limits<float>::quiet_NaN());
    writeText(scratch.path() / "nan.bin",
              {reinterpret_cast<const char*>(nans.data()), nans.size() * sizeof(float)});
    const std::string soak = "et-inspect soak add_mul.pte --runs 2 --origin nan";
    const Outcome said = run("et-inspect sample add_mul > /dev/null && " + soak +
                             " --input nan.bin --input nan.bin --input nan.bin");
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_THAT(said.out, HasSubstr("nan begins at "));
    EXPECT_THAT(run(soak).out, HasSubstr("no value is nan"));
}

/// Tests that a debug buffer recorded on another machine gives the same result as a run on this one.
TEST_F(Soak, LocatesFirstNanInADebugBuffer) {
    const std::vector<float> nans(16, std::numeric_limits<float>::quiet_NaN());
    writeText(scratch.path() / "nan.bin",
              {reinterpret_cast<const char*>(nans.data()), nans.size() * sizeof(float)});
    ASSERT_EQ(
        run("et-inspect sample add_mul > /dev/null && et-inspect run add_mul.pte --input nan.bin --input "
            "nan.bin --input nan.bin --etdump t.etdp --debug-buffer d.bin --debug-level intermediates")
            .code,
        0);
    const Outcome here = run(
        "et-inspect soak add_mul.pte --runs 2 --origin nan --input nan.bin --input nan.bin --input nan.bin");
    const Outcome there = run("et-inspect soak t.etdp --debug-buffer d.bin --origin nan");
    EXPECT_EQ(there.code, 0) << there.err;
    const auto lineOf = [](const std::string& text) {
        const std::size_t at = text.find("nan begins at ");
        return at == std::string::npos ? "none in " + text : text.substr(at, text.find('\n', at) - at);
    };
    EXPECT_EQ(lineOf(there.out), lineOf(here.out));
    EXPECT_THAT(run("et-inspect soak t.etdp --debug-buffer d.bin --origin saturated").out,
                HasSubstr("no value is saturated"));
    EXPECT_THAT(run("et-inspect soak t.etdp --debug-buffer d.bin --format json").out,
                HasSubstr(R"("origins": [{"kind": "nan", "operator": )"));
    EXPECT_EQ(run("et-inspect soak add_mul.pte --debug-buffer d.bin").code, 3);
    writeText(scratch.path() / "short.bin", "x");
    EXPECT_EQ(run("et-inspect soak t.etdp --debug-buffer short.bin").code, 3);
}

/// Uses the values inside delegates, from this machine and from a recorded run with taps.
TEST_F(Soak, LocatesFirstInfinityInADelegate) {
    ET_NEEDS_SHARED_DATA();
    const std::vector<float> large(512, 3e38F);
    writeText(scratch.path() / "large.bin",
              {reinterpret_cast<const char*>(large.data()), large.size() * sizeof(float)});
    const auto mlp = (sharedData() / "programs" / "mlp" / "xnnpack.bpte").string();
    const std::string soak = "et-inspect soak " + mlp + " --input large.bin --runs 2 --origin ";
    EXPECT_THAT(run(soak + "inf").out,
                HasSubstr("inf begins at XNNFullyConnected (instruction 0, value 3, debug handle 1): "));
    EXPECT_THAT(run(soak + "nan").out,
                HasSubstr("nan begins at XNNFullyConnected (instruction 0, value 5, debug handle 3): "));
    ASSERT_EQ(
        run("et-inspect run " + mlp + " --input large.bin --etdump t.etdp --debug-buffer d.bin --taps all")
            .code,
        0);
    const Outcome logged = run("et-inspect soak t.etdp --debug-buffer d.bin --origin inf");
    EXPECT_THAT(logged.out, HasSubstr("inf begins at Fully Connected "));
    EXPECT_THAT(logged.out, HasSubstr("(instruction 0): 24 of 1024 elements"));
    EXPECT_THAT(logged.out, HasSubstr("5 values of a traced run"));
}

/// The delegate call is extracted and executed with taps.
TEST_F(Soak, ARaceInsideOfADelegateIsFoundAndNamed) {
    ET_NEEDS_SHARED_DATA();
    const auto mlp = (sharedData() / "programs" / "mlp" / "xnnpack.bpte").string();
    for (int seed = 1; seed <= 50; ++seed) {
        const Outcome said = run(fmt::format(
            "ET_RACE={} ET_RACE_NODE=1 et-inspect soak {} --plugin ./race.so --runs 300", seed, mlp));
        EXPECT_EQ(said.code, 1) << seed << said.err;
        EXPECT_THAT(said.out, HasSubstr("first to differ in")) << seed;
        EXPECT_THAT(said.out, HasSubstr("XNNFullyConnected (instruction 0, operator 1, value ")) << seed;
    }
}

TEST_F(Soak, ARaceDeepInsideOfADelegateIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const auto model = (sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack.bpte").string();
    const Outcome said = run("ET_RACE=3 ET_RACE_NODE=9 et-inspect soak " + model +
                             " --plugin ./race.so --runs 80 --format json");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr(R"("inside": {"executions": )"));
    EXPECT_THAT(said.out, HasSubstr(R"("node": 9)"));
    EXPECT_THAT(said.out, HasSubstr(R"("inside_problem": "")"));
}

TEST_F(Soak, RejectsInvalidTime) {
    const Outcome said = run("et-inspect soak flaky.pte --time ever");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--time: expected a time such as 90s, 5m or 500ms, got 'ever'"));
}

TEST_F(Soak, RealProgramsPass) {
    ET_NEEDS_SHARED_DATA();
    for (const char* const name : {"mobilenet_v2_small/xnnpack_q8.bpte", "bert_tiny/xnnpack.bpte",
                                   "kvcache/portable.bpte", "map/portable.bpte", "mlp/xnnpack_8da8w.bpte"}) {
        const Outcome said =
            run(fmt::format("et-inspect soak {} --runs 10", (sharedData() / "programs" / name).string()));
        EXPECT_EQ(said.code, 0) << name << said.out << said.err;
    }
}

}  // namespace
}  // namespace et::test

// Tests that et-inspect reduce finds failures in chains of operators, and that the reduced program fails in
// the same way.
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Reduce : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_symlink(ET_FAULTS_PLUGIN, scratch.path() / "faults.so");
        for (const char* const bad :
             {"my::crash", "my::hang", "my::nan", "aten::neg", "aten::sin", "aten::cos"}) {
            // After the sign is lost, later operators do not change it.
            std::vector<std::string> operators(13, "aten::abs");
            operators.resize(20, "aten::relu");
            operators[13] = bad;
            const std::string name(std::string_view(bad).substr(std::string_view(bad).find("::") + 2));
            writeBytes(scratch.path() / (name + ".pte"), writeProgram(chainProgram(operators)));
        }
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    [[nodiscard]] std::string page() const {
        std::ifstream file(scratch.path() / "out" / "README.md");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::vector<std::string> filesOfResult() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& each : fs::directory_iterator(scratch.path() / "out")) {
            names.push_back(each.path().filename().string());
        }
        std::ranges::sort(names);
        return names;
    }

    ScratchFolder scratch;
};

TEST_F(Reduce, ACrash) {
    const Outcome said = run("et-inspect reduce crash.pte --plugin ./faults.so --fails crash -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("forward: 1 of 20 instructions still fail"));
    EXPECT_THAT(said.out, HasSubstr("  13 my::crash.out\n"));
    EXPECT_THAT(said.out, HasSubstr("SIGABRT"));
    EXPECT_THAT(filesOfResult(), testing::ElementsAre("README.md", "part.bpte"));
    EXPECT_THAT(page(), HasSubstr("et-inspect run part.bpte --plugin './faults.so'"));
    EXPECT_THAT(page(), HasSubstr("with inputs of zeros."));
    EXPECT_GE(run("et-inspect run out/part.bpte --plugin ./faults.so").code, 128);
}

TEST_F(Reduce, EndlessExecution) {
    const Outcome said =
        run("et-inspect reduce hang.pte --plugin ./faults.so --fails crash --max-time 0.5 -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("  13 my::hang.out\n"));
    EXPECT_THAT(said.out, HasSubstr("it did not finish within 0.5 seconds"));
}

TEST_F(Reduce, TheOriginOfNan) {
    const Outcome said = run("et-inspect reduce nan.pte --plugin ./faults.so --fails nan -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("forward: 1 of 20 instructions still fail"));
    EXPECT_THAT(said.out, HasSubstr("  13 my::nan.out\n"));
    EXPECT_THAT(run("et-inspect soak out/part.bpte --runs 2 --origin nan --plugin ./faults.so").out,
                HasSubstr("nan begins at "));
}

TEST_F(Reduce, ForeignPluginOperator) {
    const Outcome said = run("et-inspect reduce neg.pte --plugin ./faults.so --fails verify -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("  13 aten::neg.out\n"));
    EXPECT_EQ(run("et-inspect verify out/part.bpte --plugin ./faults.so").code, 1);
    EXPECT_EQ(run("et-inspect verify out/part.bpte").code, 0);
}

TEST_F(Reduce, ACommandGetsTheSameKindOfFileQuoted) {
    fs::create_directory(scratch.path() / "it's $HOME");
    const Outcome said =
        run("et-inspect reduce sin.pte -o \"it's \\$HOME/out\" --fails "
            "'if et-inspect graph {} | grep -q sin; then exit 7; fi'");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("  13 aten::sin.out\n"));
    EXPECT_THAT(said.out, HasSubstr("expected exit code 0, got exit code 7"));
    EXPECT_TRUE(fs::exists(scratch.path() / "it's $HOME" / "out" / "part.pte"));
}

/// Another exit code counts as another failure, and 125 as none.
TEST_F(Reduce, ACommandFailsInTheSameWay) {
    const Outcome said =
        run(R"(et-inspect reduce sin.pte -o out --fails ')"
            R"(n=$(et-inspect graph {} | grep -c "abs\|relu\|sin"); )"
            R"(if [ $n -lt 4 ]; then exit 9; elif [ $n -eq 5 ]; then exit 125; fi; exit 7')");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, Not(HasSubstr("exit code 9")));
    EXPECT_THAT(said.out, testing::ContainsRegex("forward: [46] of 20 instructions still fail"));
}

TEST_F(Reduce, SlowerThanWithoutThePlugin) {
    const Outcome said = run("et-inspect reduce cos.pte --plugin ./faults.so --fails slower -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("forward: 1 of 20 instructions still fail"));
    EXPECT_THAT(said.out, HasSubstr("  13 aten::cos.out\n"));
    EXPECT_THAT(said.out, HasSubstr("times the"));
}

TEST_F(Reduce, SlowerThanATimeOrATrace) {
    EXPECT_EQ(run("et-inspect run cos.pte --iterations 30 --etdump fast.etdp").code, 0);
    const std::string command = "et-inspect reduce cos.pte --plugin ./faults.so --fails slower ";
    EXPECT_THAT(run(command + "--against 1ms -o out").out, HasSubstr("  13 aten::cos.out\n"));
    // The remaining operator depends on the machine load when the trace was recorded and now.
    const Outcome said = run(command + "--against fast.etdp -o traced");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("of 20 instructions still fail"));
    EXPECT_THAT(run("et-inspect reduce cos.pte --fails slower --against 1000s -o quick").err,
                HasSubstr("the whole program does not fail in this way"));
    EXPECT_THAT(run("et-inspect reduce cos.pte --fails slower --against 5parsecs -o quick").err,
                HasSubstr("--against: expected a time such as 5ms"));
    EXPECT_THAT(run("et-inspect reduce cos.pte --fails slower -o quick").err,
                HasSubstr("needs --against or --plugin"));
    EXPECT_THAT(run("et-inspect reduce cos.pte --fails crash --against 5ms -o quick").err,
                HasSubstr("--against requires --fails slower"));
}

TEST_F(Reduce, ToSmallerTensors) {
    for (const std::string how :
         {"crash.pte --fails crash", "nan.pte --fails nan", "neg.pte --fails verify"}) {
        SCOPED_TRACE(how);
        fs::remove_all(scratch.path() / "out");
        const Outcome said = run("et-inspect reduce " + how + " --plugin ./faults.so --format json -o out");
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out,
                    testing::ContainsRegex("\"sizes\": \"1(x1)*\", \"sizes_before\": \"[0-9x]*[2-9]"));
        EXPECT_THAT(page(), HasSubstr("Its inputs are smaller than in the original: 1"));
        EXPECT_THAT(run("et-inspect info out/part.bpte").out, HasSubstr("part.bpte"));
    }
}

/// The failure needs operators of two delegates and an instruction between them.
TEST_F(Reduce, InsideOfSeveralDelegates) {
    ET_NEEDS_SHARED_DATA();
    writeText(scratch.path() / "three.sh",
              "g=$(et-inspect graph \"$1\")\n"
              "for each in XNNSoftmax XNNFullyConnected native_layer_norm; do\n"
              "  echo \"$g\" | grep -q $each || exit 0\n"
              "done\nexit 7\n");
    const std::string model = (sharedData() / "programs" / "bert_tiny" / "xnnpack").string();
    const Outcome said = run("et-inspect reduce " + model + ".bpte --etrecord " + model +
                             ".etrecord --fails 'sh three.sh {}' -o out");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("3 of 56 instructions, 2 of "));
    EXPECT_THAT(said.out, HasSubstr(" operators of the delegates still fail"));
    EXPECT_THAT(said.out, HasSubstr(" XNNSoftmax ("));
    EXPECT_THAT(said.out, HasSubstr(" XNNFullyConnected ("));
    EXPECT_EQ(run("et-inspect verify out/part.bpte").code, 0);
    // The command shown on the page selects the same part.
    const std::string text = page();
    const std::size_t at = text.find("--instructions");
    const std::string again = text.substr(at, text.find('\n', at) - at);
    EXPECT_THAT(again, HasSubstr("--nodes 11:0+19:8"));
    EXPECT_EQ(run("et-inspect extract " + model + ".bpte " + again).code, 0);
    EXPECT_EQ(run("sh three.sh part.bpte").code, 7);
}

TEST_F(Reduce, ReportsWhenNothingFails) {
    const Outcome said = run("et-inspect reduce sin.pte --fails crash -o out");
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.err, HasSubstr("the whole program does not fail in this way: it runs to completion"));
    EXPECT_THAT(run("et-inspect reduce sin.pte --fails verify -o out").err,
                HasSubstr("needs --etrecord or --plugin"));
    EXPECT_THAT(run("et-inspect reduce sin.pte --fails gap -o out").err, HasSubstr("needs --etrecord"));
    EXPECT_THAT(run("et-inspect reduce sin.pte --fails perhaps -o out").err,
                HasSubstr("--fails: expected gap"));
    EXPECT_EQ(run("et-inspect reduce nothing.pte --fails crash -o out").code, 3);
}

TEST_F(Reduce, AResultIsNotReplaced) {
    fs::create_directory(scratch.path() / "out");
    writeText(scratch.path() / "out" / "README.md", "mine");
    const Outcome said = run("et-inspect reduce crash.pte --plugin ./faults.so --fails crash -o out");
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(page(), "mine");
}

TEST_F(Reduce, AnInterruptionLeavesTheSmallestSoFar) {
    const Outcome said = run(
        "et-inspect reduce hang.pte --plugin ./faults.so --fails crash --max-time 1 --timeout 2.5 -o out");
    EXPECT_EQ(said.code, 4) << said.err;
    EXPECT_THAT(said.out, HasSubstr("of 20 instructions still fail"));
    EXPECT_THAT(filesOfResult(), testing::ElementsAre("README.md", "part.bpte", "progress.json"));
}

TEST_F(Reduce, GoesOnWhereItWasInterrupted) {
    const std::string command = "et-inspect reduce hang.pte --plugin ./faults.so --fails crash -o out ";
    const Outcome first = run(command + "--max-time 1 --timeout 2.5");
    ASSERT_EQ(first.code, 4) << first.err;
    ASSERT_TRUE(fs::exists(scratch.path() / "out" / "progress.json"));
    EXPECT_EQ(run(command + "--max-time 0.3").code, 2);
    EXPECT_THAT(run("et-inspect reduce hang.pte --fails nan --resume -o out").err,
                HasSubstr("which the reduction was started with"));
    const Outcome said = run(command + "--max-time 1 --resume");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("  13 my::hang.out\n"));
    EXPECT_THAT(filesOfResult(), testing::ElementsAre("README.md", "part.bpte"));
}

TEST_F(Reduce, RejectsInvalidProgressFile) {
    fs::create_directory(scratch.path() / "out");
    for (const char* const text :
         {"", "[]", "{}",
          R"({"fails": "crash", "signature": "x", "inputs": -1, "instructions": "1", "nodes": ""})",
          R"({"fails": "crash", "signature": "x", "inputs": 0, "instructions": "9..1", "nodes": ""})",
          R"({"fails": "crash", "signature": "x", "inputs": 0, "instructions": "777", "nodes": ""})"}) {
        writeText(scratch.path() / "out" / "progress.json", text);
        const Outcome said = run("et-inspect reduce sin.pte --fails crash --resume -o out");
        EXPECT_THAT(said.code, testing::AnyOf(1, 2, 3)) << text << said.err;
        EXPECT_THAT(said.err, HasSubstr("progress.json")) << text;
    }
}

TEST_F(Reduce, AsJson) {
    const Outcome said =
        run("et-inspect reduce crash.pte --plugin ./faults.so --fails crash -o out --format json");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr(R"("fails": "crash", "instructions_before": 20, "instructions": "13")"));
}

}  // namespace
}  // namespace et::test

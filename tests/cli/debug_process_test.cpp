#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>

namespace et::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class DebugProcessTest : public testing::Test {
  protected:
    [[nodiscard]] Outcome shell(const std::string& command) const {
        return runShell(command, {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder folder;
};

TEST_F(DebugProcessTest, SwapsAKernelAndRunsAgainToTheSamePlace) {
    writeBytes(folder.path() / "relu6.pte", writeProgram(chainProgram({"aten::abs", "my::relu6"})));
    fs::create_symlink(ET_RELU6_PLUGIN, folder.path() / "relu6.so");
    const Outcome missing = shell("et-inspect debug relu6.pte -x start");
    EXPECT_EQ(missing.code, 3);
    const Outcome swapped = shell(
        "et-inspect debug relu6.pte --plugin relu6.so --input=-8 -x 'break 1' -x run -x 'swap relu6.so' -x "
        "step "
        "-x 'print out' -x 'info breakpoints'");
    EXPECT_EQ(swapped.code, 0) << swapped.err;
    EXPECT_THAT(swapped.out, HasSubstr("At: execution 0, instruction 1 of 2: my.relu6.out"));
    EXPECT_THAT(swapped.out, HasSubstr("[6, 6, 6]"));
    EXPECT_THAT(swapped.out, HasSubstr("Breakpoint 1: 1 at instruction 1"));
    const Outcome gone = shell("et-inspect debug relu6.pte --plugin relu6.so -x start -x 'swap gone.so'");
    EXPECT_EQ(gone.code, 3);
    EXPECT_THAT(gone.err, HasSubstr("gone.so"));
}

/// The edit makes branch 1, which the new process has too; the kernel of the new plugin runs in it.
TEST_F(DebugProcessTest, KeepsEditsWhenAKernelIsSwapped) {
    writeBytes(folder.path() / "relu6.pte", writeProgram(chainProgram({"aten::abs", "my::relu6"})));
    fs::create_symlink(ET_RELU6_PLUGIN, folder.path() / "relu6.so");
    const Outcome swapped = shell(
        "et-inspect debug relu6.pte --plugin relu6.so --input=-8 -x start -x step -x 'set out = 5' -x finish "
        "-x "
        "'jump 1' -x 'swap relu6.so' -x 'print out' -x step -x 'print out' -x branch -x 'branch 0' -x 'jump "
        "1' -x "
        "'print out'");
    EXPECT_EQ(swapped.code, 0) << swapped.err;
    EXPECT_THAT(swapped.out, HasSubstr("At: execution 0 of branch 1, instruction 1 of 2: my.relu6.out"));
    EXPECT_THAT(swapped.out, HasSubstr("[5, 5, 5]"));
    EXPECT_THAT(swapped.out, HasSubstr("> Branch 1: set %1 at execution 0, step 1"));
    EXPECT_THAT(swapped.out, HasSubstr("[8, 8, 8]"));
}

TEST_F(DebugProcessTest, KeepsEditsAfterACrash) {
    writeBytes(folder.path() / "crash.pte", writeProgram(chainProgram({"aten::abs", "my::crash"})));
    fs::create_symlink(ET_FAULTS_PLUGIN, folder.path() / "faults.so");
    const Outcome ran = shell(
        "et-inspect debug crash.pte --plugin faults.so --input=-2 -x start -x 'set input:0 = -7' -x continue "
        "-x "
        "'print in' -x branch -x 'branch 0' -x 'jump 1' -x 'print in'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("SIGABRT"));
    EXPECT_THAT(ran.out, HasSubstr("[7, 7, 7]"));
    EXPECT_THAT(ran.out, HasSubstr("> Branch 1: set %0 at execution 0, step 0"));
    EXPECT_THAT(ran.out, HasSubstr("[2, 2, 2]"));
}

TEST_F(DebugProcessTest, WatchesTheValueThatOutMeansNow) {
    writeBytes(folder.path() / "chain.pte",
               writeProgram(chainProgram({"aten::abs", "aten::neg", "aten::abs"})));
    const Outcome ran = shell(
        "et-inspect debug chain.pte --input 2 -x 'watch out not in 0..9' -x run -x 'jump 1' -x 'delete' -x "
        "'watch "
        "out' -x continue -x 'info breakpoints'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("after instruction 1 of 3: aten.neg.out"));
    EXPECT_THAT(ran.out, HasSubstr("Watchpoint 2: %1\nEnd"));
    const Outcome early = shell("et-inspect debug chain.pte --input 2 -x 'watch out'");
    EXPECT_EQ(early.code, 2);
    EXPECT_THAT(early.err, HasSubstr("nothing has run yet"));
}

TEST_F(DebugProcessTest, NamesWhatAWatchpointNeverFound) {
    const Outcome ran = shell(
        "et-inspect sample add_mul > /dev/null && et-inspect debug add_mul.pte --input ones -x 'watch "
        "nosuch' -x 'break "
        "1 if foo > 1' -x run");
    EXPECT_THAT(ran.out,
                HasSubstr("End: execution 0 of forward after 3 steps\n  breakpoint 2: no value 'foo'"));
    EXPECT_THAT(ran.out, HasSubstr("; watchpoint 1: no value 'nosuch'"));
}

/// Each token is that of the largest logit of the execution before.
TEST_F(DebugProcessTest, RecordsAGenerationWithinABudget) {
    const std::string generation =
        " --format json -x 'run 1 0' -x 'run --times 999 =argmax(output:0) =mod(execution+1,64)' -x 'info "
        "executions' "
        "-x 'jump 417:76' -x 'print output:0' -x 'jump 103:40' -x 'print out' -x 'reverse-step 3' -x 'print "
        "in'";
    const Outcome small =
        shell("et-inspect sample llama > /dev/null && et-inspect debug llama.pte --budget 150000" +
              generation + " | tee small.json | grep -v '\"executions\"'");
    const Outcome large =
        shell("et-inspect debug llama.pte" + generation + " | tee large.json | grep -v '\"executions\"'");
    EXPECT_EQ(small.code, 0) << small.err;
    EXPECT_EQ(small.out, large.out);
    EXPECT_THAT(small.out, HasSubstr(R"("reason": "end", "execution": 999,)"));
    simdjson::dom::parser parser;
    std::istringstream lines(readText(folder.path() / "small.json"));
    std::string line;
    while (std::getline(lines, line) && !line.contains("\"executions\"")) {
    }
    const simdjson::dom::element recording = parser.parse(line)["info"]["recording"];
    EXPECT_LE(std::uint64_t(recording["bytes"]), 150'000U);
    EXPECT_GT(std::uint64_t(recording["removed"]), 0U);
}

TEST_F(DebugProcessTest, RunsMethodsOfABundleThatHaveNoCase) {
    ET_NEEDS_SHARED_DATA();
    const std::string bundle = (sharedData() / "programs" / "multi_method" / "portable.bpte").string();
    const Outcome ran = shell("et-inspect debug " + bundle + " -x 'run get_dim:' -x 'print output:0'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("End: execution 0 of get_dim after 0 steps"));
}

TEST_F(DebugProcessTest, FindsOperatorsThatADelegateFused) {
    ET_NEEDS_SHARED_DATA();
    const std::string net = (sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack").string();
    const Outcome fused = shell("et-inspect debug " + net + ".bpte " + net +
                                ".etrecord -x 'break *hardtanh*' -x run -x 'break conv2d' -x 'break "
                                "aten.convolution' -x 'break module:features.0.1'");
    EXPECT_EQ(fused.code, 0) << fused.err;
    EXPECT_THAT(fused.out, HasSubstr("fused: aten_hardtanh_default into 0.1 (XNNConv2d), "));
    EXPECT_THAT(fused.out, HasSubstr("Breakpoint 1: execution 0, instruction 0 of 1, operator 1: XNNConv2d"));
    EXPECT_THAT(fused.out, HasSubstr("Breakpoint 4: module:features.0.1 at instruction 0.1\n"));
}

TEST_F(DebugProcessTest, SavesAndOpensARecording) {
    const Outcome saved = shell(
        "et-inspect sample add_mul > /dev/null && et-inspect debug add_mul.pte --input ones -x run -x 'run "
        "zeros' -x "
        "'jump 0:1' -x 'set out = 7' -x 'save run.etdbg' && et-inspect debug add_mul.pte --recording "
        "run.etdbg -x 'info "
        "executions' -x 'branch 1' -x 'jump 0:1' -x 'print %3'");
    EXPECT_EQ(saved.code, 0) << saved.err;
    EXPECT_TRUE(fs::exists(folder.path() / "run.etdbg"));
    EXPECT_THAT(saved.out, HasSubstr("[7, 7, 7, 7]"));
    const Outcome refused = shell("et-inspect debug add_mul.pte -x run -x 'save missing/run.etdbg'");
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, HasSubstr("missing/run.etdbg"));
    const std::string program = readText(folder.path() / "add_mul.pte");
    const Outcome replaced = shell("et-inspect debug add_mul.pte -x run -x 'save add_mul.pte'");
    EXPECT_EQ(replaced.code, 2);
    EXPECT_THAT(replaced.err, HasSubstr("add_mul.pte"));
    EXPECT_EQ(readText(folder.path() / "add_mul.pte"), program);
}

TEST_F(DebugProcessTest, ValuesHaveTheirNamesInTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const std::string bert = (sharedData() / "programs" / "bert_tiny" / "xnnpack").string();
    const Outcome named = shell("et-inspect debug " + bert + ".bpte " + bert +
                                ".etrecord -x start -x 'info values all' --format json");
    EXPECT_EQ(named.code, 0) << named.err;
    EXPECT_THAT(named.out, HasSubstr(R"("name": "p_tok_weight")")) << "an embedding's weight";
    EXPECT_THAT(named.out, Not(HasSubstr(R"("name": "%40")"))) << "the only result of a delegate";
    const Outcome printed =
        shell("et-inspect debug " + bert + ".bpte " + bert + ".etrecord -x start -x 'print p_tok_weight'");
    EXPECT_EQ(printed.code, 0) << printed.err;
}

/// Signals until the first answer; a signal before the command runs has no effect.
TEST_F(DebugProcessTest, AnInterruptEndsTheCommandButNotTheSession) {
    writeBytes(folder.path() / "endless.pte", writeProgram(endlessProgram()));
    const Outcome ended = shell(
        "mkfifo lines; et-inspect debug endless.pte --format json --max-instructions 1000000000000 < lines > "
        "answers &"
        "session=$!; exec 3> lines; echo run >&3;"
        "while ! [ -s answers ]; do kill -INT $session; sleep 0.1; done;"
        "echo where >&3; echo 'reverse-step 3' >&3; echo quit >&3; exec 3>&-; wait $session; code=$?; cat "
        "answers; exit $code");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(R"({"stop": {"reason": "interrupted", "execution": 0,)"));
    EXPECT_THAT(ended.out, HasSubstr(R"("reason": "step")"));
    EXPECT_THAT(ended.out, HasSubstr(R"({"info": {"kind": "quit"}})"));
    EXPECT_EQ(std::ranges::count(ended.out, '\n'), 4);
}

TEST_F(DebugProcessTest, TheSandboxAllowsNoFiles) {
    writeBytes(folder.path() / "reach.pte", writeProgram(pluginProgram("reach")));
    fs::create_symlink(ET_FAULTS_PLUGIN, folder.path() / "faults.so");
    const Outcome ran =
        shell("ET_REACH=$PWD/reached et-inspect debug reach.pte --plugin faults.so --sandbox auto -x run");
    EXPECT_THAT(ran.out, HasSubstr("Error: execution 0, instruction 0 of 1: my.reach.out"));
    EXPECT_THAT(ran.out, HasSubstr("reached:"));
    EXPECT_FALSE(fs::exists(folder.path() / "reached"));
    EXPECT_THAT(ran.out, Not(HasSubstr("program")));
}

TEST_F(DebugProcessTest, APluginThatPrintsDoesNotDisturbTheAnswers) {
    writeBytes(folder.path() / "crash.pte", writeProgram(chainProgram({"aten::abs", "my::crash"})));
    fs::create_symlink(ET_FAULTS_PLUGIN, folder.path() / "faults.so");
    const Outcome ran = shell(
        "printf 'watch nan\\nrun\\nprint in\\nrun\\nwhere\\n' | et-inspect debug crash.pte --plugin "
        "faults.so --input=-2 "
        "--format json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    // Both runs crash; the values before the instruction are there.
    EXPECT_THAT(
        ran.out,
        HasSubstr(
            R"({"stop": {"reason": "crash", "execution": 0, "instruction": 1, "node": null, "operator": "my.crash.out")"));
    EXPECT_THAT(ran.out, HasSubstr(R"("data": [2.0, 2.0, 2.0, 2.0, 2.0, 2.0])"));
    EXPECT_THAT(ran.out, HasSubstr("SIGABRT"));
    EXPECT_EQ(std::ranges::count(ran.out, '\n'), 5);
}

}  // namespace
}  // namespace et::test

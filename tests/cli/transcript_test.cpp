#include "tests/cli/transcript.h"

#include "tests/cli/plugin_models.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/support/synthetic_set/synthetic_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>
#include <string>

namespace et::test {
namespace {

namespace fs = std::filesystem;

/// Set ET_UPDATE_TRANSCRIPTS=1 to update the transcripts with et-inspect's current output.
bool updating() {
    return std::getenv("ET_UPDATE_TRANSCRIPTS") != nullptr;
}

/// A program that adds, and passes the sum to a delegate of an unknown backend.
ProgramSpec delegatedProgram() {
    MethodSpec method = addMethod();
    method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = 96}});
    method.arenas = {0, 128};
    method.outputs = {4};
    method.delegates = {
        DelegateSpec{.compileSpecs = {{"mode", "fast"}, {"level", std::string("\x04\0", 2)}}}};
    method.instructions.emplace_back(DelegateCallSpec{.delegate = 0, .args = {2, 4}});
    return {.methods = {method}, .inlinePayloads = {std::string("\x08\0\0\0TOSA\0\0\0\0", 12)}};
}

/// A program that adds two inputs with overlapping memory.
ProgramSpec overlapProgram() {
    MethodSpec method = addMethod();
    method.values[1] = TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = 16}};
    return {.methods = {method}};
}

/// Bytes of float32 numbers.
BundledTensorSpec tensorOf(std::vector<float> numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return {.sizes = {2, 3}, .dimOrder = {0, 1}, .data = {bytes.begin(), bytes.end()}};
}

/// Builds a bundle of pluginProgram() with a case that has fixed inputs and these expected outputs.
std::vector<std::byte> pluginBundle(const std::string& name,
                                    const std::vector<std::vector<float>>& expected) {
    CaseSpec tested{.inputs = {tensorOf({-1, 0, 3, 5.5, 6, 9})}, .outputs = {}};
    for (const std::vector<float>& each : expected) {
        tested.outputs.emplace_back(tensorOf(each));
    }
    return writeBundle({.suites = {{"forward", {tested}}}, .program = writeProgram(pluginProgram(name))});
}

/// Creates the files available to every transcript: the sample set with made-up times, and several kinds of
/// invalid files.
void fillFolder(const fs::path& folder) {
    const auto written = synthetic::writeSet(folder);
    ASSERT_TRUE(written) << written.error().toString();
    const std::string trace = readText(folder / "conv_net.etdp");
    writeText(folder / "cut.etdp", std::string_view(trace).substr(0, trace.size() / 2));
    writeText(folder / "noise.bin", "neither of the formats\n");
    writeText(folder / "empty.pte", "");
    writeBytes(folder / "add.pte", writeProgram(addProgram()));
    writeBytes(folder / "overlap.pte", writeProgram(overlapProgram()));
    writeBytes(folder / "delegated.pte", writeProgram(delegatedProgram()));
    writeBytes(folder / "relu6.pte", writeProgram(pluginProgram("relu6")));
    writeBytes(folder / "endless.pte", writeProgram(endlessProgram()));
    fs::create_directory(folder / "cases");
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    writeBytes(folder / "cases/right.bpte", pluginBundle("relu6", {{0, 0, 3, 5.5, 6, 6}}));
    writeBytes(folder / "cases/wrong.bpte", pluginBundle("relu6", {{0, 0, 3.25, 5.5, nan, 6}}));
    writeBytes(folder / "cases/extra.bpte",
               pluginBundle("relu6", {{0, 0, 3, 5.5, 6, 6}, {0, 0, 0, 0, 0, 0}}));
    writeBytes(folder / "crash.bpte", pluginBundle("crash", {{0, 0, 0, 0, 0, 0}}));
    writeBytes(folder / "hang.bpte", pluginBundle("hang", {{0, 0, 0, 0, 0, 0}}));
    fs::create_symlink(ET_FAULTS_PLUGIN, folder / "faults.so");
    fs::create_symlink(ET_RELU6_PLUGIN, folder / "relu6.so");
    writeBytes(folder / "add.bpte", writeBundle({
                                        .suites = {{"forward",
                                                    {{.inputs = {BundledTensorSpec{}, std::int64_t{3}},
                                                      .outputs = {BundledTensorSpec{}}}}}},
                                        .program = writeProgram(addProgram()),
                                    }));
}

std::vector<fs::path> transcripts() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(ET_TRANSCRIPTS)) {
        if (entry.path().extension() == ".txt") {
            found.push_back(entry.path());
        }
    }
    std::ranges::sort(found);
    return found;
}

class TranscriptTest : public testing::TestWithParam<fs::path> {};

TEST_P(TranscriptTest, AnswersAsWritten) {
    const ScratchFolder folder;
    fillFolder(folder.path());
    Transcript transcript = Transcript::parse(readText(GetParam()));
    for (Step& step : transcript.steps) {
        if (step.command.empty()) {
            continue;
        }
        const Outcome answer = replay(step, folder.path());
        if (updating()) {
            step.expected = answer;
            continue;
        }
        EXPECT_EQ(answer.out, step.expected.out) << "stdout of: " << step.command;
        EXPECT_EQ(answer.err, step.expected.err) << "stderr of: " << step.command;
        EXPECT_EQ(answer.code, step.expected.code) << "exit code of: " << step.command;
    }
    if (updating()) {
        writeText(GetParam(), transcript.format());
    }
}

INSTANTIATE_TEST_SUITE_P(Cli, TranscriptTest, testing::ValuesIn(transcripts()),
                         [](const auto& each) { return each.param.stem().string(); });

std::string output(const std::string& command) {
    const Outcome outcome =
        replay({.comment = {}, .command = command, .setup = {}, .expected = {}}, fs::temp_directory_path());
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
}

TEST(Reference, HasASectionForEachCommandOfTheHelp) {
    const std::string page = output("et-inspect man --format markdown");
    const std::string help = output("et-inspect --help");
    const std::size_t start = help.find("\nInspect a model:\n");
    ASSERT_NE(start, std::string::npos);
    std::istringstream lines(help.substr(start, help.find("\nOptions:\n") - start));
    std::size_t commands = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ') {
            const std::string name = line.substr(2, line.find(' ', 2) - 2);
            EXPECT_NE(page.find("\n## " + name + "\n"), std::string::npos) << name;
            ++commands;
        }
    }
    EXPECT_GT(commands, 30U);
}

TEST(Transcript, FormatsWhatItParses) {
    const std::string text =
        "For people.\n\n@ terminal 60\n@ env NO_COLOR=1\n$ printf 'a\\n\\nb'\n> a\n>\n>! b\n! oops\n= 3\n";
    const Transcript transcript = Transcript::parse(text);
    EXPECT_EQ(transcript.format(), text);
    EXPECT_EQ(transcript.steps.back().expected.out, "a\n\nb");
    EXPECT_EQ(transcript.steps.back().expected.err, "oops\n");
    EXPECT_EQ(transcript.steps.back().expected.code, 3);
}

TEST(Transcript, NoticesAWrongAnswer) {
    const ScratchFolder folder;
    const Transcript transcript = Transcript::parse("$ echo out; echo err >&2; exit 4\n");
    const Outcome answer = replay(transcript.steps.front(), folder.path());
    EXPECT_EQ(answer.out, "out\n");
    EXPECT_EQ(answer.err, "err\n");
    EXPECT_EQ(answer.code, 4);
}

}  // namespace
}  // namespace et::test

#include "tests/cli/transcript.h"

#include "app/samples/sample_set.h"
#include "tests/cli/scratch_folder.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace et::test {
namespace {

namespace fs = std::filesystem;

/// Set ET_UPDATE_TRANSCRIPTS=1 to write what et-inspect answers now into the transcripts.
bool updating() {
    return std::getenv("ET_UPDATE_TRANSCRIPTS") != nullptr;
}

void writeText(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

void writeBytes(const fs::path& path, const std::vector<std::byte>& bytes) {
    writeText(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// What every transcript finds in its folder: the sample, and files that are wrong in different ways.
void fillFolder(const fs::path& folder) {
    const auto written = samples::writeSampleSet("conv_net", folder);
    ASSERT_TRUE(written) << written.error().toString();
    const std::string trace = readText(folder / "conv_net.etdp");
    writeText(folder / "cut.etdp", std::string_view(trace).substr(0, trace.size() / 2));
    writeText(folder / "noise.bin", "neither of the formats\n");
    writeText(folder / "empty.pte", "");
    writeBytes(folder / "add.pte", writeProgram(addProgram()));
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

TEST(Reference, DocsAreWhatTheProgramPrints) {
    const Outcome page =
        replay({.comment = {}, .command = "et-inspect man --format markdown", .setup = {}, .expected = {}},
               fs::temp_directory_path());
    ASSERT_EQ(page.code, 0) << page.err;
    if (updating()) {
        writeText(ET_REFERENCE_PAGE, page.out);
    }
    EXPECT_TRUE(page.out == readText(ET_REFERENCE_PAGE))
        << "run: et-inspect man --format markdown -o docs/cli.md";
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

// Tests of Python lines: reading stacks, finding files, and the time of each line.
#include "app/samples/sample_set.h"
#include "inspector/names/python_stack.h"
#include "inspector/source/source_files.h"
#include "inspector/source/source_index.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using inspector::PathMapping;
using inspector::PythonFrame;
using inspector::SourceIndex;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PythonStack, FramesHaveTheirFunctionAndCode) {
    const auto frames = inspector::parseFrames(
        "  File \"/src/net.py\", line 12, in forward\n    x = self.stem(x)\n"
        "  File \"/src/stem.py\", line 3, in forward\n    return F.relu(x)\n             ^^^^^^^^^\n");
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0], (PythonFrame{"/src/net.py", 12, "forward", "x = self.stem(x)"}));
    EXPECT_EQ(frames[1], (PythonFrame{"/src/stem.py", 3, "forward", "return F.relu(x)"}));
}

TEST(PythonStack, MissingFieldsStayEmpty) {
    const auto frames = inspector::parseFrames(
        "File \"a.py\", line 1\nFile \"b.py\", line 99999999999999999999, in f\n    code");
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0], (PythonFrame{"a.py", 1, "", ""}));
    EXPECT_EQ(frames[1], (PythonFrame{"b.py", 0, "f", "code"}));
    EXPECT_THAT(inspector::parseFrames("no stack at all"), IsEmpty());
    EXPECT_THAT(inspector::parseFrames("File \"cut off"), IsEmpty());
}

TEST(PythonStack, DamagedTracesTerminate) {
    std::string text;
    for (int i = 0; i < 5000; ++i) {
        text += "File \"a.py\", line 1, in f\n";
    }
    EXPECT_EQ(inspector::parseFrames(text).size(), 1024U);
}

TEST(PythonStack, TheOwnFrameIsTheInnermostThatIsNotPyTorchs) {
    const std::vector<PythonFrame> frames{{"/src/net.py", 1, "", ""},
                                          {"/src/stem.py", 2, "", ""},
                                          {"/usr/lib/torch/nn/functional.py", 3, "", ""}};
    EXPECT_EQ(inspector::ownFrame(frames), frames[1]);
    EXPECT_EQ(inspector::ownFrame(std::span(frames).last(1)), frames[2]);
    EXPECT_EQ(inspector::ownFrame({}), std::nullopt);
    EXPECT_TRUE(inspector::isLibrary("torch/fx/passes/runtime_assert.py")) << "where it lies was cut off";
    EXPECT_FALSE(inspector::isLibrary("mytorch/net.py"));
}

class SourceFilesTest : public testing::Test {
  protected:
    fs::path make(const fs::path& name, std::string_view text = "x = 1\n") {
        const fs::path path = scratch.path() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }
    const fs::path& folder() { return scratch.path(); }

    ScratchFolder scratch;
};

TEST_F(SourceFilesTest, FindsWithAsManyFoldersAsThereAre) {
    const fs::path near = make("net.py");
    const fs::path far = make("models/net.py");
    const std::vector<fs::path> folders{folder()};
    EXPECT_EQ(inspector::findSource("/src/models/net.py", {}, folders), far);
    EXPECT_EQ(inspector::findSource("/src/other/net.py", {}, folders), near);
    EXPECT_EQ(inspector::findSource("C:\\src\\models\\net.py", {}, folders), far);
    EXPECT_EQ(inspector::findSource("/src/stranger.py", {}, folders), std::nullopt);
    EXPECT_EQ(inspector::findSource(far.string(), {}, {}), far) << "at its own place";
}

TEST_F(SourceFilesTest, TheLongestMappingWins) {
    const fs::path one = make("one/models/net.py");
    const fs::path two = make("two/net.py");
    const std::vector<PathMapping> mappings{{"/src", (folder() / "one").string()},
                                            {"/src/models", (folder() / "two").string()}};
    EXPECT_EQ(inspector::findSource("/src/models/net.py", mappings, {}), two);
    EXPECT_EQ(inspector::findSource("/src/models/net.py", std::span(mappings).first(1), {}), one);
    EXPECT_EQ(inspector::findSource("/srcery/models/net.py", mappings, {}), std::nullopt) << "another folder";
}

TEST_F(SourceFilesTest, DerivesMappingFromPathPrefixes) {
    EXPECT_EQ(inspector::mappingBetween("/src/a/net.py", "/home/me/a/net.py"),
              (PathMapping{"/src", "/home/me"}));
    EXPECT_EQ(inspector::mappingBetween("C:\\w\\net.py", "/home/me/net.py"),
              (PathMapping{"C:\\w", "/home/me"}));
    const PathMapping other = inspector::mappingBetween("/src/old.py", "/home/new.py");
    EXPECT_EQ(other, (PathMapping{"/src/old.py", "/home/new.py"}));
    const fs::path found = make("b/net.py");
    const std::vector<PathMapping> learnt{inspector::mappingBetween("/x/b/net.py", found)};
    EXPECT_EQ(inspector::findSource("/x/b/net.py", learnt, {}), found);
}

TEST_F(SourceFilesTest, RejectsHostilePaths) {
    const std::vector<fs::path> folders{folder() / "inner"};
    fs::create_directories(folders.front());
    make("secret.py");
    EXPECT_EQ(inspector::findSource("/src/../secret.py", {}, folders), std::nullopt);
    EXPECT_EQ(inspector::findSource("../secret.py", {}, folders), std::nullopt);
    EXPECT_EQ(inspector::findSource("/dev/zero", {}, {}), std::nullopt);
    EXPECT_EQ(inspector::findSource(folder().string(), {}, {}), std::nullopt) << "a folder";
    EXPECT_EQ(inspector::findSource(std::string_view("a\0b", 3), {}, folders), std::nullopt);
    EXPECT_EQ(inspector::findSource(std::string(100'000, 'a'), {}, folders), std::nullopt);
    EXPECT_EQ(inspector::findSource("", {}, folders), std::nullopt);
}

TEST_F(SourceFilesTest, ReadsRegularFilesOfAModerateSizeOnly) {
    EXPECT_EQ(*inspector::readSource(make("net.py", "x = 1\n")), "x = 1\n");
    EXPECT_EQ(*inspector::readSource(make("empty.py", "")), "");
    const auto device = inspector::readSource("/dev/zero");
    ASSERT_FALSE(device);
    EXPECT_THAT(device.error().toString(), HasSubstr("not a regular file"));
    const fs::path pipe = folder() / "pipe.py";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_FALSE(inspector::readSource(pipe)) << "nothing writes to it, and nothing waits for that";
    const fs::path huge = make("huge.py");
    fs::resize_file(huge, inspector::longestSource + 1);
    const auto tooLong = inspector::readSource(huge);
    ASSERT_FALSE(tooLong);
    EXPECT_EQ(tooLong.error().code, core::ErrorCode::Limit);
    EXPECT_FALSE(inspector::readSource(folder() / "nothing.py"));
}

/// A joined sample run.
struct Sample {
    Sample() {
        const auto files = samples::makeSampleSet("conv_net");
        EXPECT_TRUE(files) << files.error().toString();
        for (const samples::SampleFile& file : *files) {
            const auto bytes = core::MappedFile::fromMemory(file.bytes, file.name);
            if (file.name.ends_with(".etrecord")) {
                record = etrecord::Record::parse(bytes).value();
            } else if (file.name.ends_with(".etdp")) {
                trace = etdump::Trace::parse(bytes).value();
            }
        }
        blocks = inspector::EventBlocks::build(trace, record).value();
    }

    std::shared_ptr<const etrecord::Record> record;
    std::shared_ptr<const etdump::Trace> trace;
    std::shared_ptr<const inspector::EventBlocks> blocks;
};

TEST(SourceIndex, LinesHaveTheTimeOfTheOperatorsWhoseStacksHoldThem) {
    const Sample sample;
    const auto index = SourceIndex::build(
        {.method = "forward", .record = sample.record.get(), .blocks = sample.blocks.get()});
    ASSERT_TRUE(index) << index.error().toString();
    ASSERT_EQ(index->files.size(), 1U);
    const auto& file = index->files.front();
    ASSERT_TRUE(index->total && file.time);
    EXPECT_LE(*file.time, *index->total);
    EXPECT_EQ(file.operators, index->operators);
    const auto lineOf = [&](std::string_view code) {
        const auto found = std::ranges::find(file.lines, code, &inspector::SourceLine::code);
        EXPECT_NE(found, file.lines.end()) << code;
        return found == file.lines.end() ? inspector::SourceLine{} : *found;
    };
    const auto call = lineOf("x = self.stem(x)");
    const auto convolution = lineOf("x = self.norm(self.conv(x))");
    const auto activation = lineOf("return self.act(x)");
    EXPECT_EQ(call.operators, convolution.operators + activation.operators);
    EXPECT_NEAR(call.time.value(), convolution.time.value() + activation.time.value(), 1e-9)
        << "the line that calls has the time of what it calls";
    EXPECT_TRUE(std::ranges::includes(call.handles, activation.handles));
    EXPECT_EQ(index->file(file.path), &file);
    EXPECT_EQ(file.line(call.number)->code, call.code);
    EXPECT_EQ(file.line(100'000), nullptr);
}

TEST(SourceIndex, WithoutATraceLinesHaveNoTime) {
    const Sample sample;
    const auto index = SourceIndex::build({.method = "forward", .record = sample.record.get()});
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->total);
    EXPECT_FALSE(index->files.front().lines.front().time);
    EXPECT_GT(index->files.front().lines.front().operators, 0U);
}

TEST(SourceIndex, UnknownMethodHasNoLines) {
    const Sample sample;
    const auto index = SourceIndex::build({.method = "stranger", .record = sample.record.get()});
    ASSERT_TRUE(index);
    EXPECT_THAT(index->files, IsEmpty());
}

}  // namespace
}  // namespace et::test

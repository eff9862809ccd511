// Tests that the sample sets work unmodified with every command that compares values.

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace dom = simdjson::dom;

class SampleProcessTest : public testing::TestWithParam<std::string> {
  protected:
    SampleProcessTest() { EXPECT_EQ(run("et-inspect sample {0} -o .").code, 0); }

    /// {0} is replaced by the sample's name.
    Outcome run(const std::string& command) const {
        return runShell(fmt::format(fmt::runtime(command), GetParam()),
                        {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    /// Returns the JSON document that a command prints.
    dom::element json(const std::string& command) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }

    ScratchFolder scratch;
    dom::parser parser;
    simdjson::padded_string text;
};

TEST_P(SampleProcessTest, Verifies) {
    EXPECT_EQ(run("et-inspect verify {0}.bpte").code, 0);
}

TEST_P(SampleProcessTest, HasNoGapToItsProgramOrItsTrace) {
    for (const std::string how :
         {"--program {0}.bpte", "--program {0}.bpte --inputs example,random:1 --bisect",
          "--etdump {0}.etdp --debug-buffer {0}_debug.bin"}) {
        const dom::element document = json("et-inspect gap --etrecord {0}.etrecord --format json " + how);
        EXPECT_GT(document["rows"].get_array().size(), 0U) << how;
    }
}

TEST_P(SampleProcessTest, AGapHasTheRowsAndTensorsOfAllItsInputs) {
    const dom::element document = json(
        "et-inspect gap --etrecord {0}.etrecord --program {0}.bpte --inputs example,random:2 --format json "
        "--save-tensors tensors");
    const dom::array others = document["other_inputs"].get_array();
    ASSERT_EQ(others.size(), 2U);
    EXPECT_EQ(std::string_view(others.at(0)["inputs"]), "random:1");
    EXPECT_EQ(std::string_view(others.at(1)["inputs"]), "random:2");
    EXPECT_EQ(others.at(1)["rows"].get_array().size(), document["rows"].get_array().size());
    for (const char* const set : {"", "inputs_1", "inputs_2"}) {
        EXPECT_TRUE(std::filesystem::exists(scratch.path() / "tensors" / set / "0000_0_runtime.npy")) << set;
    }
    const Outcome told = run(
        "et-inspect gap --etrecord {0}.etrecord --program {0}.bpte --inputs example,random:2 --progress json "
        "--save-tensors tensors");
    const std::string rows = std::to_string(3 * document["rows"].get_array().size());
    EXPECT_NE(told.err.find("\"phase\": \"done\", \"done\": " + rows + ", \"total\": " + rows), told.err.npos)
        << "the last phase saves " << rows << " rows\n"
        << told.err;
    const dom::element single =
        json("et-inspect gap --etrecord {0}.etrecord --program {0}.bpte --format json");
    EXPECT_NE(single["other_inputs"].error(), simdjson::SUCCESS) << "of one set there are no others";
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleProcessTest, testing::Values("add_mul", "conv_net"));

}  // namespace
}  // namespace et::test

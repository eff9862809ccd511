// Tests of profiles of vendors' tools on the command line.

#include "tests/cli/process.h"
#include "tests/inspector/profiles/profile_samples.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <string_view>

namespace et::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ProfileProcessTest : public testing::Test {
  protected:
    Outcome run(std::string_view file, std::string_view text, const std::string& command) const {
        std::ofstream(scratch.path() / file) << text;
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(ProfileProcessTest, AreShownLikeTraces) {
    const Outcome events =
        run("qnn.csv", qnnCsv, "et-inspect qnn.csv --format csv --columns event_name,delegate_metadata");
    ASSERT_EQ(events.code, 0) << events.err;
    EXPECT_THAT(events.err, IsEmpty());
    EXPECT_THAT(events.out, HasSubstr("node_1:OpId_21 (cycles)"));
    EXPECT_THAT(events.out, HasSubstr("SUB-EVENT")) << "other columns are kept";
}

TEST_F(ProfileProcessTest, AreDescribed) {
    const Outcome info = run("vela.csv", velaCsv, "et-inspect info vela.csv");
    ASSERT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("Vela profile"));
    EXPECT_THAT(info.out, HasSubstr("EthosUBackend"));
    EXPECT_THAT(info.out, HasSubstr("cycles"));
    EXPECT_THAT(info.out, HasSubstr("node_2"));
}

TEST_F(ProfileProcessTest, AreConvertedByTheClockOfTheDelegate) {
    const std::string command = "et-inspect vela.csv --format csv --columns event_name,p50";
    const Outcome unknown = run("vela.csv", velaCsv, command);
    ASSERT_EQ(unknown.code, 0) << unknown.err;
    EXPECT_THAT(unknown.err, HasSubstr("cycles of an unknown clock"));
    const Outcome known = run("vela.csv", velaCsv, command + " --delegate-time-scale 500MHz");
    EXPECT_THAT(known.err, IsEmpty());
    EXPECT_THAT(known.out, HasSubstr("node_1,0.014624"));
    EXPECT_THAT(known.out, HasSubstr("DELEGATE_CALL,0.020608"));
}

TEST_F(ProfileProcessTest, NameFileAndLineOfAnError) {
    const Outcome broken =
        run("broken.csv", "NNG Operator,Op Cycles\nConv2D,many\n", "et-inspect broken.csv");
    EXPECT_EQ(broken.code, 3);
    EXPECT_EQ(broken.err,
              "et-inspect: broken.csv: line 2, Op Cycles: expected a number that is not negative, "
              "got \"many\"\n");
}

}  // namespace
}  // namespace et::test

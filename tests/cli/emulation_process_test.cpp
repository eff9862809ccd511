// Tests that run, bench and verify emulate missing backends from ETRecords, and report it.
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

namespace fs = std::filesystem;
namespace dom = simdjson::dom;
using testing::HasSubstr;
using testing::Not;

class EmulationProcessTest : public testing::Test {
  protected:
    Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    [[nodiscard]] static std::string program(const std::string& name) {
        return fmt::format("'{}'", (sharedData() / "programs" / name).string());
    }

    ScratchFolder scratch;
};

TEST_F(EmulationProcessTest, VerifyFindsTheAdjacentRecordAndReportsEmulation) {
    ET_NEEDS_SHARED_DATA();
    const Outcome json = run("et-inspect verify --format json " + program("delegate_map/two_backends.bpte"));
    EXPECT_EQ(json.code, 0) << json.err;
    dom::parser parser;
    const simdjson::padded_string text(json.out);
    const dom::element file = parser.parse(text)["files"].at(0);
    EXPECT_EQ(file["verdict"].get_string().value(), "pass");
    EXPECT_EQ(file["emulated"].get_array().value().size(), 2U);
    const Outcome table = run("et-inspect verify " + program("delegate_map/two_backends.bpte"));
    EXPECT_THAT(table.out, HasSubstr("pass (emulated)"));
    const Outcome here = run("et-inspect verify " + program("add/xnnpack.bpte"));
    EXPECT_THAT(here.out, Not(HasSubstr("emulated")));
}

TEST_F(EmulationProcessTest, RunAndBenchEmulateOnRequest) {
    ET_NEEDS_SHARED_DATA();
    const std::string path = program("delegate_map/int.bpte");
    const Outcome refused = run("et-inspect run " + path);
    EXPECT_NE(refused.code, 0);
    const Outcome ran = run("et-inspect run --emulate --format json --etdump t.etdp " + path);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("\"emulated\""));
    EXPECT_THAT(ran.err, HasSubstr("emulated from"));
    const Outcome trace = run("et-inspect t.etdp --format json");
    EXPECT_THAT(trace.out, HasSubstr("emulated"));
    const Outcome bench = run("et-inspect bench --iterations 2 --warmup 0 --emulate " + path);
    EXPECT_EQ(bench.code, 0) << bench.err;
    EXPECT_THAT(bench.err, HasSubstr("not a valid measurement"));
    EXPECT_THAT(bench.out, HasSubstr("(emulated)"));
}

TEST_F(EmulationProcessTest, OtherRecordsAndMissingOnesAreErrors) {
    ET_NEEDS_SHARED_DATA();
    const std::string path = program("delegate_map/int.bpte");
    const Outcome other = run("et-inspect run " + path + " --etrecord " + program("add/portable.etrecord"));
    EXPECT_EQ(other.code, 3) << "the program does not run";
    EXPECT_THAT(other.err, HasSubstr("cannot emulate"));
    const Outcome bench = run("et-inspect bench " + path + " --etrecord " + program("add/portable.etrecord"));
    EXPECT_EQ(bench.code, 3) << bench.err;
    fs::copy_file(sharedData() / "programs" / "delegate_map" / "int.bpte", scratch.path() / "alone.bpte");
    const Outcome missing = run("et-inspect run --emulate alone.bpte");
    EXPECT_NE(missing.code, 0);
    EXPECT_THAT(missing.err, HasSubstr("no ETRecord next to the program"));
}

}  // namespace
}  // namespace et::test

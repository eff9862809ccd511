// Tests of time limits: an operator that never returns, and SIGTERM.
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {
namespace {

namespace fs = std::filesystem;

class TimeLimitsTest : public testing::Test {
  protected:
    TimeLimitsTest() {
        writeBytes(scratch.path() / "hang.pte", writeProgram(pluginProgram("hang")));
        writeBytes(scratch.path() / "endless.pte", writeProgram(endlessProgram()));
        fs::create_symlink(ET_FAULTS_PLUGIN, scratch.path() / "faults.so");
    }
    [[nodiscard]] Outcome run(const std::string& command) {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(TimeLimitsTest, AnExecutionThatHangsEnds) {
    const Outcome outcome = run("et-inspect run hang.pte --plugin ./faults.so --max-time 0.5");
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_NE(outcome.err.find("--max-time"), std::string::npos) << outcome.err;
}

/// Each command never terminates. `timeout` would kill one that ignores SIGTERM, which is another exit code.
TEST_F(TimeLimitsTest, SigtermStopsAnyTask) {
    const std::string endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
    for (const std::string& command :
         {std::string("run hang.pte --plugin ./faults.so --max-time 0"),
          std::string("run endless.pte --max-instructions 1000000000000 --max-time 0"),
          std::string("bench hang.pte --plugin ./faults.so --max-time 0"),
          std::string("bundle hang.pte --plugin ./faults.so --input ones --from-run --max-time 0 -o h.bpte"),
          std::string("compare endless.pte endless.pte --max-instructions 1000000000000 --max-time 0"),
          std::string("sql endless.pte '" + endless + "'")}) {
        const Outcome outcome = run("timeout --preserve-status -s TERM -k 30 1 et-inspect " + command);
        EXPECT_EQ(outcome.code, 143) << command << "\n" << outcome.out << outcome.err;
    }
}

}  // namespace
}  // namespace et::test

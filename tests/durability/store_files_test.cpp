// Tests of files that are not sessions or stores, or cannot be written.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using testing::Test;

class StoreFiles : public Test {
  protected:
    [[nodiscard]] Outcome sh(const std::string& command) const {
        return runShell(command, {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    }
    void expectError(const std::string& command, int code, std::string_view part) const {
        const Outcome said = sh(command);
        EXPECT_EQ(said.code, code) << command << said.out << said.err;
        EXPECT_NE(said.err.find(part), std::string::npos) << command << said.err;
        EXPECT_EQ(std::string_view(said.err).find('\n'), said.err.size() - 1) << said.err;
    }

    ScratchFolder folder;
};

TEST_F(StoreFiles, EmptyFilesDevicesAndLoopsAreNoSessionsAndNoStores) {
    ASSERT_EQ(
        sh("et-inspect sample add_mul > /dev/null; : > empty.db; ln -s loop.db loop.db; mkdir dir.db").code,
        0);
    for (const std::string file : {"empty.db", "/dev/null", "loop.db", "dir.db"}) {
        SCOPED_TRACE(file);
        expectError("et-inspect session note " + file + " text", 3, file);
        expectError("et-inspect session show " + file, 3, file);
        expectError("et-inspect baseline list --store " + file, 3, file);
        expectError("et-inspect baseline save x add_mul.etdp --store " + file, 3, file);
        expectError("et-inspect compare x add_mul.etdp --store " + file, 3, file);
    }
    EXPECT_EQ(fs::file_size(folder.path() / "empty.db"), 0U);
    expectError("et-inspect session note missing.db text", 2, "missing.db");
    EXPECT_FALSE(fs::exists(folder.path() / "missing.db"));
}

TEST_F(StoreFiles, ASessionWithNotesIsReplacedWithForceOnly) {
    ASSERT_EQ(
        sh("et-inspect sample add_mul > /dev/null && et-inspect session save add_mul.etdp -o n.db").code, 0);
    EXPECT_EQ(sh("et-inspect session save add_mul.etdp -o n.db").code, 0);  // no baseline
    ASSERT_EQ(sh("et-inspect session note n.db mine").code, 0);
    expectError("et-inspect session save add_mul.etdp -o n.db", 2, "1 note");
    EXPECT_EQ(sh("et-inspect sql n.db 'SELECT text FROM notes' --format csv").out, "text\nmine\n");
    EXPECT_EQ(sh("et-inspect session save add_mul.etdp --force -o n.db").code, 0);
    EXPECT_EQ(sh("et-inspect sql n.db 'SELECT text FROM notes' --format csv").out, "text\n");
}

TEST_F(StoreFiles, ExtractReplacesWithForceOnlyAndFollowsNoLink) {
    ASSERT_EQ(sh("et-inspect sample add_mul > /dev/null && et-inspect session save add_mul.etdp -o n.db && "
                 "mkdir out && echo precious > mine && ln -s ../mine out/add_mul.etdp")
                  .code,
              0);
    expectError("et-inspect session extract n.db -o out", 2, "out/add_mul.etdp");
    EXPECT_EQ(
        sh("et-inspect session extract n.db -o out --force && cat mine && cmp add_mul.etdp out/add_mul.etdp")
            .out,
        "out/add_mul.etdp\nprecious\n");
}

TEST_F(StoreFiles, KeepsConcurrentlyAddedCases) {
    ASSERT_EQ(sh("et-inspect sample add_mul > /dev/null && et-inspect bundle add_mul.pte --input random "
                 "--from-run -o b.bpte")
                  .code,
              0);
    const Outcome all =
        sh("for i in 1 2 3 4 5 6 7 8 9 10; do et-inspect bundle b.bpte --input random --seed $i "
           "--from-run -o b.bpte > /dev/null & done; wait; et-inspect verify b.bpte | tail -1");
    EXPECT_EQ(all.out, "1 file: 1 pass, 0 fail, 0 error (11 cases)\n") << all.err;
}

TEST_F(StoreFiles, ReportsErrorsOfSavingFailures) {
    ASSERT_EQ(sh("et-inspect sample add_mul > /dev/null && et-inspect bundle add_mul.pte --input random "
                 "--expected zeros -o b.bpte && "
                 ": > taken")
                  .code,
              0);
    for (const std::string format : {"table", "json", "github"}) {
        const Outcome said = sh("et-inspect verify b.bpte --save-failures taken --format " + format);
        EXPECT_EQ(said.code, 3) << format;
        EXPECT_NE(said.out.find("taken"), std::string::npos) << format << said.out;
    }
    const Outcome junit =
        sh("et-inspect verify b.bpte --save-failures taken --junit j.xml > /dev/null; cat j.xml");
    EXPECT_NE(junit.out.find("name=\"save\""), std::string::npos) << junit.out;
}

TEST_F(StoreFiles, AFileThatIsCutOffWhileItIsReadIsAnError) {
    ASSERT_EQ(sh("et-inspect sample conv_net > /dev/null && et-inspect bundle conv_net.pte --input random "
                 "--from-run -o b.bpte")
                  .code,
              0);
    const Outcome said =
        sh("cp b.bpte cut.bpte; et-inspect run cut.bpte --iterations 2000000 --timeout 20 > /dev/null & "
           "sleep 0.5; "
           "truncate -s 100 cut.bpte; wait $!");
    EXPECT_EQ(said.code, 3) << said.err;
    EXPECT_NE(said.err.find("cut.bpte"), std::string::npos) << said.err;
}

TEST_F(StoreFiles, CanBeReadOnAReadOnlyMount) {
    ASSERT_EQ(sh("et-inspect sample add_mul > /dev/null && mkdir ro && "
                 "et-inspect baseline save one add_mul.etdp --store ro/s.db && "
                 "et-inspect session save add_mul.etdp -o ro/n.db")
                  .code,
              0);
    const std::vector<std::pair<std::string, std::string>> readOnly{
        {"LD_PRELOAD", ET_PLANTED_FAILURE},
        {"ET_FAIL_FOLDER", (folder.path() / "ro").string()},
        {"ET_FAIL_AT", "1"},
        {"ET_FAIL_HOW", "read-only"}};
    const auto run = [&](const std::string& command) {
        return runShell("exec et-inspect " + command,
                        {.folder = folder.path(), .environment = readOnly, .terminalColumns = {}});
    };
    const std::string store = "--store " + (folder.path() / "ro" / "s.db").string();
    const std::string session = (folder.path() / "ro" / "n.db").string();
    for (const std::string& command :
         {"baseline list " + store, "baseline show one " + store, "compare one add_mul.etdp " + store,
          "session show " + session, session}) {
        const Outcome said = run(command);
        EXPECT_EQ(said.code, 0) << command << said.err;
    }
    // After a killed writer, its log or journal is also read.
    const auto kill = [&](const std::string& command, int call) {
        return runShell("exec et-inspect " + command,
                        {.folder = folder.path(),
                         .environment = {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                         {"ET_FAIL_FOLDER", (folder.path() / "ro").string()},
                                         {"ET_FAIL_AT", std::to_string(call)},
                                         {"ET_FAIL_HOW", "kill"}},
                         .terminalColumns = {}});
    };
    constexpr int inTheMiddle = 7;
    EXPECT_EQ(kill("baseline save two add_mul.etdp " + store, inTheMiddle).code, 128 + 9);
    EXPECT_EQ(kill("session note " + session + " text", inTheMiddle).code, 128 + 9);
    EXPECT_NE(run("baseline list " + store).out.find("one"), std::string::npos);
    const Outcome shown = run("session show " + session);
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(run("baseline rm one " + store).code, 3);
    EXPECT_EQ(run("session note " + session + " text").code, 3);
}

}  // namespace
}  // namespace et::test

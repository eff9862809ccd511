// Tests that commands accept sessions in place of the files in them, and external weights without their
// program.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace et::test {
namespace {

using testing::HasSubstr;

class SessionValues : public testing::Test {
  protected:
    void SetUp() override {
        const Outcome made =
            run("et-inspect sample conv_net && et-inspect session save conv_net.bpte conv_net.etrecord "
                "conv_net.etdp "
                "-o s.db");
        ASSERT_EQ(made.code, 0) << made.err;
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(SessionValues, ReplaceTheFilesInThem) {
    const std::string record = "conv_net.bpte --etrecord conv_net.etrecord";
    const std::string all = record + " --etdump conv_net.etdp";
    for (const auto& [command, files] : std::initializer_list<std::pair<std::string, std::string>>{
             {"memory %", record},
             {"delegates %", all},
             {"graph % --overlay time", all},
             {"size % --by module", record},
             {"diff conv_net.pte %", "conv_net.bpte"},
             {"fit % --format json", "conv_net.bpte"},
             {"extract % --instructions 0..2 -o part.bpte", record},
             {"gap %", record},
             {"lower % --dry-run", "conv_net.etrecord"},
             {"quantize % --calibrate % --dry-run", "conv_net.etrecord"},
         }) {
        const auto with = [&](const std::string& value) {
            std::string line = "et-inspect " + command;
            line.replace(line.find('%'), 1, value);
            if (const auto second = line.find('%'); second != std::string::npos) {
                line.replace(second, 1, value == "s.db" ? "s.db" : "conv_net.bpte");
            }
            return run(line);
        };
        const Outcome stored = with("s.db");
        const Outcome given = with(files);
        EXPECT_EQ(stored.code, given.code) << command << stored.err;
        std::string shown = stored.out;
        if (const auto folder = shown.find("s.db/"); folder != std::string::npos) {
            shown.erase(folder, std::string_view("s.db/").size());
        }
        EXPECT_EQ(shown, given.out) << command;
        EXPECT_FALSE(given.out.empty()) << command << given.err;
    }
    for (const std::string command :
         {"run s.db", "bench s.db --iterations 2", "verify s.db", "soak s.db --runs 2",
          "counters s.db --iterations 2", "shapes s.db --no-times"}) {
        const Outcome outcome = run("et-inspect " + command);
        EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    }
}

TEST_F(SessionValues, AreSidesOfComparisons) {
    ASSERT_EQ(run("et-inspect session save conv_net.etdp -o trace.db").code, 0);
    const Outcome given = run("et-inspect compare conv_net.etdp conv_net.etdp --format json");
    for (const std::string sides :
         {"trace.db conv_net.etdp", "conv_net.etdp trace.db", "trace.db trace.db"}) {
        Outcome stored = run("et-inspect compare " + sides + " --format json");
        EXPECT_EQ(stored.code, 0) << sides << stored.err;
        for (auto at = stored.out.find("trace.db/"); at != std::string::npos;
             at = stored.out.find("trace.db/")) {
            stored.out.erase(at, std::string_view("trace.db/").size());
        }
        EXPECT_EQ(stored.out, given.out) << sides;
    }
    const Outcome other = run("et-inspect compare conv_net.etdp s.db --format json");
    const Outcome linked = run(
        "et-inspect compare conv_net.etdp conv_net.etdp --etrecord-after conv_net.etrecord --format json");
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_EQ(std::ranges::count(other.out, '\n'), std::ranges::count(linked.out, '\n'))
        << "the record of a session belongs to its side only";
}

TEST_F(SessionValues, AreMeasurementsInStores) {
    for (const std::string command :
         {"baseline save stored s.db --store store.db",
          "baseline save given conv_net.etdp conv_net.etrecord --store store.db",
          "baseline save named conv_net.etdp --etrecord conv_net.etrecord --store store.db",
          "compare stored s.db --store store.db", "import s.db --store store.db"}) {
        const Outcome outcome = run("et-inspect " + command);
        EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    }
    const auto operators = [this](const std::string& name) {
        return run("et-inspect baseline show " + name +
                   " --store store.db --format json | sed 's/.*\"methods\"//'")
            .out;
    };
    EXPECT_FALSE(operators("given").empty());
    EXPECT_EQ(operators("stored"), operators("given"));
    EXPECT_EQ(operators("named"), operators("given"));
    const Outcome history = run("et-inspect trend conv_net --store store.db");
    EXPECT_EQ(history.code, 0) << history.err;
}

TEST_F(SessionValues, AreNotReplacedByAProgram) {
    const std::string before = readText(scratch.path() / "s.db");
    for (const std::string command : {"replan s.db -o s.db", "extract s.db --instructions 0 -o ./s.db"}) {
        const Outcome outcome = run("et-inspect " + command);
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err, HasSubstr("would replace the session"));
    }
    EXPECT_EQ(readText(scratch.path() / "s.db"), before);
}

TEST_F(SessionValues, NameWhatTheyLack) {
    ASSERT_EQ(run("et-inspect session save conv_net.etdp -o trace.db").code, 0);
    const Outcome outcome = run("et-inspect memory trace.db");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("the session trace.db has no bundle and no program"));
}

TEST_F(SessionValues, ExternalWeightsNeedNoProgram) {
    const Outcome made =
        run("et-inspect replan conv_net.pte --algorithm none --externalize w.ptd --no-check -o external.pte");
    ASSERT_EQ(made.code, 0) << made.err;
    const Outcome listed = run("et-inspect tensors w.ptd --format csv | wc -l");
    const Outcome counted =
        run("et-inspect sql w.ptd \"SELECT count(*) FROM tensors WHERE role = 'data'\" --format csv");
    EXPECT_THAT(counted.out, HasSubstr(std::to_string(std::stoi(listed.out) - 1)))
        << listed.err << counted.err;
    EXPECT_GT(std::stoi(listed.out), 2);
    EXPECT_EQ(run("et-inspect session save w.ptd -o w.db && et-inspect tensors w.db").code, 0);
    EXPECT_EQ(run("et-inspect findings w.ptd").code, 2) << "there is nothing to find";
}

}  // namespace
}  // namespace et::test

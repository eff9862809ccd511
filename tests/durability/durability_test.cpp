// Terminates every command that changes a file at each of its writes, or makes the disk full there. The files
// must be in the state before or after the whole command, and every later command must work.
// ET_ALL_FAILURES=1 injects a failure at every call, otherwise at some of them, with a seed that is printed.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

/// A command that changes files, and how to determine their state.
struct Change {
    std::string_view name;
    std::string_view prepare;  ///< creates the initial state
    std::string_view command;
    /// Prints the relevant state; must exit with 0 in every case.
    std::string_view state;
    /// Run afterwards, in addition to repeating the command; must exit with 0.
    std::string_view later = "true";
    bool startsItself = false;  ///< a failure may hit a child process that it supervises
};

/// A leftover journal must not be applied to the session that is saved next.
constexpr std::string_view saveAnother =
    "et-inspect session save conv_net.etdp --force -o n.db && et-inspect session note n.db more && "
    "et-inspect n.db > /dev/null && [ \"$(et-inspect sql n.db 'SELECT text FROM notes' --format csv | tail "
    "-1)\" = more ]";

constexpr std::string_view sessionState =
    "if [ -e n.db ]; then et-inspect session show n.db | sed 's/20..-..-..T..:..:..Z/TIME/; /^ *[a-z_]* "
    "*[0-9]* *$/d' && "
    "et-inspect sql n.db 'SELECT text FROM notes' --format csv && et-inspect n.db > /dev/null; fi";
constexpr std::string_view storeState =
    "if [ -e s.db ]; then "
    "et-inspect baseline list --store s.db --format json | grep -o '\"name\": \"[a-z]*\"'; fi; true";

constexpr std::string_view trendState =
    "if [ -e s.db ]; then for model in add_mul conv_net; do et-inspect trend $model --store s.db 2> "
    "/dev/null | "
    "grep -q 'too few points' && echo $model; done; fi; true";

constexpr Change changes[] = {
    {"session_save_new", "true", "session save add_mul.etdp add_mul.pte -o n.db", sessionState},
    {"session_save_over", "et-inspect session save conv_net.etdp --note old -o n.db",
     "session save add_mul.etdp add_mul.pte --force -o n.db", sessionState},
    {"session_note", "et-inspect session save add_mul.etdp add_mul.pte --note old -o n.db",
     "session note n.db another", sessionState, saveAnother},
    {"baseline_save_new", "true", "baseline save one add_mul.etdp --store s.db", storeState},
    {"baseline_save", "et-inspect baseline save one add_mul.etdp --store s.db",
     "baseline save two add_mul.etdp --store s.db", storeState},
    {"baseline_remove",
     "et-inspect baseline save one add_mul.etdp --store s.db && et-inspect baseline save two add_mul.etdp "
     "--store s.db",
     "baseline rm one --store s.db", storeState},
    {"import_new", "true", "import conv_net.etdp --store s.db", trendState},
    {"import", "et-inspect import add_mul.etdp --store s.db", "import conv_net.etdp --store s.db",
     trendState},
    {"bundle_in_place", "et-inspect bundle add_mul.pte --input random --from-run -o b.bpte",
     "bundle b.bpte --input random --seed 2 --from-run -o b.bpte",
     "et-inspect verify b.bpte | tail -1 && et-inspect bundle b.bpte --list | cksum"},
    {"run_trace", "et-inspect run add_mul.pte --iterations 2 --etdump t.etdp > /dev/null",
     "run add_mul.pte --iterations 5 --etdump t.etdp",
     "et-inspect t.etdp --columns event_name,count --format csv"},
    {"generate_trace",
     "et-inspect sample llama > /dev/null && et-inspect generate llama.pte --tokenizer llama_tokenizer.bin "
     "--prompt "
     "one --max-tokens 2 --etdump t.etdp > /dev/null",
     "generate llama.pte --tokenizer llama_tokenizer.bin --prompt one --max-tokens 4 --etdump t.etdp",
     "et-inspect t.etdp --columns event_name,count --format csv"},
    {"replan", "et-inspect replan add_mul.pte -o r.pte", "replan conv_net.pte -o r.pte",
     "et-inspect info r.pte | cksum"},
    {"lower", "et-inspect lower add_mul.etrecord -o l.pte", "lower conv_net.etrecord -o l.pte",
     "et-inspect info l.pte | cksum"},
    {"lower_program", "et-inspect lower add_mul.pte -o l.pte", "lower conv_net.pte -o l.pte",
     "et-inspect info l.pte | cksum"},
    {"quantize", "et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte -o q.pte",
     "quantize conv_net.etrecord --calibrate conv_net.bpte --observer minmax -o q.pte",
     "et-inspect info q.pte | cksum"},
    {"optimize", "et-inspect quantize conv_net.etrecord --calibrate conv_net.bpte -o q.pte",
     "optimize conv_net.etrecord --calibrate conv_net.bpte --no-times --budget sqnr=60 -o q.pte",
     "et-inspect info q.pte | cksum"},
    {"part", "et-inspect extract add_mul.pte --instructions 0 -o p.bpte",
     "extract conv_net.pte --instructions 0 -o p.bpte",
     "et-inspect verify p.bpte --format json | grep -c pass; et-inspect info p.bpte | cksum"},
    {"part_record", "true", "extract conv_net.pte --etrecord conv_net.etrecord --instructions 0..3 -o p.bpte",
     "for f in p.*; do [ ! -e $f ] || et-inspect info $f > /dev/null || echo DAMAGED; done"},
    {"reduce", "true", "reduce add_mul.pte --fails 'false {}' -o made",
     "for f in made/part.*; do [ ! -e $f ] || et-inspect info $f > /dev/null || echo DAMAGED; done",
     "rm -rf made", true},
    {"shapes", "et-inspect shapes add_mul.pte --no-times -o s.txt; true",
     "shapes conv_net.pte --no-times -o s.txt", "cat s.txt"},
    {"counters", "et-inspect counters add_mul.pte --iterations 2 --format csv -o c.csv",
     "counters conv_net.pte --iterations 2 --format csv -o c.csv", "cut -d, -f1,2 c.csv | sort"},
    {"size", "et-inspect size add_mul.pte -o s.txt", "size conv_net.pte -o s.txt", "cat s.txt"},
    {"report", "et-inspect report add_mul.etdp -o r.html", "report conv_net.etdp -o r.html",
     "grep -o '<title>.*</title>' r.html; tail -c 8 r.html"},
    {"export", "et-inspect export add_mul.etdp -o x.json", "export conv_net.etdp -o x.json",
     "head -c 40 x.json | wc -c; tail -c 4 x.json; grep -c addmm x.json || true"},
    {"extract", "et-inspect session save add_mul.etdp add_mul.pte -o n.db && mkdir out",
     "session extract n.db --force -o out",
     "for f in out/*; do [ ! -e $f ] || cmp $f $(basename $f) || echo DAMAGED; done"},
    {"sample", "true", "sample add_mul -o made",
     "for f in made/*[!n]; do [ ! -e $f ] || et-inspect info $f > /dev/null || echo DAMAGED; done"},
};

void PrintTo(const Change& change, std::ostream* out) {
    *out << change.name;
}

/// Input files shared by all commands, created once.
const fs::path& inputs() {
    static const ScratchFolder folder;
    static const bool isMade = [] {
        const Outcome made =
            runShell("et-inspect sample add_mul > /dev/null && et-inspect sample conv_net > /dev/null",
                     {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
        EXPECT_EQ(made.code, 0) << made.err;
        return made.code == 0;
    }();
    EXPECT_TRUE(isMade);
    return folder.path();
}

std::vector<std::string> leftOvers(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".part") || name.ends_with("-journal") || name.ends_with("-wal")) {
            names.push_back(name);
        }
    }
    return names;
}

class Durability : public testing::TestWithParam<Change> {
  protected:
    Durability() {
        const Outcome prepared =
            in(base.path(), fmt::format("cp {}/* . && {}", inputs().string(), GetParam().prepare));
        EXPECT_EQ(prepared.code, 0) << prepared.err;
        before = stateOf(base.path());
        const ScratchFolder done;
        copyTo(done.path());
        const fs::path count = done.path() / "count";
        const Outcome whole = in(done.path(), fmt::format("exec et-inspect {}", GetParam().command),
                                 {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                  {"ET_FAIL_FOLDER", done.path().string()},
                                  {"ET_FAIL_COUNT", count.string()}});
        EXPECT_EQ(whole.code, 0) << whole.err;
        std::ifstream(count) >> calls;
        fs::remove(count);
        EXPECT_EQ(leftOvers(done.path()), std::vector<std::string>());
        after = stateOf(done.path());
    }

    static Outcome in(const fs::path& folder, const std::string& command,
                      std::vector<std::pair<std::string, std::string>> environment = {}) {
        return runShell(command,
                        {.folder = folder, .environment = std::move(environment), .terminalColumns = {}});
    }
    void copyTo(const fs::path& folder) const { fs::copy(base.path(), folder, fs::copy_options::recursive); }

    /// State of files that must be readable.
    static std::string stateOf(const fs::path& folder) {
        const Outcome read = in(folder, std::string(GetParam().state));
        EXPECT_EQ(read.code, 0) << read.out << read.err;
        EXPECT_EQ(read.err, "");
        return read.out;
    }

    [[nodiscard]] std::vector<int> chosenCalls(unsigned seed) const {
        constexpr int usual = 6;
        std::vector<int> all(static_cast<std::size_t>(calls));
        std::iota(all.begin(), all.end(), 1);
        if (std::getenv("ET_ALL_FAILURES") != nullptr || calls <= usual) {
            return all;
        }
        std::mt19937 random(seed);
        std::vector<int> chosen;
        std::ranges::sample(all, std::back_inserter(chosen), usual, random);
        return chosen;
    }

    /// Makes the command fail at a call, and checks the files it left.
    void failAt(int call, std::string_view how) const {
        const ScratchFolder folder;
        copyTo(folder.path());
        const std::string command = fmt::format("exec et-inspect {}", GetParam().command);
        const Outcome ended = in(folder.path(), command,
                                 {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                  {"ET_FAIL_FOLDER", folder.path().string()},
                                  {"ET_FAIL_AT", std::to_string(call)},
                                  {"ET_FAIL_HOW", std::string(how)}});
        const bool isKill = how == "kill" || how == "tear";
        if (isKill && !GetParam().startsItself) {
            EXPECT_EQ(ended.code, killed) << ended.err;
        }
        checkWhatIsLeft(folder.path(), ended.code);
    }

    /// Kills the command `seconds` after its start, and checks the files it left. Returns whether it was
    /// killed.
    [[nodiscard]] bool killAfter(double seconds) const {
        const ScratchFolder folder;
        copyTo(folder.path());
        const Outcome ended = in(
            folder.path(), fmt::format("exec timeout -s KILL {} et-inspect {}", seconds, GetParam().command));
        checkWhatIsLeft(folder.path(), ended.code);
        return ended.code == killed;
    }

    void checkWhatIsLeft(const fs::path& folder, int code) const {
        const std::string state = stateOf(folder);
        const bool isPart =
            GetParam().name == "sample" || GetParam().name == "extract";  // several files, each complete
        EXPECT_TRUE(state == before || state == after || isPart) << "got:\n"
                                                                 << state << "before:\n"
                                                                 << before << "after:\n"
                                                                 << after;
        if (code == 0) {
            EXPECT_EQ(state, after) << "a command that failed said nothing";
        }
        const ScratchFolder other;
        fs::copy(folder, other.path(), fs::copy_options::recursive);
        const Outcome later = in(other.path(), std::string(GetParam().later));
        EXPECT_EQ(later.code, 0) << later.out << later.err;
        const Outcome again = in(folder, fmt::format("et-inspect {} > /dev/null", GetParam().command));
        const bool isDone =
            again.code == 0 || (state == after && again.code == 2);  // "there is a baseline already"
        EXPECT_TRUE(isDone) << again.code << again.err;
        stateOf(folder);
        EXPECT_EQ(leftOvers(folder), std::vector<std::string>());
    }

    static constexpr int killed = 128 + 9;
    ScratchFolder base;
    std::string before;
    std::string after;
    int calls = 0;
};

TEST_P(Durability, LosesNothing) {
    ASSERT_GT(calls, 1);
    const unsigned seed = std::random_device()();
    for (const std::string_view how : {"kill", "tear", "full", "io"}) {
        for (const int call : chosenCalls(seed)) {
            SCOPED_TRACE(fmt::format("{} at call {} of {}, seed {}", how, call, calls, seed));
            ASSERT_NO_FATAL_FAILURE(failAt(call, how));
            if (HasFailure()) {
                return;
            }
        }
    }
}

/// Kills at random times, on request: ET_KILLS is the number per command.
TEST_P(Durability, SurvivesKillsAtAnyTime) {
    const char* const asked = std::getenv("ET_KILLS");
    if (asked == nullptr) {
        GTEST_SKIP() << "set ET_KILLS to a number";
    }
    const auto start = std::chrono::steady_clock::now();
    {
        const bool isKilled = killAfter(60);
        EXPECT_FALSE(isKilled);
    }
    constexpr double shareOfTheCommand = 0.25;  // the rest is checking
    const double longest =
        shareOfTheCommand * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::mt19937 random(std::random_device{}());
    int kills = 0;
    for (int i = 0; i < std::atoi(asked) && !HasFailure(); ++i) {
        kills += killAfter(std::uniform_real_distribution(0.001, longest)(random)) ? 1 : 0;
    }
    RecordProperty("kills", kills);
    std::printf("%s: %d of %s were killed\n", std::string(GetParam().name).c_str(), kills, asked);
}

INSTANTIATE_TEST_SUITE_P(Commands, Durability, testing::ValuesIn(changes),
                         [](const testing::TestParamInfo<Change>& info) {
                             return std::string(info.param.name);
                         });

}  // namespace
}  // namespace et::test

// Tests that no command and no format prints names from a file that would move the cursor, ring the bell or
// change the title of a terminal.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace et::test {
namespace {

class HostileNames : public testing::Test {
  protected:
    HostileNames() {
        // Names of equal length keep every offset in the files valid.
        const Outcome made = shell(
            "et-inspect sample conv_net > /dev/null && et-inspect sample llama > /dev/null && et-inspect "
            "bundle conv_net.pte --input random "
            "--expected zeros "
            "-o conv_net.bpte > /dev/null && for f in conv_net.pte conv_net.bpte conv_net.etdp; do "
            "sed -i 's/forward/\\x1b]0;xy\\x07/g; s/aten::/at\\x1b[m:/g; "
            "s/XnnpackBackend/Xnn\\x1b[31mBackd/g' $f; done && "
            "cp conv_net.pte other.pte && et-inspect session save conv_net.pte conv_net.etdp -o n.db");
        EXPECT_EQ(made.code, 0) << made.err;
        std::ofstream(folder.path() / "tokenizer.json")
            << R"({"model": {"type": "WordLevel", "vocab": {"\u001b]0;x\u0007": 0, "a": 1}, "unk_token": "\u001b]0;x\u0007"},
                   "decoder": {"type": "\u001b[31mFuse"}})";
        std::ofstream(folder.path() / "words.json")
            << R"({"model": {"type": "WordLevel", "vocab": {"\u001b]0;x\u0007": 0, "a": 1}, "unk_token": "\u001b]0;x\u0007"}})";
    }

    [[nodiscard]] Outcome shell(const std::string& command) const {
        return runShell(command, {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    }
    [[nodiscard]] Outcome onTerminal(const std::string& command) const {
        return runShell(
            "et-inspect " + command,
            {.folder = folder.path(), .environment = {{"NO_COLOR", "1"}}, .terminalColumns = 100});
    }

    ScratchFolder folder;
};

bool isControl(char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\n' && letter != '\t') || code == 0x7F;
}

constexpr std::string_view commands[] = {
    "conv_net.etdp",
    "conv_net.etdp --format tsv",
    "conv_net.etdp --format csv",
    "conv_net.etdp --format json",
    "conv_net.etdp --format markdown",
    "conv_net.etdp --columns all --width 0",
    "conv_net.etdp --group-by op",
    "info conv_net.pte",
    "info conv_net.bpte --format json",
    "info conv_net.etdp",
    "info n.db",
    "memory conv_net.pte",
    "memory conv_net.pte --format csv",
    "memory conv_net.pte --format json",
    "memory conv_net.pte --format svg",
    "delegates conv_net.pte",
    "delegates conv_net.pte --format json",
    "graph conv_net.pte --format text",
    "graph conv_net.pte --format dot",
    "graph conv_net.pte --format json",
    "diff conv_net.pte other.pte",
    "diff conv_net.pte conv_net.bpte --format markdown",
    "diff conv_net.pte conv_net.bpte --format json",
    "verify conv_net.bpte",
    "verify conv_net.bpte --format json",
    "verify conv_net.bpte --format github",
    "bundle conv_net.bpte --list",
    "findings conv_net.pte conv_net.etdp",
    "findings conv_net.pte conv_net.etdp --format json",
    "sql n.db 'SELECT * FROM events' ",
    "sql n.db 'SELECT * FROM methods' --format csv",
    "sql n.db 'SELECT * FROM instructions' --format markdown",
    "session show n.db",
    "session show n.db --format json",
    "compare conv_net.etdp conv_net.etdp",
    "compare conv_net.etdp conv_net.etdp --format markdown",
    "export conv_net.etdp",
    "run conv_net.pte",
    "bench conv_net.pte --iterations 2 --warmup 0",
    "report conv_net.etdp -o /dev/stdout",
    "size conv_net.pte",
    "replan conv_net.pte",
    "lower conv_net.etrecord --dry-run",
    "lower conv_net.etrecord --dry-run --format json",
    "lower conv_net.pte --etrecord conv_net.etrecord --dry-run",
    "lower conv_net.pte --dry-run --format json",
    "delegates --measure conv_net.pte --etrecord conv_net.etrecord --time 0",
    "quantize conv_net.etrecord --calibrate conv_net.bpte --dry-run",
    "quantize conv_net.etrecord --calibrate conv_net.bpte --dry-run --format json",
    "sensitivity conv_net.etrecord --calibrate conv_net.bpte",
    "sensitivity conv_net.etrecord --calibrate conv_net.bpte --format json",
    "sensitivity conv_net.etrecord --calibrate conv_net.bpte --remedies",
    "quantize conv_net.etrecord --calibrate conv_net.bpte --remedy all --recipe",
    "optimize conv_net.etrecord --calibrate conv_net.bpte --no-times --budget bytes=1M",
    "optimize conv_net.etrecord --calibrate conv_net.bpte --no-times --budget bytes=1 --format json",
    "optimize conv_net.etrecord --calibrate conv_net.bpte --no-times --budget sqnr=60 --recipe",
    "import conv_net.etdp --store h.db --model hostile",
    "trend hostile --store h.db",
    "trend hostile --store h.db --format json",
    "trend other --store h.db",
    "soak conv_net.pte --runs 3",
    "counters conv_net.pte --iterations 2 --warmup 0 2>/dev/null",
    "counters conv_net.pte --iterations 2 --warmup 0 --format json 2>/dev/null",
    "shapes conv_net.pte --no-times --all",
    "shapes conv_net.pte --no-times --format json",
    "shapes conv_net.pte --etrecord conv_net.etrecord --iterations 3 --format svg",
    "extract conv_net.bpte --instructions 0..2 -o part.bpte",
    "reduce conv_net.bpte --fails crash -o reduced",
    "reduce conv_net.bpte --fails 'exit 1 {}' -o reduced",
    "replan conv_net.bpte --strip --format json",
    "size conv_net.pte --by tensor --format json",
    "size conv_net.bpte --by backend",
    "gap conv_net.etrecord conv_net.pte",
    "tokenize --tokenizer tokenizer.json --text a",
    "tokenize --tokenizer words.json --text 'a b' --pieces",
    "tokenize --tokenizer words.json --text 0 --decode",
    "tokenize --tokenizer words.json --text 0 --decode --format json",
    "generate llama.pte --tokenizer words.json --prompt a --max-tokens 3",
    "perplexity llama.pte --tokenizer words.json 'a a'",
    "verify --llm llama.pte --tokenizer words.json",
};

TEST_F(HostileNames, AreEscapedForTerminals) {
    for (const std::string_view command : commands) {
        const Outcome said = onTerminal(std::string(command));
        EXPECT_TRUE(std::ranges::none_of(said.out, isControl)) << command << "\n" << said.out;
        EXPECT_TRUE(std::ranges::none_of(said.err, isControl)) << command << "\n" << said.err;
        EXPECT_LT(said.code, 128) << command;
    }
}

}  // namespace
}  // namespace et::test

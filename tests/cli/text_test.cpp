#include "app/cli/command_line.h"
#include "app/cli/help_text.h"
#include "app/cli/output_options.h"
#include "app/pages/info/info_text.h"
#include "app/pages/wrapped_text.h"
#include "app/tasks/exit_code.h"
#include "app/tasks/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace et::app {
namespace {

using inspector::report::Dict;
using inspector::report::List;
using testing::HasSubstr;

TEST(Suggestion, CountsEdits) {
    EXPECT_EQ(editDistance("", "abc"), 3U);
    EXPECT_EQ(editDistance("table", "table"), 0U);
    EXPECT_EQ(editDistance("tbale", "table"), 1U);  // neighbours swapped
    EXPECT_EQ(editDistance("kitten", "sitting"), 3U);
}

TEST(Suggestion, NamesTheNearestWordOrNone) {
    const std::vector<std::string> known{"table", "tsv", "json"};
    EXPECT_EQ(didYouMean("jsn", known), " (did you mean 'json'?)");
    EXPECT_EQ(didYouMean("markdown", known), "");
    EXPECT_EQ(didYouMean("", known), "");
    EXPECT_EQ(didYouMean(std::string(100'000, 't'), known), "");
}

TEST(Wrapping, BreaksAtBlanks) {
    EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(wrapped("line\nnext", 80, 1), "line\n next");
    EXPECT_EQ(wrapped("unbreakable word", 4, 0), "unbreakable\nword");
    EXPECT_EQ(wrapped("", 80, 0), "");
}

TEST(Help, FitsItsWidthAtEveryLevel) {
    const CommandLine commandLine(builtinVerbs());
    const CommandDoc program = commandLine.documentation();
    std::vector<std::string> texts{helpText(program, "", 100)};
    for (const CommandDoc& verb : program.verbs) {
        texts.push_back(helpText(verb, program.name, 100));
        EXPECT_FALSE(verb.examples.empty()) << verb.name;
    }
    for (const std::string& text : texts) {
        EXPECT_THAT(text, HasSubstr("Usage: "));
        EXPECT_THAT(text, HasSubstr("Examples:\n"));
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            const std::string line = text.substr(at, end - at);
            const bool example = line.starts_with("  et-inspect") || line.starts_with("  source");
            EXPECT_TRUE(line.size() <= 100 || example) << line;
            at = end + 1;
        }
    }
}

TEST(ExitCode, CoversEveryFailure) {
    using core::ErrorCode;
    EXPECT_EQ(exitCode(ErrorCode::Io), ExitCode::Unreadable);
    EXPECT_EQ(exitCode(ErrorCode::Format), ExitCode::Unreadable);
    EXPECT_EQ(exitCode(ErrorCode::Unsupported), ExitCode::Unreadable);
    EXPECT_EQ(exitCode(ErrorCode::Limit), ExitCode::Unreadable);
    EXPECT_EQ(exitCode(ErrorCode::NotFound), ExitCode::Usage);
    EXPECT_EQ(exitCode(ErrorCode::InvalidArgument), ExitCode::Usage);
    EXPECT_EQ(exitCode(ErrorCode::Mismatch), ExitCode::CheckFailed);
    EXPECT_EQ(worse(ExitCode::Fine, ExitCode::Unreadable), ExitCode::Unreadable);
    EXPECT_EQ(worse(ExitCode::Usage, ExitCode::CheckFailed), ExitCode::Usage);
}

TEST(TerminalSafe, KeepsLinesAndTabsOnly) {
    EXPECT_EQ(terminalSafe("a\tb\nc\n"), "a\tb\nc\n");
    EXPECT_EQ(terminalSafe("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
    EXPECT_EQ(terminalSafe("caf\xc3\xa9 \xff"), "caf\xc3\xa9 \\xff");
}

TEST(InfoText, ShowsValuesBlocksAndColumns) {
    const Dict info{
        {"kind", "trace"},
        {"bytes", std::uint64_t{2'097'152}},
        {"counts", Dict{{"tensor", std::uint64_t{2}}, {"int", std::uint64_t{1}}}},
        {"time_ms", Dict{{"load", 1.37086}, {"p50", 0.0143665}}},
        {"missing", {}},
        {"nothing", List{}},
        {"runs", List{Dict{{"name", "Default"}, {"events", std::uint64_t{1}}},
                      Dict{{"name", "Execute\x1b"}, {"events", std::uint64_t{12}}},
                      Dict{{"name", "Execute"}, {"events", std::uint64_t{3}}}}},
        {"methods",
         List{Dict{{"name", "forward"}, {"inputs", List{Dict{{"sizes", std::vector<std::int64_t>{2, 3}}}}}}}},
    };
    EXPECT_EQ(infoText(info, 2),
              "kind:    trace\n"
              "bytes:   2097152 (2.00 MiB)\n"
              "counts:  tensor 2, int 1\n"
              "time:    load 1.371 ms, p50 14.37 µs\n"
              "missing: -\n"
              "runs (3):\n"
              "  name         events\n"
              "  Default           1\n"
              "  Execute\\x1b      12\n"
              "  ... and 1 more; --all shows them\n"
              "methods (1):\n"
              "  forward:\n"
              "    inputs (1):\n"
              "      sizes\n"
              "      [2, 3]\n");
    EXPECT_THAT(infoText(info, 0), HasSubstr("Execute           3\n"));
}

}  // namespace
}  // namespace et::app

#include "app/cli/command_line.h"
#include "app/cli/help_text.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/output/info/info_text.h"
#include "app/output/wrapped_text.h"
#include "app/tasks/base/exit_code.h"
#include "app/tasks/base/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using inspector::format::Dict;
using inspector::format::List;
using testing::HasSubstr;

TEST(Suggestion, CountsEdits) {
    EXPECT_EQ(tasks::editDistance("", "abc"), 3U);
    EXPECT_EQ(tasks::editDistance("table", "table"), 0U);
    EXPECT_EQ(tasks::editDistance("tbale", "table"), 1U);  // neighbours swapped
    EXPECT_EQ(tasks::editDistance("kitten", "sitting"), 3U);
}

TEST(Suggestion, NamesTheNearestWordOrNone) {
    const std::vector<std::string> known{"table", "tsv", "json"};
    EXPECT_EQ(tasks::didYouMean("jsn", known), " (did you mean 'json'?)");
    EXPECT_EQ(tasks::didYouMean("markdown", known), "");
    EXPECT_EQ(tasks::didYouMean("", known), "");
    EXPECT_EQ(tasks::didYouMean(std::string(100'000, 't'), known), "");
}

TEST(VersionDetails, EveryLibraryHasAVersion) {
    const std::string details = versionDetails();
    EXPECT_THAT(details, testing::StartsWith("et-inspect " + std::string(version) + "\n\nBuild\n  commit "));
    std::istringstream lines(details.substr(details.find("\nLibraries\n") + 11));
    std::vector<std::string> names;
    for (std::string name, number, line; lines >> name >> number && std::getline(lines, line);) {
        EXPECT_TRUE(number.front() >= '0' && number.front() <= '9') << name << " " << number;
        names.push_back(name);
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"flatbuffers", "fmt", "libpq", "SQLite", "XNNPACK"}));
}

TEST(Wrapping, BreaksAtBlanks) {
    EXPECT_EQ(output::wrapped("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(output::wrapped("line\nnext", 80, 1), "line\n next");
    EXPECT_EQ(output::wrapped("unbreakable word", 4, 0), "unbreakable\nword");
    EXPECT_EQ(output::wrapped("", 80, 0), "");
}

TEST(Help, FitsItsWidthAtEveryLevel) {
    const CommandLine commandLine(builtinCommands());
    const CommandDoc program = commandLine.documentation();
    std::vector<std::string> texts{helpText(program, "", 100)};
    for (const CommandDoc& command : program.commands) {
        texts.push_back(helpText(command, program.name, 100));
        EXPECT_FALSE(command.examples.empty()) << command.name;
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
    EXPECT_EQ(tasks::exitCode(ErrorCode::Io), tasks::ExitCode::Unreadable);
    EXPECT_EQ(tasks::exitCode(ErrorCode::Format), tasks::ExitCode::Unreadable);
    EXPECT_EQ(tasks::exitCode(ErrorCode::Unsupported), tasks::ExitCode::Unreadable);
    EXPECT_EQ(tasks::exitCode(ErrorCode::Limit), tasks::ExitCode::Unreadable);
    EXPECT_EQ(tasks::exitCode(ErrorCode::NotFound), tasks::ExitCode::Usage);
    EXPECT_EQ(tasks::exitCode(ErrorCode::InvalidArgument), tasks::ExitCode::Usage);
    EXPECT_EQ(tasks::exitCode(ErrorCode::Mismatch), tasks::ExitCode::CheckFailed);
    EXPECT_EQ(tasks::worse(tasks::ExitCode::Fine, tasks::ExitCode::Unreadable), tasks::ExitCode::Unreadable);
    EXPECT_EQ(tasks::worse(tasks::ExitCode::Usage, tasks::ExitCode::CheckFailed), tasks::ExitCode::Usage);
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
    EXPECT_EQ(output::infoText(info, 2),
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
    EXPECT_THAT(output::infoText(info, 0), HasSubstr("Execute           3\n"));
}

}  // namespace
}  // namespace et::cli

#include "app/cli/options.h"

#include "app/cli/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class Shape : std::uint8_t { Round, Square };
constexpr std::array shapes{Choice{"round", Shape::Round}, Choice{"square", Shape::Square}};

/// A program with one command, `cut`, that has one option of each kind.
class OptionsTest : public testing::Test {
  protected:
    OptionsTest() {
        program.help();
        program.version();
        program.integer("--depth", depth, "How deep");
        program.file("FILE", programFiles, "Files");
        command.help();
        command.file("FILE", files, "Files").mustBeGiven();
        command.flag("--all,--everything", all, "All of it");
        command.text("--name", name, "Its name");
        command.text("-t,--tag", tags, "A tag (repeatable)");
        command.text("--columns NAME,...", columns, "Columns");
        command.integer("--top", top, "Rows", 1);
        command.duration("--time", seconds, "Time", {.least = 0, .most = 3600});
        command.number("--factor", factor, "Factor", "a positive number", {.above = 0});
        command.choice("--shape", shape, shapes, "Shape").ignoresCase();
        command.flag("--deep", deep, "Deep").onlyWith("--name");
        command.flag("--short", brief, "Short").notWith("--shape");
    }

    core::Result<Parsed> parse(std::vector<const char*> arguments) {
        arguments.insert(arguments.begin(), "tool");
        const std::array syntax{CommandSyntax{.name = "tool", .options = program},
                                CommandSyntax{.name = "cut", .options = command}};
        return cli::parse(syntax, static_cast<int>(arguments.size()), arguments.data());
    }

    std::string complaint(std::vector<const char*> arguments) {
        const auto parsed = parse(std::move(arguments));
        return parsed ? "" : parsed.error().toString();
    }

    OptionList program, command;
    std::size_t depth = 0;
    double seconds = 0;
    std::vector<std::filesystem::path> programFiles, files;
    bool all = false, deep = false, brief = false;
    std::string name;
    std::vector<std::string> tags, columns;
    std::optional<std::size_t> top;
    double factor = 1;
    std::optional<Shape> shape;
};

TEST_F(OptionsTest, DurationsHaveUnits) {
    for (const auto& [text, expected] : {std::pair{"90s", 90.0},
                                         {"5m", 300.0},
                                         {"0.5h", 1800.0},
                                         {"500ms", 0.5},
                                         {"2.5", 2.5},
                                         {"0", 0.0}}) {
        ASSERT_TRUE(parse({"cut", "x", "--time", text})) << text;
        EXPECT_DOUBLE_EQ(seconds, expected) << text;
    }
    for (const char* const text : {"5 m", "m", "-1s", "2h", "1e400s", "nan", "5min"}) {
        EXPECT_THAT(complaint({"cut", "x", "--time", text}),
                    HasSubstr("--time: expected a time such as 90s, 5m or 500ms, or 0, at most 3600s, got '"))
            << text;
    }
}

TEST_F(OptionsTest, ValuesGoToTheirPlaces) {
    const auto parsed = parse({"cut", "a", "--everything", "--name=x", "-t", "1", "--tag", "2", "--columns",
                               "p,q", "--top", "7", "--factor", "0.5", "--shape", "SQUARE", "b"});
    ASSERT_TRUE(parsed) << parsed.error().toString();
    EXPECT_EQ(parsed->request, Request::Run);
    EXPECT_EQ(parsed->command, 1U);
    EXPECT_THAT(files, ElementsAre("a", "b"));
    EXPECT_TRUE(all);
    EXPECT_EQ(name, "x");
    EXPECT_THAT(tags, ElementsAre("1", "2"));
    EXPECT_THAT(columns, ElementsAre("p", "q"));
    EXPECT_EQ(top, 7U);
    EXPECT_EQ(factor, 0.5);
    EXPECT_EQ(shape, Shape::Square);
}

TEST_F(OptionsTest, OfARepeatedOptionTheLastCounts) {
    ASSERT_TRUE(parse({"cut", "a", "--name", "x", "--name", "y"}));
    EXPECT_EQ(name, "y");
}

TEST_F(OptionsTest, BehindTwoDashesAllAreArguments) {
    ASSERT_TRUE(parse({"cut", "--", "--all"}));
    EXPECT_THAT(files, ElementsAre("--all"));
    EXPECT_FALSE(all);
}

TEST_F(OptionsTest, WrongValuesAreNamed) {
    EXPECT_EQ(complaint({"cut", "a", "--top", "0"}),
              "--top: expected a positive integer, got '0'; see 'tool cut --help'");
    EXPECT_EQ(complaint({"cut", "a", "--top=-1"}),
              "--top: expected a positive integer, got '-1'; see 'tool cut --help'");
    EXPECT_EQ(complaint({"cut", "a", "--top", "99999999999999999999"}),
              "--top: expected a positive integer, got '99999999999999999999'; see 'tool cut --help'");
    EXPECT_EQ(complaint({"cut", "a", "--factor", "nan"}),
              "--factor: expected a positive number, got 'nan'; see 'tool cut --help'");
    EXPECT_EQ(
        complaint({"cut", "a", "--shape", "squar"}),
        "--shape: unknown 'squar' (did you mean 'square'?); available: round, square; see 'tool cut --help'");
    EXPECT_EQ(complaint({"cut", "a", "--name"}), "--name needs a value; see 'tool cut --help'");
}

TEST_F(OptionsTest, OptionsThatDoNotGoTogetherAreNamed) {
    EXPECT_THAT(complaint({"cut", "a", "--deep"}), HasSubstr("--deep requires --name"));
    EXPECT_THAT(complaint({"cut", "a", "--short", "--shape", "round"}), HasSubstr("excludes"));
    EXPECT_EQ(complaint({"cut"}), "FILE is required; see 'tool cut --help'");
    EXPECT_EQ(complaint({"--depth", "1", "cut", "a"}),
              "--depth cannot be combined with 'cut'; see 'tool cut --help'");
}

TEST_F(OptionsTest, UnknownWordsAreNamed) {
    EXPECT_EQ(complaint({"cut", "a", "--fator", "2"}),
              "unknown option '--fator' (did you mean '--factor'?); see 'tool cut --help'");
    EXPECT_EQ(complaint({"ctu", "--factor", "2"}),
              "unknown command 'ctu' (did you mean 'cut'?); see 'tool --help'");
    EXPECT_EQ(complaint({"frobnicate"}), "unknown command 'frobnicate'; see 'tool --help'");
    EXPECT_EQ(complaint({"missing.etdp"}), "");  // the parser does not check whether a file exists
}

TEST_F(OptionsTest, HelpAndVersionAreRequests) {
    const auto help = parse({"cut", "-h"});
    ASSERT_TRUE(help);
    EXPECT_EQ(help->request, Request::Help);
    EXPECT_EQ(help->command, 1U);
    const auto version = parse({"--version"});
    ASSERT_TRUE(version);
    EXPECT_EQ(version->request, Request::Version);
    EXPECT_EQ(version->command, 0U);
}

struct Length {
    int number = 0;
};

struct CutSettings {
    std::filesystem::path file;
    bool all = false;
    std::vector<std::string> tags;
    std::optional<std::size_t> top;
    double factor = 1;
    Shape shape = Shape::Round;
    bool sharp = true;
    std::vector<Length> lengths = {{7}};
};

core::Result<Length> parseLength(std::string_view text) {
    return text == "two" ? core::Result<Length>(Length{2})
                         : core::fail(core::ErrorCode::InvalidArgument, "expected two");
}

std::string lengthText(const Length& length) {
    return length.number == 2 ? "two" : "seven";
}

void addCutOptions(OptionList& options, CutSettings& settings) {
    options.file("FILE", settings.file, "File");
    options.flag("--all", settings.all, "All of it");
    options.text("--tag", settings.tags, "A tag");
    options.integer("--top", settings.top, "Rows", 1);
    options.number("--factor", settings.factor, "Factor", "a positive number", {.above = 0});
    options.choice("--shape", settings.shape, shapes, "Shape");
    options.offFlag("--blunt", settings.sharp, "Not sharp");
    options.custom("--length", settings.lengths, &parseLength, &lengthText, "Lengths");
}

TEST_F(OptionsTest, SettingsBecomeArgumentsThatDifferFromTheDefaults) {
    const CutSettings settings{.file = "-x",
                               .all = true,
                               .tags = {"a", "b"},
                               .top = 3,
                               .factor = 0.5,
                               .shape = Shape::Square,
                               .sharp = false,
                               .lengths = {{2}, {2}}};
    const tasks::CommandArguments arguments = tasks::argumentsOf(settings, &addCutOptions);
    EXPECT_THAT(arguments.options, ElementsAre("--all", "--tag=a", "--tag=b", "--top=3", "--factor=0.5",
                                               "--shape=square", "--blunt", "--length=two", "--length=two"));
    EXPECT_THAT(arguments.positional, ElementsAre("-x"));
    EXPECT_TRUE(tasks::argumentsOf(CutSettings(), &addCutOptions).options.empty());
}

TEST_F(OptionsTest, GivenValuesReplaceTheDefaultOnes) {
    CutSettings settings;
    OptionList options;
    addCutOptions(options, settings);
    const Option& length = options.at("--length");
    EXPECT_THAT(length.values(), ElementsAre("seven"));
    EXPECT_FALSE(length.store("three"));
    EXPECT_THAT(length.values(), ElementsAre("seven"));
    EXPECT_TRUE(length.store("two"));
    EXPECT_TRUE(length.store("two"));
    EXPECT_THAT(length.values(), ElementsAre("two", "two"));
    EXPECT_TRUE(options.at("--blunt").store(""));
    EXPECT_FALSE(settings.sharp);
}

TEST_F(OptionsTest, TheDescriptionHasAliasesAndChoices) {
    const Option& flag = command.all()[2];
    EXPECT_THAT(flag.names, ElementsAre("--all"));
    EXPECT_THAT(flag.aliases, ElementsAre("--everything"));
    EXPECT_TRUE(flag.value.empty());
    const Option& tag = command.all()[4];
    EXPECT_THAT(tag.names, ElementsAre("-t", "--tag"));
    EXPECT_TRUE(tag.repeatable);
    EXPECT_THAT(command.at("--shape").choices, ElementsAre("round", "square"));
    EXPECT_TRUE(command.all()[1].positional);
}

}  // namespace
}  // namespace et::cli

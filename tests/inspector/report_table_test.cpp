#include "inspector/format/json_text.h"
#include "inspector/format/table.h"
#include "tests/inspector/report_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace et::inspector::format {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Table tableOf(std::vector<std::string> headers, std::vector<std::vector<Cell>> rows) {
    Table table;
    for (const std::string& header : headers) {
        table.columns.push_back({.id = header, .header = header});
    }
    table.rows = std::move(rows);
    return table;
}

std::string text(const char* value) {
    return value;
}

// The grids are the output of tabulate 0.9 for the same pandas frame, without the wcwidth package.

TEST(FancyGrid, AlignsNumbersByTheirDecimalsAndTextLeft) {
    const Table table =
        tableOf({"name", "avg (ms)"}, {{text("a"), 0.00011}, {text("bb"), 12.0}, {text("c"), 1e-05}});
    EXPECT_EQ(render(table, Format::Table), R"(╒════╤════════╤════════════╕
│    │ name   │   avg (ms) │
╞════╪════════╪════════════╡
│  0 │ a      │    0.00011 │
├────┼────────┼────────────┤
│  1 │ bb     │   12       │
├────┼────────┼────────────┤
│  2 │ c      │    1e-05   │
╘════╧════════╧════════════╛
)");
}

TEST(FancyGrid, ShowsMissingValuesLikePandas) {
    const Table table = tableOf({"nan", "none", "mixed"}, {{1.5, Cell{}, Cell{}}, {nan, Cell{}, text("x")}});
    EXPECT_EQ(render(table, Format::Table), R"(╒════╤═══════╤════════╤═════════╕
│    │   nan │ none   │ mixed   │
╞════╪═══════╪════════╪═════════╡
│  0 │   1.5 │        │         │
├────┼───────┼────────┼─────────┤
│  1 │ nan   │        │ x       │
╘════╧═══════╧════════╧═════════╛
)");
}

TEST(FancyGrid, TakesTextsThatReadAsNumbersForNumbers) {
    const Table table =
        tableOf({"n", "i", "b", "t"}, {{text("2.50"), text("07"), true, text(" 1e999 ")},
                                       {text("1e3"), std::int64_t{5}, text("False"), text("nan")}});
    EXPECT_EQ(render(table, Format::Table), R"(╒════╤════════╤═════╤═══════╤═══════╕
│    │      n │   i │ b     │ t     │
╞════╪════════╪═════╪═══════╪═══════╡
│  0 │    2.5 │  07 │ True  │ 1e999 │
├────┼────────┼─────┼───────┼───────┤
│  1 │ 1000   │   5 │ False │ nan   │
╘════╧════════╧═════╧═══════╧═══════╛
)");
}

TEST(FancyGrid, GivesCellsWithLineBreaksSeveralLines) {
    const Table table =
        tableOf({"name", "v"}, {{text("one\ntwo"), std::int64_t{1}}, {text(""), std::int64_t{22}}});
    EXPECT_EQ(render(table, Format::Table), R"(╒════╤════════╤═════╕
│    │ name   │   v │
╞════╪════════╪═════╡
│  0 │ one    │   1 │
│    │ two    │     │
├────┼────────┼─────┤
│  1 │        │  22 │
╘════╧════════╧═════╛
)");
}

TEST(FancyGrid, CountsCharactersAndLeavesOutEscapeSequences) {
    const Table table = tableOf({"name"}, {{text("größe…")}, {text("\x1b[31mred\x1b[0m")}});
    EXPECT_EQ(render(table, Format::Table),
              "╒════╤════════╕\n│    │ name   │\n╞════╪════════╡\n│  0 │ größe… │\n├────┼────────┤\n"
              "│  1 │ \x1b[31mred\x1b[0m    │\n╘════╧════════╛\n");
}

TEST(FancyGrid, PrintsAnEmptyTableWithoutAnIndex) {
    EXPECT_EQ(render(tableOf({"a", "bc"}, {}), Format::Table), R"(╒═════╤══════╕
│ a   │ bc   │
╞═════╪══════╡
╘═════╧══════╛
)");
}

TEST(FancyGrid, ShortensListsOfFiveOrMore) {
    Table table = tableOf({"op_types"}, {{List{text("a"), text("b"), text("c"), text("d")}},
                                         {List{text("a"), text("b"), text("c"), text("d"), text("it's")}}});
    table.columns[0].shortenLists = true;
    const std::string grid = render(table, Format::Table);
    EXPECT_THAT(grid, HasSubstr("│ ['a', 'b', 'c', 'd']            │"));
    EXPECT_THAT(grid, HasSubstr("│ ['a', 'b' ... 'it's'] (5 total) │"));
}

TEST(FancyGrid, EscapesTerminalControlSequences) {
    const Table table = tableOf({"name"}, {{text("a\x1b[2Jb\nc")}});
    const std::string shown = render(table, Format::Table, {.colour = false, .width = 200});
    EXPECT_THAT(shown, HasSubstr("a\\x1b[2Jb\\x0ac"));
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
}

TEST(FancyGrid, ColoursOnlyWhenAsked) {
    Table table = tableOf({"v"}, {{1.0}, {2.0}, {3.0}});
    table.heat = {0.5, 0.05, 0.01};
    EXPECT_THAT(render(table, Format::Table), Not(HasSubstr("\x1b")));
    const std::string coloured = render(table, Format::Table, {.colour = true, .width = 0});
    EXPECT_THAT(coloured, HasSubstr("\x1b[1m"));
    EXPECT_THAT(coloured, HasSubstr("\x1b[31m"));
    EXPECT_THAT(coloured, HasSubstr("\x1b[33m"));
    for (const Format format : {Format::Tsv, Format::Csv, Format::Json, Format::Markdown}) {
        EXPECT_THAT(render(table, format, {.colour = true, .width = 80}), Not(HasSubstr("\x1b")));
    }
}

TEST(NarrowLayout, FitsAnyWidthAndListsOmittedColumns) {
    const std::string longName(70, 'n');
    const Table table = tableOf({"first", "avg (ms)", "operators"},
                                {{longName, 1.5, List{text("aten.add.Tensor"), text("aten.mul.Tensor")}},
                                 {text("short…"), 22.25, List{}}});
    for (std::size_t width = 12; width < 120; ++width) {
        const std::string shown = render(table, Format::Table, {.colour = false, .width = width});
        std::size_t start = 0;
        for (std::size_t end; (end = shown.find('\n', start)) != std::string::npos; start = end + 1) {
            const std::string line = shown.substr(start, end - start);
            const auto characters = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LE(characters, static_cast<std::ptrdiff_t>(width)) << shown;
        }
    }
    const std::string narrow = render(table, Format::Table, {.colour = false, .width = 20});
    EXPECT_THAT(narrow, HasSubstr("not shown: "));
    EXPECT_THAT(render(table, Format::Table, {.colour = false, .width = 80}),
                HasSubstr("aten.add.Tensor, aten.mul.Tensor"));
}

TEST(Delimited, QuotesOnlyWhereNeeded) {
    const Table table = tableOf(
        {"name", "v"},
        {{text("a\tb"), 0.1}, {text("say \"x\""), nan}, {text("a,b"), Cell{}}, {text("two\nlines"), true}});
    EXPECT_EQ(render(table, Format::Tsv),
              "\tname\tv\n0\t\"a\tb\"\t0.1\n1\t\"say \"\"x\"\"\"\t\n2\ta,b\t\n3\t\"two\nlines\"\tTrue\n");
    EXPECT_THAT(render(table, Format::Csv), HasSubstr("2,\"a,b\",\n"));
    EXPECT_THAT(render(table, Format::Csv), HasSubstr("0,a\tb,0.1\n"));
}

TEST(Markdown, KeepsTextInItsCell) {
    Table table = tableOf({"na|me", "v"}, {{text("a|b\nc<i>*"), 1.5}});
    table.columns[1].numeric = true;
    EXPECT_EQ(render(table, Format::Markdown),
              "| | na\\|me | v |\n|---:|---|---:|\n| 0 | a\\|b<br>c&lt;i>\\* | 1.5 |\n");
}

TEST(Json, IsValidWhateverTheInput) {
    Table table = tableOf({"t", "n"}, {{std::string("a\xff\x01\"\\\n\xed\xa0\x80") + '\0', nan},
                                       {List{Cell{}, std::uint64_t{18446744073709551615U}}, -1e300},
                                       {Dict{{"k\x80", 0.1}}, std::numeric_limits<double>::infinity()}});
    simdjson::dom::parser parser;
    const auto rows = test::parsed(parser, render(table, Format::Json)).get_array().value();
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_EQ(std::string_view(rows.at(0)["t"]),
              std::string_view("a\uFFFD\x01\"\\\n\uFFFD\uFFFD\uFFFD\0", 18));
    EXPECT_TRUE(rows.at(0)["n"].is_null());
    EXPECT_EQ(std::uint64_t(rows.at(1)["t"].at(1)), 18446744073709551615U);
    EXPECT_EQ(double(rows.at(1)["n"]), -1e300);
    EXPECT_EQ(double(rows.at(2)["t"]["k\uFFFD"]), 0.1);
    EXPECT_TRUE(rows.at(2)["n"].is_null());
    EXPECT_EQ(render(tableOf({"a"}, {}), Format::Json), "[]\n");
}

TEST(AllFormats, AreValidUtf8) {
    const Table table = tableOf({"t"}, {{text("bad\xff\xc3")}});
    for (const Format format : {Format::Table, Format::Tsv, Format::Csv, Format::Json, Format::Markdown}) {
        EXPECT_TRUE(simdjson::validate_utf8(render(table, format)));
        EXPECT_TRUE(simdjson::validate_utf8(render(table, format, {.colour = true, .width = 40})));
    }
}

}  // namespace
}  // namespace et::inspector::format

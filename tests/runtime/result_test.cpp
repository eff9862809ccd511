#include "runtime/core/result.h"

#include "runtime/core/utf8.h"

#include <gtest/gtest.h>

namespace et::core {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) {
        return fail(ErrorCode::InvalidArgument, "expected an even number, got an odd one");
    }
    return number / 2;
}

Result<int> quarter(int number) {
    ET_ASSIGN(const int once, half(number));
    ET_ASSIGN(const int twice, half(once));
    return twice;
}

Result<> check(int number) {
    ET_TRY(half(number));
    return {};
}

TEST(ResultTest, AssignTakesTheValue) {
    ASSERT_TRUE(quarter(12));
    EXPECT_EQ(*quarter(12), 3);
}

TEST(ResultTest, AssignReturnsTheFirstError) {
    const auto failed = quarter(6);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::InvalidArgument);
}

TEST(ResultTest, TryPassesAndStops) {
    EXPECT_TRUE(check(2));
    EXPECT_FALSE(check(3));
}

TEST(ErrorTest, OneLineNamesFileFieldAndOffset) {
    const Error error{
        ErrorCode::Format, "expected 4 bytes, got 2", {.file = "a.pte", .field = "root", .offset = 8}};
    EXPECT_EQ(error.toString(), "a.pte: root at offset 8: expected 4 bytes, got 2");
}

TEST(ErrorTest, UnknownPartsAreLeftOut) {
    EXPECT_EQ((Error{ErrorCode::Io, "cannot open", {.file = "a", .field = {}, .offset = {}}}.toString()),
              "a: cannot open");
    EXPECT_EQ((Error{ErrorCode::Format, "short", {.file = {}, .field = {}, .offset = 0}}.toString()),
              "at offset 0: short");
    EXPECT_EQ((Error{ErrorCode::Format, "short", {.file = {}, .field = "f", .offset = {}}}.toString()),
              "f: short");
}

TEST(ErrorTest, StaysOneLineForAnyFileText) {
    const Error error{ErrorCode::Format, "got \"a\nb\"", {.file = "x\ny", .field = "\x1b[2J", .offset = {}}};
    EXPECT_EQ(error.toString(), "x\\x0ay: \\x1b[2J: got \"a\\x0ab\"");
}

TEST(ErrorTest, InFillsTheFileOnlyOnce) {
    Error error{ErrorCode::Format, "short"};
    Error named = std::move(error).in("outer");
    EXPECT_EQ(named.where.file, "outer");
    EXPECT_EQ(std::move(named).in("other").where.file, "outer");
}

TEST(PrintableTest, KeepsTextAndEscapesTheRest) {
    EXPECT_EQ(printable("linear.weight µ 重"), "linear.weight µ 重");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\t\x7f"), "\\x09\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m")
        << "C1 controls drive terminals as well";
}

TEST(PrintableTest, EscapesInvalidUtf8ByteByByte) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut short";
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past the last code point";
}

TEST(Utf8Test, MeasuresAndDecodes) {
    EXPECT_EQ(utf8SequenceLength("a"), 1U);
    EXPECT_EQ(utf8SequenceLength("µ"), 2U);
    EXPECT_EQ(utf8SequenceLength("重x"), 3U);
    EXPECT_EQ(utf8SequenceLength("😀"), 4U);
    EXPECT_EQ(utf8SequenceLength("\x80"), 0U);
    EXPECT_EQ(utf8Decode("a"), U'a');
    EXPECT_EQ(utf8Decode("µ"), U'µ');
    EXPECT_EQ(utf8Decode("重"), U'重');
    EXPECT_EQ(utf8Decode("😀"), U'😀');
}

TEST(ErrorTest, ShortensTextFromFiles) {
    const std::string name(5000, 'n');
    const Error error{.code = ErrorCode::Format,
                      .message = "expected \"a\", got \"" + name + "\" in \"b\"",
                      .where = {.file = "f", .field = name, .offset = {}}};
    const std::string line = error.toString();
    EXPECT_EQ(line, "f: " + name.substr(0, 200) + "…: expected \"a\", got \"" + name.substr(0, 200) +
                        "…\" in \"b\"");
    const Error umlauts{.code = ErrorCode::Format,
                        .message = "got \"x" +
                                   [] {
                                       std::string text;
                                       for (int i = 0; i < 300; ++i) {
                                           text += "ä";
                                       }
                                       return text;
                                   }(),
                        .where = {}};
    EXPECT_TRUE(umlauts.toString().ends_with("ä…"));
}

}  // namespace
}  // namespace et::core

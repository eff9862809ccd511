#include "inspector/format/python_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace et::inspector::format {
namespace {

using testing::ElementsAre;

// Expected texts are the output of CPython 3.

TEST(PythonText, FloatsHaveTheShortestDigitsThatReadBack) {
    EXPECT_EQ(pythonFloat(0), "0.0");
    EXPECT_EQ(pythonFloat(-0.0), "-0.0");
    EXPECT_EQ(pythonFloat(2), "2.0");
    EXPECT_EQ(pythonFloat(0.1), "0.1");
    EXPECT_EQ(pythonFloat(0.00010400000000000001), "0.00010400000000000001");
    EXPECT_EQ(pythonFloat(1e-4), "0.0001");
    EXPECT_EQ(pythonFloat(1e-5), "1e-05");
    EXPECT_EQ(pythonFloat(1.5e-7), "1.5e-07");
    EXPECT_EQ(pythonFloat(123456789012345.6), "123456789012345.6");
    EXPECT_EQ(pythonFloat(9007199254740993.0), "9007199254740992.0");
    EXPECT_EQ(pythonFloat(1e15), "1000000000000000.0");
    EXPECT_EQ(pythonFloat(1e16), "1e+16");
    EXPECT_EQ(pythonFloat(1e22), "1e+22");
    EXPECT_EQ(pythonFloat(1.7976931348623157e308), "1.7976931348623157e+308");
    EXPECT_EQ(pythonFloat(5e-324), "5e-324");
    EXPECT_EQ(pythonFloat(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(pythonFloat(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(pythonFloat(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(PythonText, GeneralFormatHasSixSignificantDigits) {
    EXPECT_EQ(pythonG(0), "0");
    EXPECT_EQ(pythonG(1), "1");
    EXPECT_EQ(pythonG(0.00265455), "0.00265455");
    EXPECT_EQ(pythonG(0.0026545512), "0.00265455");
    EXPECT_EQ(pythonG(123456), "123456");
    EXPECT_EQ(pythonG(1234567), "1.23457e+06");
    EXPECT_EQ(pythonG(0.0001), "0.0001");
    EXPECT_EQ(pythonG(0.00001), "1e-05");
    EXPECT_EQ(pythonG(6.66667e-05), "6.66667e-05");
    EXPECT_EQ(pythonG(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(PythonText, StringsAreQuotedAndEscapedAsRepr) {
    EXPECT_EQ(pythonString("aten.add.Tensor"), "'aten.add.Tensor'");
    EXPECT_EQ(pythonString("it's"), "\"it's\"");
    EXPECT_EQ(pythonString("it's \"so\""), "'it\\'s \"so\"'");
    EXPECT_EQ(pythonString("\"so\""), "'\"so\"'");
    EXPECT_EQ(pythonString("a\n\t\r\\b"), "'a\\n\\t\\r\\\\b'");
    EXPECT_EQ(pythonString(std::string_view("\0\x1b\x7f", 3)), "'\\x00\\x1b\\x7f'");
    EXPECT_EQ(pythonString("é…"), "'é…'");
    EXPECT_EQ(pythonString("\u00a0\u200b\U000F0000"), "'\\xa0\\u200b\\U000f0000'");
    EXPECT_EQ(pythonString("a\xff"), "'a\uFFFD'");
}

TEST(PythonText, ValuesPrintAsStr) {
    EXPECT_EQ(pythonValue(Cell{}), "None");
    EXPECT_EQ(pythonValue(true), "True");
    EXPECT_EQ(pythonValue(std::int64_t{-3}), "-3");
    EXPECT_EQ(pythonValue(std::string("text")), "text");
    EXPECT_EQ(pythonValue(std::vector<std::uint64_t>{1, 2}), "[1, 2]");
    EXPECT_EQ(pythonValue(std::vector<double>{0.5, 1}), "[0.5, 1.0]");
    EXPECT_EQ(pythonValue(List{}), "[]");
    EXPECT_EQ(pythonValue(List{std::string("a'"), Cell{}, false}), "[\"a'\", None, False]");
    EXPECT_EQ(pythonValue(Dict{{"k", List{std::string("v")}}, {"n", Cell{}}}), "{'k': ['v'], 'n': None}");
}

TEST(PythonText, NumbersAreReadAsPythonDoes) {
    EXPECT_EQ(pythonParseFloat("1_000.5e-1_0"), 1000.5e-10);
    EXPECT_EQ(pythonParseFloat(" +7. "), 7.0);
    EXPECT_EQ(pythonParseFloat("-.5"), -0.5);
    EXPECT_EQ(pythonParseFloat("Infinity"), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(pythonParseFloat("NaN").has_value());
    for (const char* text : {"", ".", "1__0", "_1", "1_", "0x10", "1e", "e5", "1.2.3", "infinit", "1 2"}) {
        EXPECT_EQ(pythonParseFloat(text), std::nullopt) << text;
    }
    EXPECT_TRUE(isPythonInt("-1_000"));
    EXPECT_TRUE(isPythonInt(" 7 "));
    EXPECT_FALSE(isPythonInt("7.0"));
    EXPECT_FALSE(isPythonInt(""));
}

TEST(PythonText, StripAndLines) {
    EXPECT_EQ(pythonStrip(" \t\u00a0a b\u3000\n"), "a b");
    EXPECT_EQ(pythonStrip("\u2003"), "");
    EXPECT_THAT(pythonLines("a\r\nb\n\nc\n"), ElementsAre("a", "b", "", "c"));
    EXPECT_THAT(pythonLines("a\u2028b\x1c"), ElementsAre("a", "b"));
    EXPECT_TRUE(pythonLines("").empty());
}

}  // namespace
}  // namespace et::inspector::format

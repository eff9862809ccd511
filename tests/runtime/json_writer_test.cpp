#include "runtime/core/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace et::core {
namespace {

std::string textOf(std::string_view content) {
    JsonWriter out;
    out.string(content);
    return out.take();
}

std::string numberOf(double value, NonFinite nonFinite) {
    JsonWriter out(nonFinite);
    out.number(value);
    return out.take();
}

TEST(JsonWriter, PutsCommasAndColons) {
    JsonWriter out;
    out.beginObject();
    out.member("list", [&] {
        out.beginArray();
        out.integer(std::int64_t{-7});
        out.integer(std::numeric_limits<std::uint64_t>::max());
        out.number(1);
        out.boolean(true);
        out.null();
        out.beginObject();
        out.endObject();
        out.endArray();
    });
    out.member("raw", [&] { out.raw("[1]"); });
    out.endObject();
    EXPECT_EQ(out.take(), R"({"list": [-7, 18446744073709551615, 1.0, true, null, {}], "raw": [1]})");
}

TEST(JsonWriter, EscapesTexts) {
    EXPECT_EQ(textOf("a \"b\" \\ \n\r\t\x01\x7F µ"), R"("a \"b\" \\ \n\r\t\u0001\u007f µ")");
}

TEST(JsonWriter, OutputIsAlwaysValidUtf8) {
    EXPECT_EQ(textOf("a\xFF"
                     "b\xC3"),
              "\"a\uFFFDb\uFFFD\"");
}

TEST(JsonWriter, SpellsNumbersThatAreNotFinite) {
    EXPECT_EQ(numberOf(NAN, NonFinite::Null), "null");
    EXPECT_EQ(numberOf(-INFINITY, NonFinite::Null), "null");
    EXPECT_EQ(numberOf(NAN, NonFinite::Python), "NaN");
    EXPECT_EQ(numberOf(INFINITY, NonFinite::Python), "Infinity");
    EXPECT_EQ(numberOf(-INFINITY, NonFinite::Python), "-Infinity");
}

TEST(JsonWriter, AppendsToText) {
    JsonWriter out(std::string("log: "));
    out.beginArray();
    out.endArray();
    EXPECT_EQ(out.take(), "log: []");
}

TEST(ShortestNumber, ReadsBackTheSame) {
    EXPECT_EQ(shortestNumber(0.1), "0.1");
    EXPECT_EQ(shortestNumber(-0.0), "-0.0");
    EXPECT_EQ(shortestNumber(2), "2.0");
    EXPECT_EQ(shortestNumber(1e-5), "1e-05");
    EXPECT_EQ(shortestNumber(1e16), "1e+16");
    EXPECT_EQ(shortestNumber(123456789012345680), "1.2345678901234568e+17");
    EXPECT_EQ(shortestNumber(9999999999999998), "9999999999999998.0");
}

}  // namespace
}  // namespace et::core

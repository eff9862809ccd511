#include "runtime/archive/json.h"

#include "runtime/core/json_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace et::archive {
namespace {

using testing::HasSubstr;

core::Result<JsonDocument> parseJson(std::string_view text) {
    return JsonDocument::parse(std::as_bytes(std::span(text)), "entry");
}

TEST(Json, ErrorsContainThePathFromTheRoot) {
    const auto document = parseJson(R"({"nodes": [{"name": "a"}, {"name": 7}]})");
    ASSERT_TRUE(document);
    const JsonValue root = document->root();
    const auto nodes = root.member("nodes");
    ASSERT_TRUE(nodes);
    const auto read = nodes->forEach([](const JsonValue& node) -> core::Result<> {
        ET_ASSIGN(const JsonValue name, node.member("name"));
        return name.string().transform([](std::string_view) {});
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().toString(), "entry: nodes[1].name: expected a string, got 7");
    const auto missing = root.member("edges");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().toString(), "entry: expected a member named \"edges\"");
}

TEST(Json, ReadsNumbersThatOnlyPythonWrites) {
    const auto document =
        parseJson(R"([Infinity, -Infinity, NaN, "-Infinity", 1, "NaN: Infinity\\", "\"NaN", NaN])");
    ASSERT_TRUE(document) << document.error().toString();
    std::vector<double> numbers;
    std::vector<std::string> texts;
    ASSERT_TRUE(document->root().forEach([&](const JsonValue& each) -> core::Result<> {
        if (const auto number = each.number()) {
            numbers.push_back(*number);
        } else {
            texts.emplace_back(*each.string());
        }
        return {};
    }));
    ASSERT_EQ(numbers.size(), 6U);
    EXPECT_EQ(numbers[0], INFINITY);
    EXPECT_EQ(numbers[1], -INFINITY);
    EXPECT_TRUE(std::isnan(numbers[2]));
    EXPECT_EQ(numbers[3], -INFINITY);
    EXPECT_EQ(numbers[4], 1);
    EXPECT_TRUE(std::isnan(numbers[5]));
    EXPECT_THAT(texts, testing::ElementsAre("NaN: Infinity\\", "\"NaN"));
}

TEST(Json, BoundsDepth) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(parseJson(nested(JsonDocument::maxDepth - 1)));
    for (const std::size_t depth : {JsonDocument::maxDepth + 1, std::size_t{500'000}}) {
        const auto document = parseJson(nested(depth));
        ASSERT_FALSE(document);
        EXPECT_EQ(document.error().code, core::ErrorCode::Limit);
        EXPECT_EQ(document.error().toString(),
                  "entry: invalid JSON: lists and objects are nested too deeply");
    }
}

TEST(Json, RefusesDamagedText) {
    for (const char* text : {"", "{", "[1,]", "{\"a\": }", "\"open", "nul", "[1] 2", "\"\xFF\"",
                             "123456789012345678901234567890", "NaNs"}) {
        const auto document = parseJson(text);
        ASSERT_FALSE(document) << text;
        EXPECT_THAT(document.error().toString(), HasSubstr("entry: invalid JSON: "));
    }
}

/// An entry of an ETRecord may be empty and then have a null pointer, which sanitizers report.
TEST(Json, RefusesNothing) {
    EXPECT_FALSE(parseJson({}));
}

TEST(Json, WriterIsReadBack) {
    core::JsonWriter out(core::NonFinite::Python);
    out.beginObject();
    out.member("text", [&] { out.string("a \"quoted\"\n\\ line"); });
    out.key("list");
    out.beginArray();
    out.integer(std::int64_t{-7});
    out.number(1);
    out.number(-INFINITY);
    out.boolean(true);
    out.null();
    out.beginObject();
    out.endObject();
    out.endArray();
    out.endObject();
    const std::string text = out.take();
    EXPECT_EQ(text, R"({"text": "a \"quoted\"\n\\ line", "list": [-7, 1.0, -Infinity, true, null, {}]})");
    const auto document = parseJson(text);
    ASSERT_TRUE(document);
    EXPECT_EQ(*document->root().find("text")->string(), "a \"quoted\"\n\\ line");
}

}  // namespace
}  // namespace et::archive

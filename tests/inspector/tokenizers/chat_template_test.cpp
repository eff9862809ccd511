// Tests of chat templates against Jinja2 with the settings of Hugging Face's library, and that hostile ones
// yield a one-line error.
#include "inspector/tokenizers/chat_template.h"

#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

using testing::HasSubstr;

const std::vector<ChatMessage> hello{{.role = "user", .content = "Hello"}};

/// Returns a template's output for one message, or the error.
std::string made(std::string_view text) {
    auto parsed = ChatTemplate::parse(text, "t.jinja");
    if (!parsed) {
        return parsed.error().toString();
    }
    parsed->setTokens("<s>", "</s>");
    const auto out = parsed->render(hello, true);
    return out ? *out : out.error().toString();
}

/// The file has 77 results of Jinja2 3.1.6: templates similar to those of well-known models, and one or two
/// lines for each language feature that they use.
TEST(ChatTemplate, MatchesJinja) {
    std::ifstream file(ET_CHAT_TEMPLATES);
    const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const simdjson::padded_string text(content);
    simdjson::dom::parser parser;
    std::size_t count = 0;
    for (const simdjson::dom::element row : parser.parse_many(text)) {
        const std::string name{std::string_view(row["name"])};
        auto parsed = ChatTemplate::parse(std::string_view(row["template"]), name);
        ASSERT_TRUE(parsed) << name << ": " << parsed.error().toString();
        parsed->setTokens("<s>", "</s>");
        std::vector<ChatMessage> messages;
        for (const simdjson::dom::element message : row["messages"].get_array()) {
            messages.push_back({.role = std::string(std::string_view(message["role"])),
                                .content = std::string(std::string_view(message["content"]))});
        }
        const auto out = parsed->render(messages, bool(row["add_generation_prompt"]));
        ASSERT_TRUE(out) << name << ": " << out.error().toString();
        EXPECT_EQ(*out, std::string_view(row["text"])) << name;
        ++count;
    }
    EXPECT_EQ(count, 77U);
}

TEST(ChatTemplate, ErrorsNameTheLine) {
    EXPECT_EQ(made("a\nb{{ 1 + }}"), "t.jinja: line 2: expected an expression, got '}}'");
    EXPECT_THAT(made("\n{% if x %}"), HasSubstr("line 2: expected {% endif %}, got the end"));
    EXPECT_THAT(made("{{ 'abc"), HasSubstr("line 1: unterminated string"));
    EXPECT_THAT(made("{{ 1"), HasSubstr("line 1: unterminated tag: expected }}"));
    EXPECT_THAT(made("{# "), HasSubstr("line 1: unterminated comment"));
    EXPECT_THAT(made("{% raw %} {{"), HasSubstr("line 1: unterminated {% raw %}"));
    EXPECT_THAT(made("\n\n{{ messages[0].nothing.more }}"), HasSubstr("line 3: 'nothing' is undefined"));
    EXPECT_THAT(made("{{ 1 | frob }}"), HasSubstr("unknown filter 'frob'"));
    EXPECT_THAT(made("{{ 1 is frob }}"), HasSubstr("unknown test 'frob'"));
    EXPECT_THAT(made("{{ frob(1) }}"), HasSubstr("unknown function 'frob'"));
    EXPECT_THAT(made("{{ 'x'.__class__() }}"), HasSubstr("a string has no method '__class__'"));
    EXPECT_THAT(made("{% include 'x' %}"), HasSubstr("{% include %} is not supported"));
    EXPECT_THAT(made("{% frob %}"), HasSubstr("unexpected tag 'frob'"));
    EXPECT_THAT(made("{{ 1 / 0 }}"), HasSubstr("division by zero"));
    EXPECT_THAT(made("{{ 'a' + 1 }}"), HasSubstr("a string + an integer"));
    EXPECT_THAT(made("{% set a.b = 1 %}"), HasSubstr("'a' is not a namespace"));
    EXPECT_EQ(made("{% if messages|length < 2 %}\n{{ raise_exception('two\x1b, please') }}{% endif %}"),
              "t.jinja: line 2: the template rejects the messages: two\\x1b, please");
}

TEST(ChatTemplate, ProvidesTheCurrentDate) {
    EXPECT_EQ(made("{{ strftime_now('%Y')|length }}{{ strftime_now('')|length }}"), "40");
    EXPECT_THAT(made("{{ strftime_now(1) }}"), HasSubstr("expected a format"));
    EXPECT_EQ(made("{% generation %}x{% endgeneration %}{{ dict(a=1)|tojson }}"), R"(x{"a": 1})");
}

/// Templates are distributed with models and are untrusted.
TEST(ChatTemplate, HostileTemplatesTerminate) {
    const auto many = [](std::string_view part, std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) {
            text += part;
        }
        return text;
    };
    const std::string loop = "{% for a in range(999999) %}";
    EXPECT_THAT(made(loop + loop + "x{% endfor %}{% endfor %}"), HasSubstr("too many steps"));
    EXPECT_THAT(made("{{ range(99999999999) }}"), HasSubstr("too many steps"));
    EXPECT_THAT(made("{{ 'abcdefgh' * 99999999999 }}"), HasSubstr("too long"));
    EXPECT_THAT(
        made("{% set ns = namespace(x='abcdefgh') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}"
             "{% endfor %}"),
        HasSubstr("too much text"));
    EXPECT_THAT(made("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"), HasSubstr("macros are nested"));
    EXPECT_THAT(made("{{ " + many("(", 10000) + "1" + many(")", 10000) + " }}"),
                HasSubstr("nested more than"));
    EXPECT_THAT(made("{{ " + many("not ", 10000) + "1 }}"), HasSubstr("nested more than"));
    EXPECT_THAT(made("{{ " + many("-", 10000) + "1 }}"), HasSubstr("nested more than"));
    EXPECT_THAT(made("{{ 1" + many(" + 1", 10000) + " }}"), HasSubstr("too many operators"));
    EXPECT_THAT(made("{{ x" + many(".y", 10000) + " }}"), HasSubstr("too many parts"));
    EXPECT_THAT(made(many("{% if 1 %}", 10000)), HasSubstr("nested more than"));
    EXPECT_THAT(made("{{ 9223372036854775807 + 1 }}"), HasSubstr("a number is too large"));
    EXPECT_THAT(made("{{ 99999999999999999999 }}"), HasSubstr("is too large"));
    EXPECT_EQ(made("{{ -9223372036854775807 // -1 }}"), "9223372036854775807");
    EXPECT_THAT(made("{% set a = namespace() %}{% set a.b = a %}"),
                HasSubstr("namespace inside another value"));
    EXPECT_THAT(made("{% set a = namespace() %}{% set a.b = [a] %}"),
                HasSubstr("namespace inside another value"));
    EXPECT_THAT(
        made("{% set ns = namespace(x=[]) %}{% for i in range(99) %}{% set ns.x = [ns.x] %}{% endfor %}"
             "{{ ns.x }}"),
        HasSubstr("nested more than 32 levels deep"));
    const std::string doubled =
        "{% set ns = namespace(x=[1]) %}{% for i in range(30) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    EXPECT_THAT(made(doubled + "{{ ns.x }}"), HasSubstr("too many steps"));
    EXPECT_THAT(made(doubled + "{{ ns.x|tojson }}"), HasSubstr("too many steps"));
    EXPECT_THAT(made(doubled + "{{ ns.x == ns.x }}"), HasSubstr("too many steps"));
    EXPECT_THAT(
        made("{% set s = 'x' * 9999999 %}{% for i in range(99999) %}{% if s %}{% endif %}{% endfor %}"),
        HasSubstr("too much text"));
    EXPECT_THAT(made(std::string((1 << 20) + 1, 'x')), HasSubstr("the maximum template size of 1048576"));
}

TEST(ChatTemplate, IsReadFromFiles) {
    const test::ScratchFolder folder;
    const auto write = [&](const char* name, std::string_view text) {
        std::ofstream(folder.path() / name, std::ios::binary) << text;
        return folder.path() / name;
    };
    const auto rendered = [](core::Result<ChatTemplate> opened) {
        const auto text = opened.and_then([](const ChatTemplate& each) { return each.render(hello, true); });
        return text ? *text : text.error().toString();
    };
    const auto tokenizer = write("tokenizer.json", "{}");
    EXPECT_THAT(rendered(ChatTemplate::beside(tokenizer)), HasSubstr("no chat_template.jinja"));
    const auto config =
        write("tokenizer_config.json", R"({"bos_token": {"content": "<b>"}, "chat_template": )"
                                       R"("{{ bos_token }}{{ messages[0].content }}"})");
    EXPECT_EQ(rendered(ChatTemplate::open(config)), "<b>Hello");
    EXPECT_EQ(rendered(ChatTemplate::beside(tokenizer)), "<b>Hello");
    EXPECT_EQ(rendered(ChatTemplate::beside(folder.path())), "<b>Hello");
    write("chat_template.jinja", "{{ bos_token }}!{{ messages[0].role }}");
    EXPECT_EQ(rendered(ChatTemplate::beside(tokenizer)), "<b>!user") << "which newer models have";
    write("tokenizer_config.json", R"({"chat_template": [{"name": "tool_use", "template": "t"},)"
                                   R"({"name": "default", "template": "d"}]})");
    EXPECT_EQ(rendered(ChatTemplate::open(config)), "d");
    write("tokenizer_config.json", R"({"chat_template": 5})");
    EXPECT_THAT(rendered(ChatTemplate::open(config)), HasSubstr("chat_template"));
    write("tokenizer_config.json", "{}");
    EXPECT_THAT(rendered(ChatTemplate::open(config)), HasSubstr("no chat_template"));
}

/// A model trained with the template ends its answers with this token, whatever eos_token is.
TEST(ChatTemplate, FindsTheTokenThatEndsATurn) {
    const test::ScratchFolder folder;
    std::ofstream(folder.path() / "tokenizer.json") << R"({"added_tokens": [
        {"id": 2, "content": "</s>", "special": true, "normalized": false},
        {"id": 3, "content": "<|im_end|>", "special": true, "normalized": false}],
        "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": {"<unk>": 0, "a": 1}}})";
    const auto words = openTokenizer((folder.path() / "tokenizer.json").string());
    ASSERT_TRUE(words) << words.error().toString();
    const auto endOf = [&](std::string_view text) {
        auto chat = ChatTemplate::parse(text, "t.jinja").value();
        chat.setTokens("<s>", "</s>");
        return turnEnd(chat, **words);
    };
    constexpr std::string_view each = "{% for m in messages %}{{ m.role }} {{ m.content }}";
    EXPECT_EQ(endOf(std::string(each) + "<|im_end|>\n{% endfor %}"), 3U);
    EXPECT_EQ(endOf(std::string(each) + " {{ eos_token }}{% endfor %}"), 2U);
    EXPECT_EQ(endOf(std::string(each) + "\n{% endfor %}"), std::nullopt);
    EXPECT_EQ(endOf("{{ messages[0].content }}"), std::nullopt);
}

}  // namespace
}  // namespace et::inspector

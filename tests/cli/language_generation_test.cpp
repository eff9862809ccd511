// What generates text: prompts, templates, turns and streams, on the sample.

#include "tests/cli/language_process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace et::test {
namespace {

TEST_F(LanguageProcess, AStreamHasALineForEachToken) {
    makeSample();
    const std::string start =
        "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --bos 1 "
        "--max-tokens 5 "
        "--ignore-eos --surprise ";
    const Outcome outcome = run(start + "--format jsonl");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::string kinds;
    std::string said;
    double surprise = 0;
    std::uint64_t position = 0;
    const simdjson::padded_string lines(outcome.out);
    for (const dom::element line : parser.parse_many(lines)) {
        const std::string_view kind = line["event"];
        kinds += std::string(kind) + " ";
        if (kind == "prompt") {
            position = line["tokens"].get_array().size();
            EXPECT_EQ(std::uint64_t(line["tokens"].at(0)["id"]), 1U) << "BOS";
        } else if (kind == "token") {
            EXPECT_EQ(std::uint64_t(line["position"]), position++);
            EXPECT_GT(double(line["ms"]), 0);
            surprise += double(line["surprise"]);
            said += std::string(std::string_view(line["text"]));
        } else {
            EXPECT_EQ(std::string_view(line["text"]), said);
            double sum = 0;
            for (const dom::element token : line["tokens"].get_array()) {
                sum += double(token["surprise"]);
            }
            EXPECT_EQ(sum, surprise);
        }
    }
    EXPECT_EQ(kinds, "prompt token token token token token end ");
    EXPECT_GT(surprise, 5 * std::log(2.0)) << "random weights are not sure";
    EXPECT_LT(surprise, 5 * std::log(300.0)) << "and the most likely token is not the least";
    EXPECT_FALSE(json(start.substr(0, start.find(" --surprise")) + " --format json")["tokens"]
                     .at(0)["surprise"]
                     .is_double());
}

TEST_F(LanguageProcess, JinjaTemplatesMakeThePrompts) {
    makeSample();
    const std::string start =
        "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --max-tokens 3 --ignore-eos --format "
        "json ";
    const auto idsOf = [&](const std::string& words) {
        std::string ids;
        for (const std::uint64_t id : json(start + words)["prompt_ids"].get_array()) {
            ids += std::to_string(id) + " ";
        }
        return ids;
    };
    std::ofstream(scratch.path() / "chat_template.jinja")
        << "{% for m in messages %}\n{{ m.role }}: {{ m.content|trim }}\n{% endfor %}{% if "
           "add_generation_prompt %}"
           "assistant:{% endif %}";
    const std::string plain = idsOf("--prompt 'system: model\nuser: the\nassistant:'");
    EXPECT_EQ(idsOf("--chat-template @chat_template.jinja --system model --prompt ' the '"), plain);
    EXPECT_EQ(idsOf("--chat-template auto --system model --prompt the"), plain)
        << "the one beside the tokenizer";
    EXPECT_EQ(idsOf("--chat-template \"$(cat chat_template.jinja)\" --system model --prompt the"), plain);
    const Outcome wrong = run(start + "--prompt x --chat-template '{{ messages[0].name.first }}'");
    EXPECT_EQ(wrong.code, 3);
    EXPECT_EQ(wrong.err, "et-inspect: --chat-template: line 1: 'name' is undefined\n");
    EXPECT_EQ(run(start + "--prompt x --chat-template \"{{ raise_exception('no') }}\"").code, 2);
    EXPECT_EQ(run(start + "--prompt x --system y").code, 2) << "there is no place for it";
}

/// The text of the second prompt goes on where the answer to the first one ended.
TEST_F(LanguageProcess, TurnsOfAJinjaTemplateFollowOneAnother) {
    makeSample();
    std::ofstream(scratch.path() / "t.jinja") << "{% for m in messages %}{{ m.role }} {{ m.content }}\n{% "
                                                 "endfor %}{% if add_generation_prompt %}model {% "
                                                 "endif %}";
    const Outcome outcome = run(
        "printf 'the\nruns\n' | et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --max-tokens 4 "
        "--ignore-eos --format json --chat-template @t.jinja");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t end = outcome.out.find('\n');
    text = simdjson::padded_string(outcome.out.substr(end + 1));
    std::string ids;
    const dom::element second = parser.parse(text);
    for (const std::uint64_t id : second["prompt_ids"].get_array()) {
        ids += (ids.empty() ? "" : " ") + std::to_string(id);
    }
    std::ofstream(scratch.path() / "ids.jsonl") << "{\"ids\": [" << [&] {
        std::string list = ids;
        std::ranges::replace(list, ' ', ',');
        return list;
    }() << "]}\n";
    const Outcome decoded = run("et-inspect tokenize ids.jsonl --tokenizer llama_tokenizer.bin --jsonl");
    EXPECT_THAT(decoded.out, testing::HasSubstr("\\nuser runs\\nmodel ")) << decoded.err;
    EXPECT_THAT(decoded.out, testing::Not(testing::HasSubstr("user the"))) << "the cache has it";
}

TEST_F(LanguageProcess, TurnsKeepTheCache) {
    makeSample();
    const std::string start =
        "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --max-tokens 4 --ignore-eos --format "
        "json ";
    const Outcome outcome = run("printf 'the model\\nruns on\\n' | " + start);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t end = outcome.out.find('\n');
    text = simdjson::padded_string(outcome.out.substr(end + 1));
    const dom::element second = parser.parse(text);
    EXPECT_GT(std::uint64_t(second["positions"]["first"]), 4U);
    EXPECT_EQ(second["pending_ids"].get_array().size(), 1U);
}

TEST_F(LanguageProcess, PromptsThatDoNotFitAreRefused) {
    makeSample();
    const std::string start = "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin ";
    EXPECT_EQ(run(start + "--prompt ''").code, 2);
    EXPECT_EQ(run(start + "--prompt x --bos 64").code, 2);
    EXPECT_EQ(run(start + "--prompt x --chat-template nothing").code, 2);
    EXPECT_EQ(run("et-inspect generate llama_tokenizer.bin --tokenizer llama_tokenizer.bin --prompt x").code,
              3);
}

TEST_F(LanguageProcess, ErrorsOfEncodingNameTheFile) {
    makeSample();
    std::ofstream(scratch.path() / "bad.txt") << "no \xff text";
    EXPECT_EQ(run("et-inspect tokenize bad.txt --tokenizer llama_tokenizer.bin").err,
              "et-inspect: bad.txt: the text is not UTF-8: byte 3\n");
    const Outcome prompt =
        run("et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt @bad.txt");
    EXPECT_EQ(prompt.err, "et-inspect: bad.txt: at offset 3: the text is not UTF-8\n");
    EXPECT_EQ(prompt.code, 3);
    std::ofstream(scratch.path() / "large.json")
        << R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "x": 900000}}})";
    const Outcome foreign = run("et-inspect generate llama.pte --tokenizer large.json --prompt x");
    EXPECT_EQ(foreign.code, 3) << "no check has failed: " << foreign.err;
    std::ofstream(scratch.path() / "nounk.json")
        << R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"a": 0}}})";
    std::ofstream(scratch.path() / "b.txt") << "b";
    EXPECT_THAT(run("et-inspect tokenize b.txt --tokenizer nounk.json").err,
                testing::StartsWith("et-inspect: nounk.json: model.unk_token: "));
}

}  // namespace
}  // namespace et::test

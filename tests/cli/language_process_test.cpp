// Tests of the language model commands, on the sample and on real programs.

#include "tests/cli/language_process.h"

#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

TEST_F(LanguageProcess, TheSampleGeneratesAndIsRight) {
    makeSample();
    const dom::element said = json(
        "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --bos 1 "
        "--max-tokens 8 "
        "--ignore-eos --format json --etdump trace.etdp --observer observer.txt");
    EXPECT_EQ(said["ids"].get_array().size(), 8U);
    EXPECT_EQ(said["tokens"].get_array().size(), 8U);
    EXPECT_EQ(std::uint64_t(said["prompt_ids"].at(0)), 1U);
    EXPECT_EQ(std::string_view(said["end"]), "max tokens");
    EXPECT_THAT(readText(scratch.path() / "observer.txt"), testing::StartsWith("PyTorchObserver {"));
    EXPECT_THAT(run("et-inspect info trace.etdp").out, testing::HasSubstr("Generate"));
    const Outcome verified = run("et-inspect verify --llm llama.pte --tokenizer llama_tokenizer.bin");
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
}

class GenerateOptions : public LanguageProcess {
  protected:
    void SetUp() override { makeSample(); }
    std::string command(std::string_view options) const {
        return fmt::format(
            "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --bos 1 {}",
            options);
    }
    /// Token numbers of an answer.
    std::vector<std::uint64_t> ids(std::string_view options) {
        std::vector<std::uint64_t> found;
        const dom::element said =
            json(command(fmt::format("--ignore-eos --max-tokens 8 --format json {}", options)));
        for (const dom::element id : said["ids"].get_array()) {
            found.push_back(std::uint64_t(id));
        }
        return found;
    }
};

TEST_F(GenerateOptions, WarmUpWithoutATrace) {
    EXPECT_EQ(ids("--warmup --etdump warm.etdp"), ids("--etdump cold.etdp"));
    const auto runs = [this](std::string_view trace) {
        return run(fmt::format("et-inspect sql {} 'SELECT count(*) FROM runs' --format csv", trace)).out;
    };
    EXPECT_EQ(runs("warm.etdp"), runs("cold.etdp"));
}

TEST_F(GenerateOptions, EndAtTheSequenceLength) {
    const dom::element said = json(command("--ignore-eos --seq-len 12 --format json"));
    EXPECT_EQ(std::string_view(said["end"]), "sequence length");
    EXPECT_EQ(said["prompt_ids"].get_array().size() + said["ids"].get_array().size(), 12U);
    const Outcome none = run(command("--seq-len 2"));
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, testing::HasSubstr("the --seq-len of 2 has fewer than 2 positions left"));
}

TEST_F(GenerateOptions, EndAtGivenTokens) {
    const std::vector<std::uint64_t> all = ids("");
    const auto end = std::ranges::find_if(all, [&](std::uint64_t id) { return id != all.front(); });
    ASSERT_NE(end, all.end());
    const dom::element said = json(command(fmt::format("--format json --eos 500,{}", *end)));
    EXPECT_EQ(std::string_view(said["end"]), "end token");
    EXPECT_EQ(said["ids"].get_array().size(), static_cast<std::size_t>(end - all.begin() + 1));
    EXPECT_EQ(run(command("--eos x")).code, 2);
}

TEST_F(GenerateOptions, StartAtAPosition) {
    const dom::element said = json(command("--ignore-eos --max-tokens 2 --start-position 5 --format json"));
    EXPECT_EQ(std::uint64_t(said["tokens"].at(0)["position"]), 5 + said["prompt_ids"].get_array().size());
    const Outcome outside = run(command("--start-position 100000"));
    EXPECT_EQ(outside.code, 2);
    EXPECT_THAT(outside.err, testing::HasSubstr("expected a position below the context of "));
}

TEST_F(GenerateOptions, EchoThePrompt) {
    EXPECT_EQ(run(command("--ignore-eos --max-tokens 4 --echo")).out,
              "the model" + run(command("--ignore-eos --max-tokens 4")).out);
}

TEST_F(LanguageProcess, ShowsPhasesOfATrace) {
    makeSample();
    ASSERT_EQ(
        run("et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --bos 1 "
            "--max-tokens 20 --ignore-eos --etdump trace.etdp")
            .code,
        0);
    const dom::element phases = json("et-inspect trace.etdp --group-by phase --format json");
    EXPECT_EQ(std::string_view(phases["phases"]), "recorded");
    std::set<std::string> names;
    double share = 0;
    for (const dom::element row : phases["rows"].get_array()) {
        names.emplace(std::string_view(row["phase"]));
        share += double(row["share"]);
        if (std::string_view(row["phase"]) == "decode") {
            EXPECT_EQ(std::uint64_t(row["runs"]), 19U);
        }
    }
    EXPECT_THAT(names, testing::ElementsAre("decode", "load", "prefill", "sample", "tokenize"));
    EXPECT_NEAR(share, 100, 1e-6);
    const dom::element decode =
        json("et-inspect trace.etdp --phase decode --columns event_name,position --top 1 --format json");
    EXPECT_EQ(decode["rows"].at(0)["position"].get_array().size(), 19U);
    const Outcome none = run("et-inspect trace.etdp --phase encode");
    EXPECT_NE(none.code, 0);
    EXPECT_THAT(none.err, testing::HasSubstr("no phase 'encode', expected one of load, "));
    EXPECT_THAT(run("et-inspect trace.etdp --group-by phases").err,
                testing::HasSubstr("unknown key 'phases'"));
    EXPECT_THAT(run("et-inspect trace.etdp --group-by op --depth 2").err,
                testing::HasSubstr("need --group-by module"));
    EXPECT_EQ(run("et-inspect sql trace.etdp \"SELECT position, tokens FROM runs WHERE phase = 'decode' AND "
                  "call = 3\" "
                  "--format csv")
                  .out.substr(0, 16),
              "position,tokens\n");
}

/// Returns the fraction of execution time that a layer × phase table does not assign to a layer.
double placeless(const dom::element& table) {
    double all = 0;
    double without = 0;
    for (const dom::element row : table["rows"].get_array()) {
        const std::string_view module = row["module"];
        const double time = row["p50"];
        all += time;
        without += module == "(no module)" || module == "(unattributed)" ? time : 0;
    }
    return without / all;
}

TEST_F(LanguageProcess, EveryTimeIsAttributed) {
    makeSample();
    const std::string options = " --prompt 'the model' --bos 1 --max-tokens 24 --ignore-eos --etdump t.etdp";
    const std::string table = " --group-by phase,module --format json --columns phase,module,p50";
    ASSERT_EQ(run("et-inspect generate llama.pte --tokenizer llama_tokenizer.bin" + options).code, 0);
    EXPECT_LE(placeless(json("et-inspect t.etdp llama.etrecord" + table)), 0.02);
    ET_NEEDS_SHARED_DATA();
    const fs::path data = sharedData() / "llm";
    const std::string words = (data / "tokenizers/hf_bpe_llama3/tokenizer.json").string();
    for (const char* variant :
         {"xnnpack_fp32", "xnnpack_8da4w", "portable_fp32", "xnnpack_2method", "xnnpack_nosdpa_t1"}) {
        const std::string model = (data / "models/tiny-a" / variant).string();
        ASSERT_EQ(run(fmt::format("et-inspect generate {}.pte --tokenizer {}{}", model, words, options)).code,
                  0);
        const std::string ours = fmt::format("et-inspect t.etdp {}.etrecord{}", model, table);
        EXPECT_LE(placeless(json(ours)), 0.02) << variant;
        EXPECT_THAT(run(ours).out, testing::HasSubstr("m.layers.1")) << variant;
        // The reference runtime's own trace of the program.
        EXPECT_LE(placeless(json(fmt::format("et-inspect {}/traces/{}.etdp {}.etrecord{}", data.string(),
                                             variant, model, table))),
                  0.02)
            << variant;
    }
}

TEST_F(LanguageProcess, SeveralTracesAreOneTable) {
    makeSample();
    const std::string start =
        "et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --bos 1 --ignore-eos ";
    ASSERT_EQ(run(start + "--prompt 'the model' --max-tokens 1 --etdump prefill.etdp").code, 0);
    ASSERT_EQ(run(start + "--prompt 'the' --max-tokens 9 --etdump decode.etdp").code, 0);
    const dom::element both = json(
        "et-inspect prefill.etdp decode.etdp --group-by trace,phase --format json --columns "
        "trace,phase,runs");
    std::set<std::pair<std::string, std::string>> rows;
    for (const dom::element row : both["rows"].get_array()) {
        rows.emplace(std::string_view(row["trace"]), std::string_view(row["phase"]));
    }
    EXPECT_TRUE(rows.contains({"prefill.etdp", "prefill"}));
    EXPECT_TRUE(rows.contains({"decode.etdp", "decode"}));
    EXPECT_FALSE(rows.contains({"prefill.etdp", "decode"}));
    EXPECT_THAT(run("et-inspect prefill.etdp decode.etdp --format csv").out, testing::StartsWith(",trace,"));
    EXPECT_THAT(run("et-inspect prefill.etdp decode.etdp --group-by op --format csv").out,
                testing::StartsWith(",event_block_name,trace,op,"));
    const dom::element events = json("et-inspect prefill.etdp decode.etdp --format json");
    EXPECT_EQ(events["phases"].get_array().size(), 2U);
    EXPECT_EQ(std::string_view(events["rows"].at(0)["trace"]), "prefill.etdp");
}

TEST_F(LanguageProcess, GrowthIsOfPositions) {
    makeSample();
    ASSERT_EQ(
        run("et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --bos 1 "
            "--max-tokens 40 --ignore-eos --etdump trace.etdp")
            .code,
        0);
    const dom::element growth = json("et-inspect growth trace.etdp --format json --svg growth.svg");
    EXPECT_EQ(std::string_view(growth["by"]), "position");
    EXPECT_EQ(growth["all"]["times"].get_array().size(), 39U);
    EXPECT_GT(growth["groups"].get_array().size(), 3U);
    EXPECT_TRUE(growth["groups"].at(0)["per_position_interval"].is_array());
    const std::string picture = readText(scratch.path() / "growth.svg");
    EXPECT_THAT(picture, testing::StartsWith("<"));
    EXPECT_THAT(picture, testing::HasSubstr("position in the context"));
    EXPECT_THAT(run("et-inspect growth trace.etdp").out, testing::HasSubstr("decode: 39 calls, positions "));
    EXPECT_NE(run("et-inspect growth trace.etdp --phase encode").code, 0);
    EXPECT_NE(run("et-inspect growth llama.pte").code, 0);
}

TEST_F(LanguageProcess, TheSampleIsThatOfItsRecord) {
    makeSample();
    const Outcome verified =
        run("et-inspect verify --llm llama.pte llama.etrecord --tokenizer llama_tokenizer.bin --format json");
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    EXPECT_THAT(verified.out, testing::HasSubstr(R"("check": "record", "verdict": "pass")"));
    run("et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt 'the model' --etdump "
        "trace.etdp");
    const Outcome table =
        run("et-inspect trace.etdp llama.etrecord --group-by module --format csv --columns module");
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, testing::HasSubstr("layers.1.feed_forward.w2"));
}

TEST_F(LanguageProcess, LoweredModelsBelongToTheirRecords) {
    makeSample();
    for (const char* command : {"lower", "quantize --scheme w4a8-dynamic:32"}) {
        ASSERT_EQ(
            run(fmt::format("et-inspect {} llama.etrecord -o l.pte --etrecord-out l.etrecord", command)).code,
            0);
        const Outcome delegates = run("et-inspect delegates l.pte --etrecord l.etrecord");
        EXPECT_EQ(delegates.err, "") << command;
        EXPECT_THAT(delegates.out, testing::HasSubstr("layers.0.feed_forward.w1")) << command;
        // It has no constant methods: its caches have 64 positions.
        const Outcome text =
            run("et-inspect generate l.pte --tokenizer llama_tokenizer.bin --prompt 'the "
                "model' --bos 1 --ignore-eos --max-tokens 24");
        EXPECT_EQ(text.code, 0) << text.err;
        EXPECT_THAT(text.err, testing::HasSubstr("context: 34 of 64 positions")) << command;
    }
}

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

/// Tests that the text of the second prompt continues where the answer to the first one ended.
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
              "et-inspect: bad.txt: the text is not valid UTF-8: byte 3\n");
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

TEST_F(LanguageProcess, BenchMeasuresTheMatrix) {
    makeSample();
    const dom::element bench = json(
        "et-inspect bench llama.pte --prompt-tokens 4,8 --generate-tokens 2,100 --iterations 2 --format "
        "json");
    ASSERT_EQ(bench["cells"].get_array().size(), 4U);
    EXPECT_EQ(bench["cells"].at(0)["prefill"]["ms"].get_array().size(), 2U);
    EXPECT_GT(double(bench["cells"].at(0)["decode"]["tokens_per_second"]), 0);
    EXPECT_TRUE(bench["cells"].at(1)["skipped"].is_string());
}

TEST_F(LanguageProcess, MethodsOfOneProgramAreMeasuredAndVerifiedTogether) {
    ET_NEEDS_SHARED_DATA();
    const std::string model = (sharedData() / "llm/models/tiny-a/xnnpack_2method").string();
    const std::string start = "et-inspect bench --iterations 2 --warmup 0 " + model + ".pte --method ";
    const dom::element bench = json(start + "prefill,decode --format json");
    ASSERT_EQ(bench["models"].get_array().size(), 2U);
    EXPECT_EQ(std::string_view(bench["models"].at(0)["method"]), "prefill");
    EXPECT_EQ(std::string_view(bench["models"].at(1)["method"]), "decode");
    const Outcome table = run(start + "prefill --method decode");
    EXPECT_THAT(table.out, testing::HasSubstr("xnnpack_2method.pte, prefill"));
    EXPECT_THAT(table.out, testing::HasSubstr("xnnpack_2method.pte, decode"));
    EXPECT_EQ(run(start + "decode,nothing").code, 2) << "and says what there is";
    EXPECT_EQ(run(start + "prefill,decode --generate-tokens 4").code, 2);
    const std::string verify = "et-inspect verify " + model + ".bpte --format json --method ";
    const dom::element both = json(verify + "prefill,decode");
    EXPECT_EQ(both["files"].at(0)["cases"].get_array().size(), 4U);
    EXPECT_EQ(json(verify + "decode")["files"].at(0)["cases"].get_array().size(), 1U);
    EXPECT_THAT(run(verify + "decode,nothing").out, testing::HasSubstr("no cases of method"));
}

TEST_F(LanguageProcess, LoweredMethodsShareTheirCache) {
    ET_NEEDS_SHARED_DATA();
    const std::string folder = (sharedData() / "llm").string();
    const std::string model = folder + "/models/tiny-a/xnnpack_2method";
    ASSERT_EQ(run("et-inspect lower " + model + ".etrecord -o two.pte").code, 0);
    const auto answer = [&](const std::string& program) {
        return run("et-inspect generate " + program + " --tokenizer " + folder +
                   "/tokenizers/hf_bpe_llama3/tokenizer.json --prompt 'The program' --bos 1 --max-tokens 12")
            .out;
    };
    const std::string expected = answer(model + ".pte");
    EXPECT_GT(expected.size(), 12U);
    EXPECT_EQ(answer("two.pte"), expected);
}

TEST_F(LanguageProcess, ProgramsThatCountPositionsContinueFromTheirState) {
    ET_NEEDS_SHARED_DATA();
    const std::string words =
        (sharedData() / "llm/tokenizers/hf_bpe_gpt2/tokenizer.json").string() + " --prompt 0125";
    std::vector<std::string> texts;
    for (const char* name : {"hf_llama.ptn", "hf_llama.twin.bpte"}) {
        const std::string program = (sharedData() / "ptn" / name).string();
        const std::string start = "et-inspect generate " + program + " --tokenizer " + words;
        const dom::element said = json(start + " --max-tokens 12 --format json");
        EXPECT_EQ(said["ids"].get_array().size(), 12U) << name;
        texts.emplace_back(std::string_view(said["text"]));
        EXPECT_EQ(run(start + " --start-position 3").code, 2) << name;
        const Outcome checks = run("et-inspect verify --llm " + program);
        EXPECT_THAT(checks.out, testing::HasSubstr("token by token matches prefill in one call")) << name;
        EXPECT_THAT(checks.out, testing::HasSubstr("write their own positions to 4 caches")) << name;
        EXPECT_EQ(checks.code, program.ends_with(".ptn") ? 0 : 1) << "the program has no get_max_seq_len";
    }
    EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(LanguageProcess, MemoryShowsCaches) {
    makeSample();
    const dom::element memory = json("et-inspect memory llama.pte --method forward --format json");
    const dom::element forward = memory["methods"].at(0);
    EXPECT_EQ(forward["caches"].get_array().size(), 4U);
    EXPECT_EQ(std::uint64_t(forward["cache_bytes_per_token"]), 4U * 32U * 4U);
}

}  // namespace
}  // namespace et::test

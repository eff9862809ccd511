// Tests greedy ids and logits of real programs against the reference runtime or eager PyTorch.

#include "inspector/generate/sampler.h"
#include "tests/inspector/generate/real_language.h"
#include "tests/support/shared_data.h"

#include <simdjson.h>

#include <algorithm>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace dom = simdjson::dom;
using inspector::LanguageRun;
using Ids = std::vector<std::uint32_t>;

Ids idsOf(dom::array array) {
    Ids ids;
    for (const std::uint64_t id : array) {
        ids.push_back(static_cast<std::uint32_t>(id));
    }
    return ids;
}

/// Number of ids before the first step whose margin is at most `margin`.
std::size_t sureSteps(const dom::element& row, double margin) {
    const double least = row["min_margin"].get_double();
    return least > margin ? row["ids"].get_array().size() : std::uint64_t(row["min_margin_step"]);
}

Ids greedy(LanguageRun& run, const Ids& prompt, std::size_t count, std::size_t chunk) {
    Ids ids;
    auto logits = run.prefill(prompt, chunk);
    while (logits && ids.size() < count) {
        ids.push_back(inspector::mostLikely(logits->last()));
        logits = run.decode(ids.back());
    }
    EXPECT_TRUE(logits) << logits.error().toString();
    return ids;
}

void expectGolden(const std::string& variant, const std::string& golden, double margin) {
    dom::parser parser;
    std::size_t rows = 0;
    const std::string text = readText(sharedData() / "llm/goldens" / golden);
    for (const dom::element row : parser.parse_many(text)) {
        RealLanguage language(variant);
        const Ids expected = idsOf(row["ids"].get_array());
        const std::size_t sure = sureSteps(row, margin);
        const Ids ids = greedy(language.run, idsOf(row["prompt_ids"].get_array()), expected.size(), 0);
        EXPECT_TRUE(
            std::equal(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(sure), expected.begin()))
            << variant << ": row " << rows;
        ++rows;
    }
    EXPECT_EQ(rows, 10U);
}

TEST(LanguageGoldens, Float32ProgramsGenerateTheSameTokens) {
    ET_NEEDS_SHARED_DATA();
    for (const char* variant : {"xnnpack_fp32", "portable_fp32", "xnnpack_2method", "xnnpack_nosdpa_t1"}) {
        expectGolden(variant, "generate.fp32.jsonl", 0.001);
    }
}

TEST(LanguageGoldens, QuantizedProgramGeneratesTheSameTokensUpToSmallMargins) {
    ET_NEEDS_SHARED_DATA();
    expectGolden("xnnpack_8da4w", "generate.8da4w.jsonl", 0.05);
}

TEST(LanguageGoldens, PrefillInChunksIsPrefillAtOnce) {
    ET_NEEDS_SHARED_DATA();
    dom::parser parser;
    const std::string text = readText(sharedData() / "llm/goldens/generate.fp32.jsonl");
    for (const dom::element row : parser.parse_many(text)) {
        const Ids prompt = idsOf(row["prompt_ids"].get_array());
        for (const std::size_t chunk : {1U, 3U}) {
            RealLanguage language("xnnpack_2method");
            EXPECT_EQ(greedy(language.run, prompt, 48, chunk), idsOf(row["ids"].get_array())) << chunk;
        }
    }
}

TEST(LanguageGoldens, RefusesPositionsBeyondTheContext) {
    ET_NEEDS_SHARED_DATA();
    RealLanguage language("xnnpack_fp32");
    EXPECT_EQ(language.form.context, 128U);
    EXPECT_EQ(language.run.prefill(Ids(129, 5)).error().code, core::ErrorCode::Limit);
    ASSERT_TRUE(language.run.prefill(Ids(128, 5)));  // in two calls: the method accepts 127
    EXPECT_EQ(language.run.decode(5).error().code, core::ErrorCode::Limit);
}

}  // namespace
}  // namespace et::test

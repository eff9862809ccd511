// Tests of checks on language models: perplexity, and verify --llm on programs with planted faults.

#include "tests/cli/language_process.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace fs = std::filesystem;

TEST_F(LanguageProcess, PerplexitiesAreGolden) {
    ET_NEEDS_SHARED_DATA();
    const fs::path data = sharedData() / "llm";
    dom::parser goldens;
    const std::string rows = readText(data / "goldens/perplexity.fp32.jsonl");
    const dom::element all = json(fmt::format(
        "et-inspect perplexity {0}/models/tiny-a/xnnpack_fp32.pte --tokenizer "
        "{0}/tokenizers/hf_bpe_llama3/tokenizer.json "
        "{0}/goldens/perplexity.fp32.jsonl --against {0}/models/tiny-a/xnnpack_fp32.etrecord --format json",
        data.string()));
    std::size_t at = 0;
    for (const dom::element row : goldens.parse_many(rows)) {
        const dom::element passage = all["passages"].at(at++);
        EXPECT_NEAR(double(passage["perplexity"]), double(row["ppl"]), 1e-3);
        EXPECT_LT(double(passage["kl_divergence"]), 1e-9);
        EXPECT_EQ(double(passage["top1_agreement"]), 1.0);
    }
    EXPECT_EQ(at, 3U);
}

/// Checks and locations named by the failed checks of a program.
struct Named {
    std::string checks;
    std::string places;
    std::string layers;
};

Named failuresOf(const dom::element& report) {
    Named named;
    for (const dom::element check : report["files"].at(0)["checks"].get_array()) {
        if (std::string_view(check["verdict"]) == "fail") {
            named.checks += std::string(std::string_view(check["check"])) + ";";
            named.places +=
                check["place"].is_string() ? std::string(std::string_view(check["place"])) + ";" : "";
            named.layers +=
                check["layer"].is_uint64() ? std::to_string(std::uint64_t(check["layer"])) + ";" : "";
        }
    }
    return named;
}

TEST_F(LanguageProcess, HealthyProgramsPass) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string variant :
         {"xnnpack_fp32", "xnnpack_8da4w", "portable_fp32", "xnnpack_2method", "xnnpack_nosdpa_t1"}) {
        const std::string model = (sharedData() / "llm/models/tiny-a" / variant).string();
        const Outcome outcome =
            run(fmt::format("et-inspect verify --llm {0}.pte {0}.etrecord --tokenizer {1}", model,
                            (sharedData() / "llm/tokenizers/hf_bpe_llama3/tokenizer.json").string()));
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_EQ(run(fmt::format("et-inspect verify --llm {}.pte", model)).code, 0) << variant;
    }
}

TEST_F(LanguageProcess, PlantedFaultsAreNamed) {
    ET_NEEDS_SHARED_DATA();
    const std::string data = (sharedData() / "llm").string();
    const auto verify = [&](const std::string& fault, const std::string& clean) {
        return failuresOf(json(
            fmt::format("et-inspect verify --llm {0}/faults/{1}/program.pte {2} --format json", data, fault,
                        clean.empty() ? "" : fmt::format("{}/models/tiny-a/{}.etrecord", data, clean)),
            1));
    };
    for (const std::string clean : {"", "xnnpack_fp32"}) {
        const Named cache = verify("kv_write_off_by_one", clean);
        EXPECT_THAT(cache.checks, testing::HasSubstr("cache rows"));
        EXPECT_THAT(cache.layers, testing::StartsWith("0;"));
    }
    const Named scale = verify("scale_x4", "xnnpack_8da4w");
    EXPECT_EQ(scale.checks, "weights;record;");
    EXPECT_EQ(scale.layers, "1;1;");
    EXPECT_THAT(scale.places, testing::HasSubstr("layers.1.attention.wo"));
    const Named outlier = verify("scale_x4", "");
    EXPECT_EQ(outlier.checks, "weights;");
    EXPECT_EQ(outlier.layers, "1;");
    EXPECT_THAT(outlier.places, testing::HasSubstr("qbint4 [64, 64]"));
    EXPECT_THAT(verify("wrong_eos", "").places, testing::HasSubstr("get_eos_ids"));
}

}  // namespace
}  // namespace et::test

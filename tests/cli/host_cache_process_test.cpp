// Tests of programs whose KV caches are outside the program: their size in all views, and verify --llm on
// programs with planted faults.
#include "tests/cli/language_process.h"
#include "tests/support/host_cache_program.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace et::test {
namespace {

class HostCacheProcess : public LanguageProcess {
  protected:
    void write(const HostCacheModel& model) const {
        builder::ProgramBuilder builder;
        const HostCacheProgram written(builder, model);
        const auto bytes = builder.finish();
        ASSERT_TRUE(bytes) << (bytes ? "" : bytes.error().toString());
        std::ofstream file(scratch.path() / "model.pte", std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
        ASSERT_TRUE(file.good());
    }

    /// The failed checks of verify --llm, by name, with their messages.
    std::string failures(int code) {
        std::string all;
        const dom::element report = json("et-inspect verify --llm model.pte --format json", code);
        for (const dom::element check : report["files"].at(0)["checks"].get_array()) {
            if (std::string_view(check["verdict"]) == "fail") {
                all += fmt::format("{}: {}\n", std::string_view(check["check"]),
                                   std::string_view(check["message"]));
            }
        }
        return all;
    }
};

/// 2 · heads · head size · element size.
constexpr std::uint64_t perLayer = 2 * 1 * 8 * 4;

TEST_F(HostCacheProcess, MemoryEqualsTheFormula) {
    write({.layers = 3, .context = 20, .windows = {0, 4, 0}});
    const dom::element caches = json("et-inspect memory model.pte --format json")["host_caches"];
    EXPECT_EQ(std::uint64_t(caches["bytes_per_token"]), 3 * perLayer);
    EXPECT_EQ(std::uint64_t(caches["reserved_bytes"]), (20 + 9 + 20) * perLayer);
    EXPECT_EQ(std::int64_t(caches["capacity"]), 20);
    EXPECT_EQ(std::string_view(caches["capacity_from"]), "get_max_ctx_len");
    const dom::element layer = caches["caches"].at(1);
    EXPECT_EQ(std::uint64_t(layer["reserved_bytes"]), 9 * perLayer);
    EXPECT_EQ(std::int64_t(layer["window"]), 4);
    const dom::element given = json(
        "et-inspect memory model.pte --kv-max-capacity 100 --kv-windows 0 --kv-storage-dtype bf16 --format "
        "json")["host_caches"];
    EXPECT_EQ(std::uint64_t(given["reserved_bytes"]), 3 * 100 * perLayer / 2);
    EXPECT_THAT(run("et-inspect memory --help").out, testing::HasSubstr("heads"));
    EXPECT_NE(run("et-inspect memory model.pte --kv-windows x").code, 0);
}

TEST_F(HostCacheProcess, FitAndSizeCountThem) {
    write({.layers = 2, .context = 1000});
    const dom::element fit = json("et-inspect fit model.pte --format json");
    const dom::element needs = fit["programs"].at(0)["methods"].at(0)["needs"]["host_caches"];
    EXPECT_EQ(std::uint64_t(needs["reserved_bytes"]), 2 * 1000 * perLayer);
    std::ofstream(scratch.path() / "device.yaml") << "ram_bytes: 100000\n";
    const Outcome small = run("et-inspect fit model.pte --target device.yaml");
    EXPECT_EQ(small.code, 1) << small.out << small.err;
    EXPECT_THAT(small.out, testing::HasSubstr("KV caches outside the program: 125.0 KiB for 1000 positions"));
    EXPECT_EQ(run("et-inspect fit model.pte --target device.yaml --kv-max-capacity 100").code, 0);
    const dom::element size = json("et-inspect size model.pte --format json");
    EXPECT_EQ(std::uint64_t(size["host_caches"]["bytes_per_token"]), 2 * perLayer);
}

TEST_F(HostCacheProcess, GenerateReportsReservedAndUsedBytes) {
    makeSample();
    const std::string tokenizer = "--tokenizer llama_tokenizer.bin";
    const dom::element tokens = json(fmt::format(
        "et-inspect generate llama.pte {} --prompt model --max-tokens 1 --format json", tokenizer));
    write({.layers = 2, .vocabulary = std::int64_t(tokens["tokenizer"]["vocabulary"]), .context = 64});
    const dom::element made = json(fmt::format(
        "et-inspect generate model.pte {} --prompt 'the model' --max-tokens 5 --ignore-eos --format json",
        tokenizer));
    const auto positions = std::uint64_t(made["positions"]["end"]);
    EXPECT_GT(positions, 5U);
    EXPECT_EQ(std::uint64_t(made["memory"]["kv_per_token"]), 2 * perLayer);
    EXPECT_EQ(std::uint64_t(made["memory"]["kv_reserved"]), 2 * 64 * perLayer);
    EXPECT_EQ(std::uint64_t(made["memory"]["kv_used"]), 2 * positions * perLayer);
    EXPECT_TRUE(bool(made["model"]["cache"]));
    const dom::element smaller = json(
        fmt::format("et-inspect generate model.pte {} --prompt 'the model' --ignore-eos --kv-max-capacity 12 "
                    "--format json",
                    tokenizer));
    EXPECT_EQ(std::uint64_t(smaller["model"]["context"]), 12U);
    EXPECT_EQ(std::uint64_t(smaller["memory"]["kv_reserved"]), 2 * 12 * perLayer);
}

TEST_F(HostCacheProcess, HealthyProgramsPass) {
    write({});
    EXPECT_EQ(failures(0), "");
    write({.longest = 12, .context = {}});
    EXPECT_EQ(failures(0), "") << "without constants";
    write({.context = 30, .windows = {5, 0}});
    EXPECT_EQ(failures(0), "") << "with a window";
}

TEST_F(HostCacheProcess, StaleCachesAreFound) {
    write({.fault = CacheFault::FixedPosition});
    EXPECT_THAT(failures(1),
                testing::HasSubstr("cache positions: prefill of positions 0 to 5: layer 0 writes"));
    write({.fault = CacheFault::SharedLayer});
    EXPECT_THAT(failures(1), testing::HasSubstr("layer 0 writes positions 0 to 5 twice"));
    write({.fault = CacheFault::KeptPosition});
    EXPECT_THAT(failures(1), testing::HasSubstr("expected position 6: the cache is stale"));
    write({.fault = CacheFault::FarPosition});
    EXPECT_THAT(failures(1), testing::HasSubstr("exceed the capacity of its KV cache, 12 positions"));
}

TEST_F(HostCacheProcess, RealProgramsGiveTheirOutputs) {
    ET_NEEDS_SHARED_DATA();
    const std::string portable = (sharedData() / "ops_new/update_and_attend").string();
    EXPECT_EQ(run(fmt::format("et-inspect verify {}.bpte --sqnr 100", portable)).code, 0);
    EXPECT_EQ(std::uint64_t(json(fmt::format("et-inspect memory {}.pte --format json",
                                             portable))["host_caches"]["reserved_bytes"]),
              4096U);
    const dom::element gap =
        json(fmt::format("et-inspect gap {0}.bpte {0}.etrecord --format json", portable));
    ASSERT_EQ(gap["host_caches"].get_array().size(), 4U);
    for (const dom::element cache : gap["host_caches"].get_array()) {
        EXPECT_FALSE(bool(cache["differs"]));
        EXPECT_EQ(std::uint64_t(cache["positions"]), 5U);
    }
    const std::string mlx = (sharedData() / "mlx/offgraph_cache").string();
    EXPECT_EQ(run(fmt::format("et-inspect verify {}.bpte --sqnr 100", mlx)).code, 0);
    EXPECT_EQ(std::uint64_t(json(fmt::format("et-inspect memory {}.pte --format json",
                                             mlx))["host_caches"]["reserved_bytes"]),
              2U * 1536);
}

}  // namespace
}  // namespace et::test

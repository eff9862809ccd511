// Tests that et-inspect gap --bisect finds faults in real programs, and none in correct ones.
#include "tests/cli/gap_process.h"
#include "tests/cli/planted_faults.h"
#include "tests/inspector/gap_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

TEST(GapBisect, NamesEveryFaultOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "broken" / "gap";
    dom::parser parser;
    const dom::element manifest = parser.load((folder / "manifest.json").string());
    for (const dom::element entry : dom::array(manifest)) {
        const std::string file = textOf(entry, "file");
        const std::string record = textOf(entry, "etrecord");
        const std::string fault = textOf(entry, "fault");
        const Gap gap(fmt::format("--bisect --etrecord {} --program {}", (sharedData() / record).string(),
                                  (folder / file).string()));
        ASSERT_TRUE(gap.answered()) << file << gap.process().err;
        EXPECT_EQ(gap.process().code, 1) << file;
        const std::int64_t wanted = entry["debug_handle"];
        const auto handles = gap.divergence();
        ASSERT_FALSE(handles.empty()) << file << ": " << fault;
        EXPECT_EQ(handles.front(), wanted) << file << ": " << fault;
        const std::string first = texts(entry["edge_nodes"]).front();
        EXPECT_TRUE(std::ranges::contains(texts(gap.at("first_divergence")["aot_ops"]), first)) << file;
    }
}

/// MLX programs whose records have operators that are not computed here.
bool isBeyondReference(const fs::path& program) {
    constexpr std::array<std::string_view, 3> programs{"gated_delta_kernel", "moe", "sample"};
    return program.parent_path().filename() == "mlx" &&
           std::ranges::contains(programs, program.stem().string());
}

/// Returns the programs with an ETRecord below a folder of the shared data, bundled ones if available, as
/// paths relative to `programs`.
std::vector<std::string> untouchedPrograms(const std::string& folder) {
    std::vector<std::string> all;
    for (const fs::path& record : sharedFiles(sharedData() / folder, ".etrecord")) {
        fs::path program = record;
        program.replace_extension(".bpte");
        if (!fs::exists(program)) {
            program.replace_extension(".pte");
        }
        // Its ETRecord lacks the value of one input, which would have to be given.
        if (fs::exists(program) && !program.string().ends_with("scalar_io/dynint.pte") &&
            !isBeyondReference(program)) {
            all.push_back(fs::relative(program, sharedData() / "programs").string());
        }
    }
    return all;
}

/// Returns --method for each method of a program with several methods and no `forward`; otherwise nothing.
std::vector<std::string> methodOptions(const std::string& program) {
    return program.ends_with("xnnpack_2method.bpte")
               ? std::vector<std::string>{"--method prefill", "--method decode"}
               : std::vector<std::string>{""};
}

/// Returns --data for each tensor data file next to a program.
std::string dataOptions(const fs::path& program) {
    std::string options;
    for (const fs::path& each : sharedFiles(program.parent_path(), ".ptd")) {
        if (each.filename().string().starts_with(program.stem().string() + ".")) {
            options += fmt::format(" --data {}", each.string());
        }
    }
    return options;
}

/// Folders with unmodified exporter output. Delegates that cannot run on this machine are emulated.
class GapHealthy : public testing::TestWithParam<const char*> {};

TEST_P(GapHealthy, HasNoDivergence) {
    ET_NEEDS_SHARED_DATA();
    std::size_t compared = 0;
    for (const std::string& name : untouchedPrograms(GetParam())) {
        const fs::path program = programs(name);
        const std::string file = fs::path(program).replace_extension().string();
        for (const std::string& method : methodOptions(name)) {
            const Gap gap(fmt::format("--bisect {} --etrecord {}.etrecord --program {}{}", method, file,
                                      program.string(), dataOptions(program)));
            ++compared;
            EXPECT_EQ(gap.process().code, 0)
                << name << ": " << gap.process().err
                << (gap.answered() ? simdjson::to_string(gap.at("first_divergence")).substr(0, 600) : "");
        }
    }
    EXPECT_GE(compared, 2U);
}

INSTANTIATE_TEST_SUITE_P(Shared, GapHealthy,
                         testing::Values("programs", "programs2", "quant", "llm/models", "xnnpack_bf16",
                                         "mlx", "native_pte", "backends_new"),
                         [](const auto& folder) {
                             std::string name(folder.param);
                             std::ranges::replace(name, '/', '_');
                             return name;
                         });

/// Tests that errors beyond rounding are attributed to the format, not reported as a fault.
TEST(GapBisect, NamesPrecisionLostByTheFormat) {
    ET_NEEDS_SHARED_DATA();
    const std::string file = programs("../llm/models/tiny-a/xnnpack_8da4w");
    const Gap gap(fmt::format("--bisect --etrecord {}.etrecord --program {}.bpte", file, file));
    ASSERT_TRUE(gap.answered()) << gap.process().err;
    std::size_t explained = 0;
    for (const dom::element row : gap.rows()) {
        std::string_view reason;
        if (row["explained_by"].get(reason) == simdjson::SUCCESS) {
            EXPECT_EQ(reason, "bfloat16 scales");
            EXPECT_FALSE(bool(row["diverges"]));
            ++explained;
        }
    }
    EXPECT_GT(explained, 0U);
}

/// Attention and recurrent layers share one debug handle between nodes of several calls.
TEST(GapBisect, EmulatesOperatorsSharingDebugHandles) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name : {"bert_tiny/xnnpack", "kvcache/xnnpack", "../programs2/encoder_dyn/xnnpack_q8",
                             "../programs2/encoder_dyn/xnnpack_qd8", "../programs2/dynbatch_cnn/xnnpack_q8",
                             "../quant/encoder2/float", "../quant/encoder2/q8", "../quant/encoder2/qd8",
                             "../llm/models/tiny-a/xnnpack_nosdpa_t1"}) {
        const std::string file = programs(name);
        const Gap gap(fmt::format(
            "--bisect --backend-off XnnpackBackend --etrecord {}.etrecord --program {}.bpte", file, file));
        EXPECT_EQ(gap.process().code, 0)
            << name << ": " << gap.process().err
            << (gap.answered() ? simdjson::to_string(gap.at("first_divergence")).substr(0, 600) : "");
    }
}

class GapPlanted : public testing::TestWithParam<Planted> {};

TEST_P(GapPlanted, IsNamed) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const FaultPlanter planter(programs(GetParam().program + std::string(".bpte")));
    const FaultyProgram faulty = planter.plant(GetParam().kind, GetParam().ordinal);
    const fs::path file = scratch.path() / "faulty.pte";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(faulty.bytes.data()),
               static_cast<std::streamsize>(faulty.bytes.size()));
    const Gap gap(fmt::format("--bisect --etrecord {}.etrecord --program {}", programs(GetParam().program),
                              file.string()));
    ASSERT_TRUE(gap.answered()) << gap.process().err;
    const auto handles = gap.divergence();
    ASSERT_FALSE(handles.empty()) << faulty.node << " " << faulty.debugHandle << gap.process().err;
    if (faulty.instruction >= 0) {
        EXPECT_EQ(std::int64_t(gap.at("first_divergence")["instruction_id"]), faulty.instruction);
    } else {
        EXPECT_EQ(handles.front(), faulty.debugHandle) << faulty.node;
    }
}

std::string plantedName(const testing::TestParamInfo<Planted>& info) {
    std::string name = fmt::format("{}_{}", info.index, info.param.program);
    std::ranges::replace_if(
        name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Sweep, GapPlanted, testing::ValuesIn(sweptFaults()), plantedName);
INSTANTIATE_TEST_SUITE_P(Faults, GapPlanted, testing::ValuesIn(plantedFaults), plantedName);

}  // namespace
}  // namespace et::test

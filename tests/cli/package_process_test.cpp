// Commands that show packages (.ptn): one written by our code, and all real ones.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;
using testing::AllOf;
using testing::HasSubstr;

class PackageProcessTest : public testing::Test {
  protected:
    PackageProcessTest() { EXPECT_EQ(run("sample native -o .").code, 0); }

    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell("et-inspect " + command,
                        {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    /// The JSON document that a command prints.
    element json(const std::string& command) {
        const Outcome outcome = run(command + " --format json");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }

    ScratchFolder scratch;
    simdjson::dom::parser parser;
    simdjson::padded_string text;
};

TEST_F(PackageProcessTest, InfoHasMethodsStateAndQuantization) {
    const Outcome shown = run("info native.ptn");
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("package"), HasSubstr("program.ptg"),
                                 HasSubstr("float32 [1..4, 32]"), HasSubstr("4-bit in groups of 16"),
                                 HasSubstr("buffer calls"), HasSubstr("aten.relu.default")));
}

TEST_F(PackageProcessTest, SizeHasAnOwnerOfEachByte) {
    EXPECT_EQ(std::uint64_t(json("size native.ptn")["total"]), fs::file_size(scratch.path() / "native.ptn"));
    EXPECT_THAT(run("size native.ptn --by tensor").out,
                AllOf(HasSubstr("hidden.weight"), HasSubstr("head.bias")));
}

TEST_F(PackageProcessTest, TensorsAndGraphNameTheConstants) {
    EXPECT_THAT(
        run("tensors native.ptn").out,
        AllOf(HasSubstr("hidden.weight"), HasSubstr("4-bit in groups of 16 [16, 32]"), HasSubstr("calls")));
    const Outcome graph = run("graph native.ptn --format dot");
    EXPECT_EQ(graph.code, 0) << graph.err;
    EXPECT_THAT(graph.out, HasSubstr("aten_relu_default"));
}

TEST_F(PackageProcessTest, SqlHasItsGraph) {
    const Outcome rows =
        run("sql native.ptn \"SELECT operator, COUNT(*) FROM nodes JOIN graphs USING (graph) WHERE kind = "
            "'package' GROUP BY operator\" --format csv");
    EXPECT_EQ(rows.code, 0) << rows.err;
    EXPECT_THAT(rows.out, HasSubstr("aten.linear.default,2"));
}

TEST_F(PackageProcessTest, ShowsAllRealPackages) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : sharedFiles("ptn", ".ptn")) {
        SCOPED_TRACE(path);
        const element info = json("info " + path.string());
        EXPECT_EQ(std::string_view(info["kind"]), "package");
        EXPECT_EQ(info["warnings"].error() == simdjson::SUCCESS, path.filename() == "lost_constant.ptn");
        EXPECT_EQ(std::uint64_t(json("size " + path.string())["total"]), fs::file_size(path));
        for (const std::string command : {"graph --format dot ", "tensors "}) {
            const Outcome shown = run(command + path.string());
            EXPECT_EQ(shown.code, 0) << command << shown.err;
        }
    }
}

/// Operands that are computed from constants only, and graphs that are converted to float16 after others.
TEST_F(PackageProcessTest, QuantizesRealPackages) {
    ET_NEEDS_SHARED_DATA();
    const auto file = [](const char* name) { return (sharedData() / "ptn" / name).string(); };
    for (const char* scheme : {"w8a8-dynamic", "w8", "fp16"}) {
        for (const char* name : {"lstm.ptn", "llama_kv.ptn", "quant_q4k.ptn", "cond.ptn"}) {
            const Outcome outcome = run(fmt::format("quantize {} --scheme {} -o q.pte", file(name), scheme));
            EXPECT_EQ(outcome.code, 0) << name << " " << scheme << ": " << outcome.err;
        }
    }
    const Outcome found =
        run(fmt::format("optimize {} --calibrate {} --budget sqnr=30dB --schemes w8a8-static,fp16 --time 2s "
                        "--no-times -o q.pte",
                        file("quant_q4k.ptn"), file("quant_q4k.twin.bpte")));
    EXPECT_EQ(found.code, 0) << found.err;
}

/// Commands that run or rewrite a package, on one of each kind.
TEST_F(PackageProcessTest, RunsAndRewritesRealPackages) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name : {"counter", "llama_kv", "quant_affine4_zp", "half"}) {
        const std::string file = (sharedData() / "ptn" / name).string();
        for (const char* command :
             {"soak {}.ptn --cases {}.twin.bpte --runs 4", "verify {}.ptn --cases {}.twin.bpte",
              "extract {}.ptn -o part.pte --instructions 0..1",
              "bundle {}.ptn --cases-from {}.twin.bpte -o b.bpte", "report {}.ptn -o report.html",
              "debug {}.ptn --cases {}.twin.bpte -x step -x quit"}) {
            std::string line = command;
            for (std::size_t at = line.find("{}"); at != std::string::npos; at = line.find("{}")) {
                line.replace(at, 2, file);
            }
            const Outcome outcome = run(line);
            EXPECT_EQ(outcome.code, 0) << line << ": " << outcome.err << outcome.out;
        }
    }
}

TEST_F(PackageProcessTest, PartitionsAsAsked) {
    ET_NEEDS_SHARED_DATA();
    const std::string file = (sharedData() / "ptn" / "mlp").string();
    const auto delegates = [&](const std::string& command) {
        const Outcome made = run(command + " -o made.pte");
        EXPECT_EQ(made.code, 0) << command << made.err;
        const Outcome checked = run(fmt::format("verify made.pte --cases {}.twin.bpte --sqnr 20", file));
        EXPECT_EQ(checked.code, 0) << command << checked.err << checked.out;
        return std::size_t(json("delegates made.pte")["methods"].at(0)["delegates"].get_array().size());
    };
    const std::string lower = fmt::format("lower {}.ptn", file);
    EXPECT_EQ(delegates(lower), 1U);
    EXPECT_EQ(delegates(lower + " --per-op-mode"), 5U);
    EXPECT_EQ(delegates(lower + " --config-precisions fp32"), 1U);
    EXPECT_EQ(delegates(lower + " --config-precisions static-quant,dynamic-quant"), 0U);
    const std::string quantize = fmt::format("quantize {0}.ptn --calibrate {0}.twin.bpte", file);
    EXPECT_EQ(delegates(quantize), 1U);
    EXPECT_GT(delegates(quantize + " --per-op-mode"), 2U);
    EXPECT_GT(delegates(quantize + " --scheme w8a8-dynamic --config-precisions dynamic-quant"), 0U);
    EXPECT_EQ(run(lower + " --config-precisions fp64").code, 2);
    const std::string images = (sharedData() / "ptn" / "cnn_bn.ptn").string();
    EXPECT_EQ(run(fmt::format("lower {} --per-op-mode -o made.pte", images)).code, 0) << "batch norms";
}

/// Weights of 4 bits in groups of 32 stay packed; those with zero points, of gguf and of embeddings do not.
TEST_F(PackageProcessTest, KeepsFourBitWeightsOfDynamicProducts) {
    ET_NEEDS_SHARED_DATA();
    const auto bytes = [&](const std::string& name, const std::string& options) {
        const std::string file = (sharedData() / "ptn" / name).string();
        EXPECT_EQ(run(fmt::format("lower {}.ptn {} -o made.pte", file, options)).code, 0) << name;
        const Outcome checked = run(fmt::format("verify made.pte --cases {}.twin.bpte --sqnr 25", file));
        EXPECT_EQ(checked.code, 0) << name << options << checked.out;
        return fs::file_size(scratch.path() / "made.pte");
    };
    EXPECT_LT(3 * bytes("quant_affine4", "--dynamic-products"), bytes("quant_affine4", ""));
    for (const char* name : {"quant_affine4_zp", "quant_q4k", "mlp"}) {
        EXPECT_EQ(bytes(name, "--dynamic-products"), bytes(name, "")) << name;
    }
}

TEST_F(PackageProcessTest, RefusesDamagedPackagesInOneLine) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "broken_new";
    for (const element entry : parser.load((folder / "manifest.json").string()).get_array()) {
        const std::string name{std::string_view(entry["file"])};
        if (!name.ends_with(".ptn") || std::string_view(entry["verdict"]) == "any" ||
            name == "unknown_operator.ptn") {
            continue;
        }
        SCOPED_TRACE(name);
        const Outcome shown = run("info " + (folder / name).string());
        EXPECT_EQ(shown.code, 3);
        EXPECT_EQ(std::ranges::count(shown.err, '\n'), 1) << shown.err;
        EXPECT_THAT(shown.err, HasSubstr(name));
        if (element expected; entry["message_names"].get(expected) == simdjson::SUCCESS) {
            EXPECT_THAT(shown.err, HasSubstr(std::string{std::string_view(expected)}));
        }
    }
}

}  // namespace
}  // namespace et::test

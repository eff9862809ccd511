#include "runtime/core/scalar_type.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Tests of whole processes on real files, against the reference's output and the manifests.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

/// Quotes a path as one word of a shell command.
std::string word(const fs::path& path) {
    return "'" + path.string() + "'";
}

Outcome run(const std::string& arguments) {
    return runShell("et-inspect " + arguments,
                    {.folder = fs::temp_directory_path(), .environment = {}, .terminalColumns = {}});
}

std::ptrdiff_t lineCount(const std::string& text) {
    return std::ranges::count(text, '\n');
}

/// A trace of the manifest and the files that the reference read with it.
struct TraceFiles {
    fs::path folder;
    std::string record;  ///< as a command line option; may be empty

    [[nodiscard]] std::string trace() const { return "--etdump " + word(folder / "trace.etdp"); }
    [[nodiscard]] std::string everything() const {
        const fs::path debugBuffer = folder / "debug_buffer.bin";
        return trace() + record + (fs::exists(debugBuffer) ? " --debug-buffer " + word(debugBuffer) : "");
    }
};

std::vector<TraceFiles> traces(simdjson::dom::parser& parser) {
    std::vector<TraceFiles> found;
    for (const element each : parser.load((sharedData() / "manifest.json").string())["traces"]) {
        TraceFiles files{.folder = sharedData() / "traces" / std::string_view(each["trace"]), .record = {}};
        if (!each["etrecord"].is_null()) {
            files.record = " --etrecord " + word(sharedData() / std::string_view(each["etrecord"]));
        }
        found.push_back(std::move(files));
    }
    return found;
}

void expectPrints(const std::string& arguments, const fs::path& golden) {
    SCOPED_TRACE("et-inspect " + arguments);
    const Outcome answer = run(arguments);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(answer.out == readText(golden)) << "stdout differs from " << golden;
}

TEST(Conformance, PrintsTheReferencesTables) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    int compared = 0;
    for (const TraceFiles& files : traces(parser)) {
        if (fs::exists(files.folder / "inspector.txt")) {
            expectPrints(files.everything(), files.folder / "inspector.txt");
            expectPrints(files.everything() + " --tsv", files.folder / "inspector.tsv");
            ++compared;
        }
        expectPrints(files.trace(), files.folder / "inspector_noetrecord.txt");
        expectPrints(files.trace() + " --tsv", files.folder / "inspector_noetrecord.tsv");
    }
    EXPECT_GT(compared, 0);
}

TEST(Conformance, TakesTheReferencesFlags) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const fs::path folder = sharedData() / "traces/simple_xnnpack_debug";
    const fs::path tsv = scratch.path() / "out.tsv";
    expectPrints(
        fmt::format("--etdump_path={} --etrecord_path {} --debug_buffer_path {} --source_time_scale ns "
                    "--target_time_scale=ms --tsv_path {}",
                    word(folder / "trace.etdp"), word(sharedData() / "programs/simple/xnnpack.etrecord"),
                    word(folder / "debug_buffer.bin"), word(tsv)),
        folder / "inspector.txt");
    EXPECT_EQ(readText(tsv), readText(folder / "inspector.tsv"));
}

TEST(Conformance, SortsFilesByContent) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "traces/simple_xnnpack_debug";
    expectPrints(
        fmt::format("{} {} {}", word(folder / "debug_buffer.bin"),
                    word(sharedData() / "programs/simple/xnnpack.etrecord"), word(folder / "trace.etdp")),
        folder / "inspector.txt");
}

/// Runs the command for the file's kind on a broken file.
Outcome examine(const fs::path& file) {
    return run((file.extension() == ".etdp" ? "--etdump " : "info ") + word(file));
}

TEST(Conformance, BrokenFilesGiveTheErrorsOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    for (const element each : parser.load((sharedData() / "broken/manifest.json").string())) {
        const fs::path file = sharedData() / "broken" / std::string_view(each["file"]);
        const std::string_view verdict = each["verdict"];
        const Outcome answer = examine(file);
        SCOPED_TRACE(fmt::format("{}: {}\n{}", file.string(), std::string_view(each["why"]), answer.err));
        // Errors of a program may only show when it runs.
        const bool read = file.extension() == ".etdp" || file.extension() == ".etrecord";
        if (verdict == "error" && read) {
            EXPECT_EQ(answer.code, 3);
        } else {
            EXPECT_TRUE(answer.code == 0 || answer.code == 3) << answer.code;
        }
        if (answer.code == 3) {
            EXPECT_EQ(lineCount(answer.err), 1);
            EXPECT_TRUE(answer.err.starts_with("et-inspect: " + file.string())) << answer.err;
            EXPECT_EQ(answer.out, "");
        }
    }
}

TEST(Conformance, WarnsOfForeignRecord) {
    ET_NEEDS_SHARED_DATA();
    const Outcome answer =
        run(fmt::format("--etdump {} --etrecord {}", word(sharedData() / "traces/simple_xnnpack/trace.etdp"),
                        word(sharedData() / "programs/mobilenet_v2_small/xnnpack.etrecord")));
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(answer.err.starts_with("et-inspect: warning: ")) << answer.err;
}

TEST(Conformance, ReadsOldFiles) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& entry : fs::directory_iterator(sharedData() / "legacy")) {
        const Outcome answer = run("info " + word(entry.path()));
        SCOPED_TRACE(entry.path().string() + ": " + answer.err);
        EXPECT_TRUE(answer.code == 0 || (answer.code == 3 && lineCount(answer.err) == 1)) << answer.code;
    }
}

// ---- info against the manifest of programs ----

std::vector<std::string> strings(element list, const char* key = nullptr) {
    std::vector<std::string> found;
    for (const element each : list) {
        found.emplace_back(std::string_view(key == nullptr ? each : each[key]));
    }
    return found;
}

std::vector<std::int64_t> numbers(element list) {
    std::vector<std::int64_t> found;
    for (const element each : list) {
        found.push_back(each.get_int64());
    }
    return found;
}

/// Returns "float32" for the schema's "FLOAT".
std::string torchName(std::string_view schemaName) {
    const auto types = core::scalarTypes();
    const auto found = std::ranges::find(types, schemaName, &core::ScalarTypeInfo::name);
    return found == types.end() ? std::string(schemaName) : std::string(found->torchName);
}

void expectValues(element told, element expected) {
    const simdjson::dom::array toldList = told;
    const simdjson::dom::array expectedList = expected;
    ASSERT_EQ(toldList.size(), expectedList.size());
    for (std::size_t i = 0; i < toldList.size(); ++i) {
        SCOPED_TRACE(fmt::format("value {}", i));
        const element value = toldList.at(i);
        const element truth = expectedList.at(i);
        EXPECT_EQ(std::string_view(value["type"]), std::string_view(truth["type"]));
        if (std::string_view(truth["type"]) == "Tensor") {
            EXPECT_EQ(std::string_view(value["dtype"]), torchName(truth["scalar_type"]));
            EXPECT_EQ(numbers(value["sizes"]), numbers(truth["sizes"]));
            EXPECT_EQ(numbers(value["dim_order"]), numbers(truth["dim_order"]));
        }
    }
}

std::vector<std::pair<std::string, std::int64_t>> sortedCounts(element counts) {
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (const auto& [key, value] : simdjson::dom::object(counts)) {
        found.emplace_back(key, value.get_int64());
    }
    std::ranges::sort(found);
    return found;
}

template <class T>
std::multiset<T> anyOrder(const std::vector<T>& items) {
    return {items.begin(), items.end()};
}

void expectMethod(element told, element expected) {
    EXPECT_EQ(std::string_view(told["name"]), std::string_view(expected["name"]));
    EXPECT_EQ(anyOrder(strings(told["operators"], "name")), anyOrder(strings(expected["operators"])));
    EXPECT_EQ(anyOrder(strings(told["delegates"], "backend")), anyOrder(strings(expected["delegates"])));
    EXPECT_EQ(sortedCounts(told["instructions"]), sortedCounts(expected["instructions"]));
    EXPECT_EQ(numbers(told["arenas"]), numbers(expected["planned_bytes"]));
    expectValues(told["inputs"], expected["inputs"]);
    expectValues(told["outputs"], expected["outputs"]);
}

/// Path of the program in a file that is or contains one; "none" for others.
std::string programPath(const fs::path& file) {
    return file.extension() == ".bpte" ? "program" : file.extension() == ".pte" ? "" : "none";
}

TEST(Conformance, DescribesProgramsLikeTheirManifest) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser manifest;
    simdjson::dom::parser answers;
    int compared = 0;
    for (const element program : manifest.load((sharedData() / "manifest.json").string())["programs"]) {
        for (const std::string& file : strings(program["files"])) {
            const std::string at = programPath(file);
            if (at == "none" || !fs::exists(sharedData() / file)) {
                continue;
            }
            SCOPED_TRACE(file);
            const Outcome answer = run("info --format json " + word(sharedData() / file));
            ASSERT_EQ(answer.code, 0) << answer.err;
            const element whole = answers.parse(answer.out);
            const element told = at.empty() ? whole : whole[at];
            const simdjson::dom::array expected = program["methods"];
            const simdjson::dom::array methods = told["methods"];
            ASSERT_EQ(methods.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                expectMethod(methods.at(i), expected.at(i));
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace et::test

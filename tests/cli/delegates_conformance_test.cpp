#include "tests/cli/process.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

/// Tests of `et-inspect delegates` on real programs, against known results.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;
using simdjson::dom::object;

/// Returns the JSON printed for a program with the ETRecord next to it.
std::string described(const fs::path& program, const std::string& more = {}) {
    fs::path record = program;
    record.replace_extension(".etrecord");
    const std::string with = fs::exists(record) ? fmt::format(" --etrecord '{}'", record.string()) : "";
    const Outcome answer =
        runShell(fmt::format("et-inspect delegates '{}'{}{} --format json", program.string(), with, more),
                 {.folder = fs::temp_directory_path(), .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.err, "") << program;
    return answer.out;
}

void expectSameSpecs(const element& shown, const object& known) {
    for (const element spec : shown["compile_specs"]) {
        const std::string_view key = spec["key"];
        element expected;
        ASSERT_FALSE(known[key].get(expected)) << key;
        std::string_view text;
        // Unprintable bytes are hexadecimal there too, except those that are valid UTF-8.
        if (!spec["text"].get(text)) {
            EXPECT_EQ(text, std::string_view(expected)) << key;
        }
    }
}

void expectSameDelegate(const element& shown, const element& known) {
    EXPECT_EQ(std::string_view(shown["backend"]), std::string_view(known["id"]));
    EXPECT_EQ(std::uint64_t(shown["payload_bytes"]), std::uint64_t(known["payload_bytes"]));
    std::string_view mark;
    if (!known["header"]["magic"].get(mark)) {
        EXPECT_EQ(std::string_view(shown["payload_mark"]), mark);
    }
    expectSameSpecs(shown, known["compile_specs"]);
}

TEST(DelegatesConformance, ReportsKnownPropertiesOfEveryBackend) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "programs/backends";
    simdjson::dom::parser known;
    simdjson::dom::parser shown;
    std::set<std::string> backends;
    for (const auto [name, info] : object(known.load((folder / "facts.json").string()))) {
        const fs::path program = folder / (std::string(name) + ".bpte");
        if (!fs::exists(program)) {
            continue;
        }
        SCOPED_TRACE(program);
        const std::string json = described(program);
        const element answer = shown.parse(json);
        for (std::size_t i = 0; i < info["methods"].get_array().size(); ++i) {
            const auto expected = info["methods"].at(i)["delegates"].get_array();
            const auto delegates = answer["methods"].at(i)["delegates"].get_array();
            ASSERT_EQ(delegates.size(), expected.size());
            for (std::size_t d = 0; d < expected.size(); ++d) {
                expectSameDelegate(delegates.at(d), expected.at(d));
                backends.emplace(std::string_view(delegates.at(d)["backend"]));
            }
        }
    }
    EXPECT_GE(backends.size(), 8U);
}

/// Tests that nodes of XNNPACK's delegates resolve to Edge nodes, except those that lowering added.
TEST(DelegatesConformance, NodesOfXnnpackLeadToEdgeNodes) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    std::size_t resolved = 0;
    for (const auto& program : sharedFiles("programs", ".bpte")) {
        if (!program.stem().string().starts_with("xnnpack") ||
            !fs::exists(fs::path(program).replace_extension(".etrecord"))) {
            continue;
        }
        SCOPED_TRACE(program);
        const std::string json = described(program, " --nodes");
        for (const element method : parser.parse(json)["methods"]) {
            for (const element delegate : method["delegates"]) {
                for (const element node : delegate["node_list"]) {
                    const bool added = node["debug_handles"].get_array().size() == 0;
                    EXPECT_EQ(added, node["edge_nodes"].get_array().size() == 0) << node;
                    EXPECT_TRUE(added || node["source_lines"].get_array().size() > 0) << node;
                    resolved += added ? 0 : 1;
                }
            }
        }
    }
    EXPECT_GT(resolved, 250U);
}

/// Ids of "0-2, 4 (4 alike)" or "3".
std::vector<std::size_t> idsOf(const std::string& text) {
    std::vector<std::size_t> ids;
    std::istringstream ranges(text.substr(0, text.find(" (")));
    for (std::string range; std::getline(ranges, range, ',');) {
        const std::size_t first = std::stoul(range);
        const std::size_t dash = range.find('-');
        const std::size_t last = dash == std::string::npos ? first : std::stoul(range.substr(dash + 1));
        for (std::size_t id = first; id <= last; ++id) {
            ids.push_back(id);
        }
    }
    return ids;
}

std::vector<std::string> linesWith(const std::string& text, std::string_view part) {
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.contains(part)) {
            found.push_back(line);
        }
    }
    return found;
}

/// Tests that delegates of a kind and methods with equal contents share an entry of the text, not of the
/// JSON.
TEST(DelegatesConformance, TextGroupsWhatRepeats) {
    ET_NEEDS_SHARED_DATA();
    const fs::path program = sharedData() / "llm/models/tiny-a/xnnpack_nosdpa_t1.pte";
    const auto textOf = [&](const std::string& more) {
        return runShell(fmt::format("et-inspect delegates '{}'{}", program.string(), more),
                        {.folder = fs::temp_directory_path(), .environment = {}, .terminalColumns = {}})
            .out;
    };
    simdjson::dom::parser parser;
    const std::string json = described(program);
    std::size_t delegates = 0;
    for (const element method : parser.parse(json)["methods"]) {
        delegates = std::max(delegates, method["delegates"].get_array().size());
    }
    constexpr std::string_view key = " id: ";
    constexpr std::string_view heading = " alike):";  // "1, 7 (2 alike):"
    const std::string text = textOf("");
    std::vector<std::size_t> ids;
    for (const std::string& single : linesWith(text, key)) {
        std::ranges::copy(idsOf(single.substr(single.find(key) + key.size())), std::back_inserter(ids));
    }
    const std::vector<std::string> groups = linesWith(text, heading);
    for (const std::string& group : groups) {
        std::ranges::copy(idsOf(group), std::back_inserter(ids));
    }
    std::ranges::sort(ids);
    std::vector<std::size_t> every(delegates);
    std::iota(every.begin(), every.end(), 0);
    EXPECT_EQ(ids, every);
    EXPECT_GE(groups.size(), 2U);
    const std::vector<std::string> constants = linesWith(text, "get_bos_id");
    ASSERT_EQ(constants.size(), 1U);
    EXPECT_TRUE(constants.front().contains("get_n_layers")) << constants.front();
    const std::string whole = textOf(" --all");
    EXPECT_EQ(linesWith(whole, key).size(), delegates);
    EXPECT_FALSE(linesWith(whole, "get_bos_id").front().contains("get_n_layers"));
}

}  // namespace
}  // namespace et::test

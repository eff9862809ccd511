// Tests that et-inspect reduce on real programs with planted faults keeps all faults and few operators.
#include "tests/cli/planted_faults.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

/// Result of reducing one program.
struct Reduced {
    Outcome outcome;
    std::size_t operators = 0;
    std::string instructions;
    std::vector<std::string> edgeNodes;
    double seconds = 0;
    int verified = -1;  ///< exit code of et-inspect verify on the reduced program
    bool hasSmallerInputs = false;
    bool hasSmallerConstants = false;
    bool hasSimpleNumbers = false;
    bool hasRecord = false;
    std::string gap{};  ///< output of et-inspect gap on the reduced program with its own ETRecord
};

Reduced reduce(const fs::path& program, const std::string& record, const std::string& failure) {
    const ScratchFolder scratch;
    const ProcessEnvironment around{.folder = scratch.path(), .environment = {}, .terminalColumns = {}};
    Reduced reduced;
    reduced.outcome =
        runShell(fmt::format("et-inspect reduce {} --etrecord {} --fails {} -o out --format json",
                             program.string(), record, failure),
                 around);
    dom::parser parser;
    dom::element root;
    if (parser.parse(simdjson::padded_string(reduced.outcome.out)).get(root) != simdjson::SUCCESS) {
        return reduced;
    }
    reduced.seconds = root["seconds"].get_double().value();
    reduced.instructions = root["instructions"].get_string().value();
    for (const dom::element each : dom::array(root["operators"])) {
        ++reduced.operators;
        for (const dom::element node : dom::array(each["edge_nodes"])) {
            reduced.edgeNodes.emplace_back(node.get_string().value());
        }
    }
    reduced.verified = runShell("et-inspect verify out/part.bpte", around).code;
    const auto text = [&](std::string_view key) { return root[key].get_string().value(); };
    reduced.hasSmallerInputs = text("sizes") != text("sizes_before");
    reduced.hasSmallerConstants = !text("constants").empty();
    reduced.hasRecord = fs::exists(scratch.path() / "out" / "part.etrecord");
    reduced.hasSimpleNumbers = text("inputs") != "recorded";
    const Outcome gap =
        runShell("et-inspect gap --program out/part.bpte --etrecord out/part.etrecord --bisect", around);
    reduced.gap = gap.out + gap.err;
    return reduced;
}

double median(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    return numbers.empty() ? -1 : numbers[numbers.size() / 2];
}

TEST(ReduceFaults, OfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "broken" / "gap";
    dom::parser parser;
    std::size_t found = 0;
    std::size_t shown = 0;
    std::size_t smaller = 0;
    for (const char* const failure : {"gap", "verify"}) {
        const dom::element manifest = parser.load((folder / "manifest.json").string());
        for (const dom::element entry : dom::array(manifest)) {
            const std::string file(entry["file"].get_string().value());
            const std::string record(entry["etrecord"].get_string().value());
            const Reduced reduced = reduce(folder / file, (sharedData() / record).string(), failure);
            if (failure == std::string_view("verify") && reduced.outcome.code == 1) {
                continue;  // the outputs of the whole program are within verify's tolerance
            }
            ++found;
            EXPECT_EQ(reduced.outcome.code, 0) << failure << " " << file << reduced.outcome.err;
            EXPECT_LE(reduced.operators, 3U) << failure << " " << file;
            const std::string first(entry["edge_nodes"].at(0).get_string().value());
            EXPECT_TRUE(std::ranges::contains(reduced.edgeNodes, first)) << failure << " " << file;
            shown += reduced.verified == 1 ? 1U : 0U;
            smaller += reduced.hasSmallerInputs || reduced.hasSmallerConstants ? 1U : 0U;
            // Its ETRecord has the sizes of the reduced program.
            EXPECT_FALSE(reduced.gap.contains("the record belongs to another program"))
                << file << reduced.gap;
            EXPECT_TRUE(reduced.hasRecord) << failure << " " << file;
        }
    }
    EXPECT_GE(found, 13U);
    EXPECT_GE(smaller, found / 2);
    EXPECT_GE(shown, found - 1);
}

TEST(ReduceFaults, OfEveryModel) {
    ET_NEEDS_SHARED_DATA();
    std::vector<Planted> all = sweptFaults();
    all.insert(all.end(), std::begin(plantedFaults), std::end(plantedFaults));
    std::vector<double> operators;
    std::vector<double> seconds;
    std::size_t shown = 0;
    std::size_t inputs = 0;
    std::size_t constants = 0;
    std::size_t simple = 0;
    for (const Planted& each : all) {
        const ScratchFolder scratch;
        const FaultyProgram faulty =
            FaultPlanter(programs(each.program + std::string(".bpte"))).plant(each.kind, each.ordinal);
        const fs::path file = scratch.path() / "faulty.pte";
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(faulty.bytes.data()),
                   static_cast<std::streamsize>(faulty.bytes.size()));
        const Reduced reduced = reduce(file, programs(each.program) + ".etrecord", "gap");
        const std::string what =
            fmt::format("{} kind {} ordinal {}", each.program, static_cast<int>(each.kind), each.ordinal);
        EXPECT_EQ(reduced.outcome.code, 0) << what << reduced.outcome.err;
        if (faulty.instruction >= 0) {
            EXPECT_EQ(reduced.instructions, std::to_string(faulty.instruction)) << what;
        }
        operators.push_back(static_cast<double>(reduced.operators));
        seconds.push_back(reduced.seconds);
        shown += reduced.verified == 1 ? 1U : 0U;
        inputs += reduced.hasSmallerInputs ? 1U : 0U;
        constants += reduced.hasSmallerConstants ? 1U : 0U;
        simple += reduced.hasSimpleNumbers ? 1U : 0U;
    }
    EXPECT_LE(median(operators), 3);
    std::cout << fmt::format(
        "{} faults: median {} operators (at most {}), median {:.2f} s (at most {:.2f}); "
        "verify alone shows {}; {} with smaller inputs, {} with smaller constants, {} with zeros or ones\n",
        all.size(), median(operators), std::ranges::max(operators), median(seconds),
        std::ranges::max(seconds), shown, inputs, constants, simple);
}

}  // namespace
}  // namespace et::test

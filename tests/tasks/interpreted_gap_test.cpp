// Delegates computed from their payloads, compared by operator: no divergence, except where a weight was
// changed.

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_files.h"
#include "app/tasks/gap/gap_run.h"
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/no_named_data.h"
#include "runtime/program/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using inspector::GapLevel;
using inspector::GraphWalk;

core::Result<tasks::GapResult> gapsOf(const fs::path& program, const fs::path& record) {
    tasks::GapSettings settings;
    settings.files = {program, record};
    settings.bisect = true;
    ET_TRY(tasks::placeFiles(settings));
    tasks::ProgressReporter watch({}, std::nullopt);
    return tasks::runGaps(settings, watch);
}

/// Nodes of the first operator that diverges; empty if none does.
std::vector<std::string> divergingNodes(const tasks::GapResult& result) {
    for (const auto& gap : result.gaps) {
        if (gap->firstDivergence) {
            return gap->rows[*gap->firstDivergence].edgeNodes;
        }
    }
    return {};
}

std::size_t rowsInside(const tasks::GapResult& result) {
    return static_cast<std::size_t>(
        std::ranges::count(result.gaps.front()->rows, GapLevel::Delegate, &inspector::GapRow::place));
}

/// The nodes that read a value, through those that only depend on weights.
void addReaders(const GraphWalk& walk, std::string_view value, std::set<std::string>& readers) {
    for (const etrecord::NodeIndex reader : walk.consumersOf(value)) {
        if (walk.isConstant(reader)) {
            addReaders(walk, walk.resultOf(reader), readers);
        } else {
            readers.insert(walk.node(reader).name);
        }
    }
}

/// A float32 parameter of a delegate, and the nodes of the Edge graph that read it.
struct Weight {
    std::string name;
    std::size_t offset = 0;  ///< in the program's file
    std::size_t bytes = 0;
    std::set<std::string> readers;
};

/// Weights of a program by their names in PyTorch: "7c73/0.weight" is "0.weight".
std::vector<Weight> weightsOf(const program::Program& program, const etrecord::ExportedGraph& graph) {
    constexpr std::string_view turned = "_channel_last";
    const GraphWalk walk(graph);
    std::vector<Weight> weights;
    for (const program::NamedData& each : program.namedData) {
        std::string_view name = each.key;
        name = name.substr(name.find('/') + 1);
        name = name.ends_with(turned) ? name.substr(0, name.size() - turned.size()) : name;
        const auto spec = std::ranges::find(graph.inputSpecs, name, &etrecord::InputSpec::target);
        const auto meta =
            spec == graph.inputSpecs.end() ? graph.tensors.end() : graph.tensors.find(spec->value);
        if (meta == graph.tensors.end() || spec->kind != "parameter" ||
            meta->second.scalarType != static_cast<std::int8_t>(core::ScalarType::Float)) {
            continue;
        }
        Weight weight{.name = std::string(name),
                      .offset = static_cast<std::size_t>(each.data.data() - program.file->bytes().data()),
                      .bytes = each.data.size(),
                      .readers = {}};
        addReaders(walk, spec->value, weight.readers);
        // Equal weights are stored once.
        const auto same = std::ranges::find(weights, weight.offset, &Weight::offset);
        if (same == weights.end()) {
            weights.push_back(std::move(weight));
        } else {
            same->readers.merge(weight.readers);
        }
    }
    return weights;
}

/// Writes the program with another weight.
void plant(const fs::path& from, const Weight& weight, const fs::path& to) {
    std::vector<std::byte> bytes = readBytes(from);
    for (std::size_t at = 0; at + sizeof(float) <= weight.bytes; at += sizeof(float)) {
        float element = 0;
        std::memcpy(&element, bytes.data() + weight.offset + at, sizeof element);
        element = element * 1.5F + 0.1F;
        std::memcpy(bytes.data() + weight.offset + at, &element, sizeof element);
    }
    std::ofstream(to, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct DelegatedFile {
    const char* folder;
    const char* name;
    std::size_t rows;     ///< compared inside delegates, at least
    std::size_t weights;  ///< that are changed one at a time, at least
};

class InterpretedGap : public testing::TestWithParam<DelegatedFile> {};

TEST_P(InterpretedGap, RightFileDoesNotDiverge) {
    ET_NEEDS_SHARED_DATA();
    const fs::path base = sharedData() / GetParam().folder / GetParam().name;
    const auto result = gapsOf(fs::path(base).concat(".bpte"), fs::path(base).concat(".etrecord"));
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_THAT(divergingNodes(*result), testing::IsEmpty());
    EXPECT_GE(rowsInside(*result), GetParam().rows);
}

TEST_P(InterpretedGap, ChangedWeightIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const fs::path base = sharedData() / GetParam().folder / GetParam().name;
    const fs::path program = fs::path(base).concat(".pte");
    const fs::path record = fs::path(base).concat(".etrecord");
    const auto opened = program::Program::open(program);
    const auto read = etrecord::Record::open(record);
    ASSERT_TRUE(opened && read);
    const auto* const graph = (*read)->edgeGraph("forward");
    ASSERT_NE(graph, nullptr);
    const std::vector<Weight> weights = weightsOf(**opened, *graph);
    EXPECT_GE(weights.size(), GetParam().weights);
    const ScratchFolder folder;
    for (const Weight& weight : weights) {
        const fs::path changed = folder.path() / "changed.pte";
        plant(program, weight, changed);
        const auto result = gapsOf(changed, record);
        ASSERT_TRUE(result) << weight.name << ": " << result.error().toString();
        const auto nodes = divergingNodes(*result);
        const bool isNamed = std::ranges::any_of(
            nodes, [&](const std::string& node) { return weight.readers.contains(node); });
        EXPECT_TRUE(isNamed) << weight.name << ": expected one of " << fmt::format("{}", weight.readers)
                             << ", got " << fmt::format("{}", nodes);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Files, InterpretedGap,
    testing::Values(DelegatedFile{"mlx", "mlp", 5, 6}, DelegatedFile{"mlx", "cnn_bn", 16, 8},
                    DelegatedFile{"mlx", "dynamic", 10, 4}, DelegatedFile{"mlx", "mixed", 5, 2},
                    DelegatedFile{"mlx", "llama_kv", 90, 10}, DelegatedFile{"mlx", "offgraph_cache", 30, 10},
                    DelegatedFile{"mlx", "w4_group32", 3, 4}, DelegatedFile{"mlx", "llama_custom", 20, 6},
                    DelegatedFile{"native_pte", "counter", 8, 1}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Weights inside the payload of a bundled program's only delegate, in the order of the nodes that read them.
/// Those whose place in the file is ambiguous have no bytes.
std::vector<Weight> storedWeights(const fs::path& path) {
    constexpr std::size_t leastBytes = 64;
    const auto bundle = bundled_program::Bundle::open(path);
    const auto program =
        bundle ? program::Program::parse((*bundle)->file, (*bundle)->program).value_or(nullptr) : nullptr;
    const auto* const backend = executor::findBackend(backends::describable(), "TOSABackend");
    if (program == nullptr) {
        return {};
    }
    const auto graph = backend->describe(program->methods.front().delegates.front(), executor::NoNamedData());
    if (!graph) {
        return {};
    }
    const std::vector<std::byte> file = readBytes(path);
    std::vector<Weight> weights;
    for (const core::GraphNode& node : graph->nodes()) {
        for (const core::GraphValueId input : node.inputs) {
            const core::GraphValue& value = graph->value(input);
            if (value.data.size() >= leastBytes && value.type.starts_with("float32")) {
                const auto found = std::ranges::search(file, value.data);
                const auto again = std::ranges::search(found.begin() + 1, file.end(), value.data.begin(),
                                                       value.data.end());  // zeros
                weights.push_back({.name = value.name,
                                   .offset = static_cast<std::size_t>(found.begin() - file.begin()),
                                   .bytes = again.empty() ? value.data.size() : 0,
                                   .readers = {}});
            }
        }
    }
    return weights;
}

/// A weight and a bias for each of its layers.
TEST(InterpretedGapTest, ChangedConstantOfTosaIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const fs::path base = sharedData() / "programs" / "backends" / "arm_tosa" / "mlp_tosa_fp";
    const fs::path program = fs::path(base).concat(".bpte");
    const std::vector<Weight> weights = storedWeights(program);
    ASSERT_EQ(weights.size(), 6U);
    const ScratchFolder folder;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i].bytes == 0) {
            continue;
        }
        const fs::path changed = folder.path() / "changed.bpte";
        plant(program, weights[i], changed);
        const auto result = gapsOf(changed, fs::path(base).concat(".etrecord"));
        ASSERT_TRUE(result) << result.error().toString();
        const std::size_t layer = i / 2;
        const std::string expected =
            layer == 0 ? "aten_linear_default" : fmt::format("aten_linear_default_{}", layer);
        EXPECT_THAT(divergingNodes(*result), testing::Contains(expected)) << weights[i].name;
    }
}

}  // namespace
}  // namespace et::test

// Tests of memory views and graphs of all real programs and ETRecords.
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_picture.h"
#include "inspector/memory/memory_timeline.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using core::GraphNode;
using core::ModelGraph;
using inspector::Diagram;
using inspector::DiagramBox;
using inspector::MemoryTimeline;

using ProgramPtr = std::shared_ptr<const program::Program>;

core::Result<ProgramPtr> openProgram(const fs::path& path) {
    if (path.extension() == ".pte") {
        return program::Program::open(path);
    }
    ET_ASSIGN(auto bundle, bundled_program::Bundle::open(path));
    return program::Program::parse(bundle->file, bundle->program);
}

std::vector<fs::path> programFiles(const fs::path& folder) {
    std::vector<fs::path> files = sharedFiles(folder, ".bpte");
    const std::vector<fs::path> alone = sharedFiles(folder, ".pte");
    files.insert(files.end(), alone.begin(), alone.end());
    return files;
}

/// Builds every view of a method's memory; all data comes from the file, which may be hostile.
void lookAtMemory(const program::Method& method) {
    const auto timeline = MemoryTimeline::build(method);
    if (!timeline) {
        EXPECT_FALSE(timeline.error().message.empty());
        return;
    }
    const inspector::InstructionNodes nodes(nullptr, method.name);
    const inspector::MemoryView view{.timeline = *timeline, .nodes = nodes};
    EXPECT_FALSE(memoryPicture(std::span(&view, 1)).empty());
}

void expectOrder(const ModelGraph& graph) {
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        for (const core::GraphValueId id : graph.nodes()[i].inputs) {
            const auto producer = graph.value(id).producer;
            EXPECT_TRUE(!producer || producer->value <= i) << graph.nodes()[i].name;
        }
    }
}

void lookAtGraph(const program::Program& program, const program::Method& method,
                 const etrecord::Record* record = nullptr) {
    auto graph = inspector::programGraph({.program = program,
                                          .method = method,
                                          .tensorData = {},
                                          .backends = backends::describable(),
                                          .record = record});
    ASSERT_TRUE(graph) << graph.error().toString();
    expectOrder(*graph);
    inspector::foldLongRuns(*graph, 100);
    const Diagram diagram = Diagram::of(*graph, {});
    std::size_t nodes = 0;
    for (const DiagramBox& box : diagram.boxes) {
        nodes += box.nodes.size();
    }
    EXPECT_EQ(nodes, graph->nodes().size()) << "each node is in some box";
}

TEST(MemoryConformance, HealthyPlansHoldTheirTensors) {
    ET_NEEDS_SHARED_DATA();
    std::size_t methods = 0;
    for (const fs::path folder : {"programs", "ops"}) {
        for (const fs::path& path : programFiles(folder)) {
            const auto program = openProgram(path);
            ASSERT_TRUE(program) << program.error().toString();
            for (const program::Method& method : (*program)->methods) {
                SCOPED_TRACE(path.string() + " " + std::string(method.name));
                const auto timeline = MemoryTimeline::build(method);
                ASSERT_TRUE(timeline) << timeline.error().toString();
                for (const inspector::PlanOverlap& overlap : timeline->overlaps) {
                    ADD_FAILURE() << describe(overlap, *timeline);
                }
                EXPECT_EQ(timeline->plannedBytes(), method.plannedBytes());
                for (const inspector::ArenaTimeline& arena : timeline->arenas) {
                    EXPECT_LE(arena.peakBytes, arena.plannedBytes);
                    EXPECT_TRUE(arena.plannedBytes == 0 || arena.peakBytes > 0);
                }
                ++methods;
            }
        }
    }
    EXPECT_GT(methods, 300U);
}

std::optional<MemoryTimeline> timelineOf(const ProgramPtr& program) {
    auto timeline = MemoryTimeline::build(program->methods[0]);
    EXPECT_TRUE(timeline) << timeline.error().toString();
    return timeline ? std::optional(std::move(*timeline)) : std::nullopt;
}

/// Computes the plan of ExecuTorch's greedy planner from that of its naive planner.
TEST(MemoryConformance, PlansAgainAsTightAsTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "programs/memplan";
    const auto greedy = openProgram(folder / "greedy.bpte");
    const auto naive = openProgram(folder / "naive.bpte");
    ASSERT_TRUE(greedy && naive);
    const auto tight = timelineOf(*greedy);
    const auto loose = timelineOf(*naive);
    ASSERT_TRUE(tight && loose);
    EXPECT_EQ(tight->peakBytes(), loose->peakBytes()) << "the same tensors live at the same time";
    const auto again = planAgain(*loose, builder::PlanStrategy::Greedy, 16);
    ASSERT_TRUE(again);
    EXPECT_LE(again->bytes, tight->plannedBytes());
    EXPECT_GE(again->bytes, loose->peakBytes());
    const auto same = planAgain(*tight, builder::PlanStrategy::Naive, 16);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->bytes, loose->plannedBytes());
}

TEST(GraphConformance, DrawsEveryProgram) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path folder : {"programs", "legacy", "broken"}) {
        for (const fs::path& path : programFiles(folder)) {
            const auto program = openProgram(path);
            if (!program) {
                EXPECT_NE(folder, "programs") << program.error().toString();
                continue;
            }
            const fs::path beside = fs::path(path).replace_extension(".etrecord");
            const auto record = etrecord::Record::open(beside);
            for (const program::Method& method : (*program)->methods) {
                SCOPED_TRACE(path.string() + " " + std::string(method.name));
                lookAtMemory(method);
                lookAtGraph(**program, method, record ? record->get() : nullptr);
            }
        }
    }
}

void lookAtRecordGraph(const etrecord::ExportedGraph& exported) {
    ModelGraph graph = inspector::recordGraph(exported, "graph");
    expectOrder(graph);
    EXPECT_GE(graph.values().size(), graph.nodes().size() / 2) << "values are told apart";
    EXPECT_GE(graph.nodes().size(), exported.nodes.size());
    inspector::foldLongRuns(graph, 100);
    const Diagram diagram = Diagram::of(graph, {});
    EXPECT_FALSE(diagram.boxes.empty());
}

TEST(GraphConformance, DrawsEveryRecord) {
    ET_NEEDS_SHARED_DATA();
    std::size_t graphs = 0;
    for (const fs::path& path : sharedFiles("programs", ".etrecord")) {
        SCOPED_TRACE(path);
        const auto record = etrecord::Record::open(path);
        ASSERT_TRUE(record) << record.error().toString();
        for (const std::string& method : (*record)->methods()) {
            lookAtRecordGraph(*(*record)->edgeGraph(method));
            ++graphs;
        }
        const auto exported = (*record)->exportedProgram();
        if (exported && *exported != nullptr) {
            lookAtRecordGraph(**exported);
        }
    }
    EXPECT_GT(graphs, 50U);
}

TEST(GraphConformance, NodesOfADelegateAreThoseOfItsPayload) {
    ET_NEEDS_SHARED_DATA();
    const auto program = openProgram(sharedData() / "programs/mobilenet_v2_small/xnnpack.bpte");
    ASSERT_TRUE(program);
    const inspector::ProgramGraphSources sources{.program = **program,
                                                 .method = (*program)->methods[0],
                                                 .tensorData = {},
                                                 .backends = backends::describable()};
    const auto whole = inspector::programGraph(sources);
    const auto inside = inspector::delegateGraph(sources, program::DelegateId(0));
    ASSERT_TRUE(whole && inside);
    ASSERT_FALSE(whole->groups().empty());
    const auto members = std::ranges::count_if(
        whole->nodes(), [](const GraphNode& node) { return node.group == core::GraphGroupId(0); });
    EXPECT_EQ(static_cast<std::size_t>(members), inside->nodes().size());
    EXPECT_GT(members, 50);
}

}  // namespace
}  // namespace et::test

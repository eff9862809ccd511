// Tests of the sources of graphs.
#include "inspector/graph/graph_sources.h"
#include "runtime/builder/program_builder.h"
#include "tests/inspector/graph_support.h"
#include "tests/inspector/join_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::ModelGraph;
using program::ValueId;
using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> kindsOf(const ModelGraph& graph) {
    std::vector<std::string> kinds;
    for (const GraphNode& node : graph.nodes()) {
        kinds.push_back(node.kind);
    }
    return kinds;
}

/// Returns the nodes that read this node's output.
std::vector<std::string> consumersOf(const ModelGraph& graph, std::string_view name) {
    std::vector<std::string> names;
    const auto node = std::ranges::find(graph.nodes(), name, &GraphNode::name);
    EXPECT_NE(node, graph.nodes().end()) << name;
    for (const core::GraphValueId id : node->outputs) {
        for (const GraphNodeId consumer : graph.value(id).consumers) {
            names.push_back(graph.node(consumer).name);
        }
    }
    return names;
}

TEST(ProgramGraph, HasInstructionsWithTheirArgumentsByName) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId in = forward.input({.sizes = {2, 3}});
    const ValueId turned = forward.intermediate({.sizes = {3, 2}});
    const ValueId sum = forward.intermediate({.sizes = {3, 2}});
    forward.call("aten::permute_copy.out", {in, std::vector<std::int64_t>{1, 0}}, {turned});
    forward.call("aten::add.out", {turned, turned, 2}, {sum});
    forward.output(sum);
    const ModelGraph graph = graphOf(*finished(builder));

    EXPECT_EQ(graph.name, "forward");
    EXPECT_THAT(kindsOf(graph), ElementsAre("aten::permute_copy.out", "aten::add.out"));
    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1", "1"));
    const GraphNode& permute = graph.nodes()[0];
    EXPECT_THAT(permute.attributes, ElementsAre(core::GraphAttribute{"dims", "[1, 0]"}));
    EXPECT_THAT(graph.nodes()[1].attributes, ElementsAre(core::GraphAttribute{"alpha", "2"}));
    EXPECT_EQ(permute.instruction, core::InstructionId(0));
    EXPECT_EQ(graph.value(permute.inputs[0]).role, GraphValue::Role::Input);
    EXPECT_EQ(graph.value(permute.inputs[0]).type, "float32 [2, 3]");
    EXPECT_EQ(graph.value(graph.nodes()[1].outputs[0]).role, GraphValue::Role::Output);
    EXPECT_EQ(graph.value(graph.nodes()[1].outputs[0]).bytes, 24U);
}

TEST(ProgramGraph, AnUpdateInPlaceMakesAValueOfItsOwn) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId in = forward.input(smallTensor);
    const ValueId count = forward.state(smallTensor);
    const ValueId sum = forward.intermediate(smallTensor);
    const ValueId out = forward.intermediate(smallTensor);
    forward.call("aten::add.out", {in, count, 1}, {sum});
    forward.callFunction("aten::copy_", {count, sum, false}, count);
    forward.call("aten::neg.out", {count}, {out});
    forward.output(out);
    const ModelGraph graph = graphOf(*finished(builder));

    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1"));
    EXPECT_THAT(consumersOf(graph, "1"), Contains("2"));
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        for (const core::GraphValueId id : graph.nodes()[i].inputs) {
            const auto producer = graph.value(id).producer;
            EXPECT_TRUE(!producer || producer->value < i) << "nodes stand in an order in which they can run";
        }
    }
}

TEST(ProgramGraph, ANumberMayBeInputAndResult) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId index = forward.integer(0);
    forward.callFunction("executorch_prim::add.Scalar", {index, 1}, index);
    forward.callFunction("executorch_prim::mul.Scalar", {index, index}, index);
    forward.output(index);
    const ModelGraph graph = graphOf(*finished(builder));

    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1", "1"));
}

TEST(ProgramGraph, SeveralResultsAreNoArguments) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId in = forward.input(smallTensor);
    const ValueId max = forward.intermediate({.sizes = {}});
    const ValueId where = forward.intermediate({.dtype = core::ScalarType::Long, .sizes = {}});
    forward.call("aten::max.dim_max", {in, 0, false}, {max, where});
    forward.output(max);
    forward.output(where);
    const ModelGraph graph = graphOf(*finished(builder));

    EXPECT_EQ(graph.nodes()[0].inputs.size(), 1U);
    EXPECT_EQ(graph.nodes()[0].outputs.size(), 2U);
}

TEST(ProgramGraph, ViewsAreMergedWithTheirBase) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId in = forward.input(smallTensor);
    const ValueId sum = forward.intermediate(smallTensor);
    const ValueId view = forward.alias(sum, {.sizes = {2, 2}});
    const ValueId out = forward.intermediate({.sizes = {2, 2}});
    forward.call("aten::abs.out", {in}, {sum});
    forward.call("aten::neg.out", {view}, {out});
    forward.output(out);
    const ModelGraph graph = graphOf(*finished(builder));

    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1"));
}

TEST(ProgramGraph, BranchesAndLoopsAreGroups) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId choice = forward.input({.dtype = core::ScalarType::Bool, .sizes = {}});
    const ValueId in = forward.input(smallTensor);
    const ValueId result = forward.intermediate(smallTensor);
    const core::InstructionId toElse = forward.jumpFalse(choice);  // 0
    forward.call("aten::abs.out", {in}, {result});                 // 1
    const core::InstructionId toEnd = forward.jumpFalse(forward.boolean(false));
    forward.setDestination(toElse, forward.nextInstruction());
    const core::InstructionId turn = forward.call("aten::neg.out", {in}, {result});  // 3
    const core::InstructionId back = forward.jumpFalse(choice);
    forward.setDestination(back, turn);
    forward.setDestination(toEnd, forward.nextInstruction());
    forward.output(result);
    const ModelGraph graph = graphOf(*finished(builder));

    std::vector<std::string> names;
    for (const GraphNode& node : graph.nodes()) {
        names.push_back(node.group ? graph.group(*node.group).name : "");
    }
    EXPECT_THAT(names, ElementsAre("", "when v0", "when v0", "loop", "loop"));
    ASSERT_EQ(graph.groups().size(), 3U);
    EXPECT_EQ(graph.groups()[1].name, "when not v0");
    EXPECT_EQ(graph.groups()[2].parent, GraphGroupId(1));
}

TEST(ProgramGraph, ADelegateOpensToItsOwnGraph) {
    const TwoNodes backend;
    const std::array<const executor::Backend*, 1> backends{&backend};
    const ProgramPtr program = delegatedProgram();
    const ModelGraph graph = graphOf(*program, backends);

    EXPECT_THAT(kindsOf(graph), ElementsAre("aten::abs.out", "Clamp", "Square", "aten::neg.out"));
    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1.n0"));
    EXPECT_THAT(consumersOf(graph, "1.n1"), ElementsAre("2"));
    ASSERT_EQ(graph.groups().size(), 1U);
    EXPECT_EQ(graph.groups()[0].name, "TwoNodes 0");
    EXPECT_EQ(graph.groups()[0].kind, "delegate");
    EXPECT_EQ(graph.nodes()[1].group, GraphGroupId(0));
    EXPECT_EQ(graph.nodes()[1].instruction, core::InstructionId(1));
}

TEST(ProgramGraph, UnknownDelegateIsANodeWithAReason) {
    const ModelGraph graph = graphOf(*delegatedProgram());

    EXPECT_THAT(kindsOf(graph), ElementsAre("aten::abs.out", "TwoNodes", "aten::neg.out"));
    EXPECT_THAT(consumersOf(graph, "0"), ElementsAre("1"));
    EXPECT_THAT(consumersOf(graph, "1"), ElementsAre("2"));
    EXPECT_THAT(graph.nodes()[1].attributes,
                Contains(core::GraphAttribute{"inside", "unknown: this build does not support the format"}));
}

TEST(ProgramGraph, GivesTheInsideOfOneDelegate) {
    const TwoNodes backend;
    const std::array<const executor::Backend*, 1> backends{&backend};
    const ProgramPtr program = delegatedProgram();
    const inspector::ProgramGraphSources sources{
        .program = *program, .method = program->methods[0], .tensorData = {}, .backends = backends};

    const auto inside = inspector::delegateGraph(sources, program::DelegateId(0));
    ASSERT_TRUE(inside) << inside.error().toString();
    EXPECT_THAT(kindsOf(*inside), ElementsAre("Clamp", "Square"));
    const auto missing = inspector::delegateGraph(sources, program::DelegateId(1));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "method \"forward\" has no delegate 1: it has 1");
}

TEST(RecordGraph, LinksNodesByTheNamesOfTheirValues) {
    etrecord::ExportedGraph exported = edgeGraph({"aten.abs.default", "aten.neg.default"});
    const auto value = [](const char* name) {
        return etrecord::Argument{
            .name = "self", .kind = "as_tensor", .value = etrecord::ValueRef{.name = name}};
    };
    exported.inputs = {value("x")};
    exported.nodes[0].inputs = {value("x"), {.name = "dim", .kind = "as_int", .value = std::int64_t{1}}};
    exported.nodes[0].outputs = {value("a")};
    exported.nodes[1].inputs = {value("a")};
    exported.nodes[1].outputs = {value("b")};
    exported.outputs = {value("b")};
    etrecord::TensorMeta& meta = exported.tensors["a"];
    meta.scalarType = 6;
    meta.sizes = {{.value = 2, .expression = {}}, {.value = 5, .expression = "s0"}};
    const ModelGraph graph = inspector::recordGraph(exported, "forward");

    ASSERT_EQ(graph.values().size(), 3U);
    EXPECT_EQ(graph.values()[0].role, GraphValue::Role::Input);
    EXPECT_EQ(graph.values()[1].type, "float32 [2, s0]");
    EXPECT_EQ(graph.values()[1].bytes, 40U);
    EXPECT_EQ(graph.values()[1].producer, GraphNodeId(0));
    EXPECT_THAT(graph.values()[1].consumers, ElementsAre(GraphNodeId(1)));
    EXPECT_EQ(graph.values()[2].role, GraphValue::Role::Output);
    EXPECT_THAT(graph.nodes()[0].attributes, ElementsAre(core::GraphAttribute{"dim", "1"}));
}

TEST(RecordGraph, NestsModules) {
    const ModelGraph graph = inspector::recordGraph(moduleGraph(), "forward");
    std::vector<std::string> names;
    for (const core::GraphGroup& group : graph.groups()) {
        names.push_back(group.name);
    }
    EXPECT_THAT(names, ElementsAre("block", "0", "1", "head"));
    EXPECT_EQ(graph.groups()[1].parent, GraphGroupId(0));
    EXPECT_EQ(graph.groups()[2].parent, GraphGroupId(0));
    EXPECT_EQ(graph.groups()[1].attributes, (std::vector<core::GraphAttribute>{{"module", "block.0"}}));
    EXPECT_EQ(graph.nodes()[0].group, GraphGroupId(1));
    EXPECT_EQ(graph.nodes()[0].kind, "aten.add.Tensor");
    EXPECT_EQ(graph.nodes()[0].debugHandles, (std::vector{core::DebugHandle(1)}));
}

TEST(ProgramGraph, ARecordGivesItModules) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", moduleGraph());
    writer.setMaps("forward", plainMaps(3));
    const Record record = recordOf(writer);
    const ModelGraph graph = graphOf(*delegatedProgram(), {}, record.get());

    ASSERT_GE(graph.groups().size(), 3U);
    EXPECT_EQ(graph.group(*graph.nodes().front().group).name, "0");
    EXPECT_EQ(graph.group(*graph.nodes().back().group).name, "1");
    const auto delegate = std::ranges::find(graph.groups(), "delegate", &core::GraphGroup::kind);
    ASSERT_NE(delegate, graph.groups().end()) << "what cannot be described is as the record has it";
    EXPECT_EQ(graph.nodes()[1].instruction, core::InstructionId(1));
    EXPECT_TRUE(graph.nodes()[1].name.starts_with("1.")) << graph.nodes()[1].name;
    EXPECT_EQ(graph.nodes()[0].debugHandles, (std::vector{core::DebugHandle(1)}));
}

/// The graph of delegatedProgram() with a delegate of four nodes in the modules `names`, below the root.
ModelGraph delegatedIn(const std::vector<std::vector<std::string>>& names) {
    etrecord::ExportedGraph edges = edgeGraph({"aten.add.Tensor", "aten.mul.Tensor", "aten.sub.Tensor",
                                               "aten.neg.default", "aten.abs.default", "aten.exp.default"});
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto& stack = edges.nodes[i + 1].moduleStack;
        if (names[i] == std::vector<std::string>{"none"}) {  // as exporters place quantizers
            stack.push_back({.path = "L", .fqn = "", .type = "Wrapper"});
            continue;
        }
        stack.push_back({.path = "L__self__", .fqn = "", .type = "Net"});
        for (const std::string& name : names[i]) {
            stack.push_back({.path = "L__self__." + name, .fqn = name, .type = "Module"});
        }
    }
    etrecord::MethodMaps maps = plainMaps(3);
    maps.debugHandles.at(core::InstructionId(1)).handles.clear();
    for (std::int64_t handle = 2; handle < 6; ++handle) {
        maps.debugHandles.at(core::InstructionId(1)).handles.emplace_back(handle);
    }
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", edges);
    writer.setMaps("forward", maps);
    return graphOf(*delegatedProgram(), {}, recordOf(writer).get());
}

/// Name of the module around the delegate of a graph; "" for none.
std::string moduleOfDelegate(const ModelGraph& graph) {
    const auto delegate = std::ranges::find(graph.groups(), "delegate", &core::GraphGroup::kind);
    EXPECT_NE(delegate, graph.groups().end());
    const bool hasParent = delegate != graph.groups().end() && delegate->parent.has_value();
    return hasParent ? graph.group(*delegate->parent).attributes.front().text : std::string();
}

TEST(ProgramGraph, ADelegateIsInTheBlockThatContainsMostOfIt) {
    const std::vector<std::string> attention{"layers.1", "layers.1.attn"};
    EXPECT_EQ(
        moduleOfDelegate(delegatedIn({{"layers.0"}, attention, attention, {"layers.1", "layers.1.fc"}})),
        "layers.1")
        << "it starts with the end of the previous block";
    EXPECT_EQ(moduleOfDelegate(delegatedIn({{}, attention, attention, attention})), "layers.1.attn");
    EXPECT_EQ(moduleOfDelegate(delegatedIn({{"none"}, {"none"}, attention, {"layers.1", "layers.1.fc"}})),
              "layers.1");
    EXPECT_EQ(moduleOfDelegate(delegatedIn({{"none"}, {"layers.0"}, attention, attention})), "layers.1.attn");
    EXPECT_EQ(moduleOfDelegate(delegatedIn({{"head"}, attention, attention, attention})), "")
        << "part of it is in no block";
    EXPECT_EQ(moduleOfDelegate(delegatedIn({{"net.0"}, {"net.1"}, {"net.1"}, {"net.1"}})), "")
        << "parts of a block are no blocks";
}

TEST(ProgramGraph, InstructionsThatPassesAddedAreInTheModuleAroundThem) {
    etrecord::MethodMaps maps = plainMaps(3);
    maps.debugHandles.erase(core::InstructionId(1));
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", moduleGraph());
    writer.setMaps("forward", maps);
    const Record record = recordOf(writer);
    const ModelGraph graph = graphOf(*delegatedProgram(), {}, record.get());

    ASSERT_EQ(graph.nodes().size(), 3U);
    ASSERT_TRUE(graph.nodes()[1].group);
    EXPECT_EQ(graph.group(*graph.nodes()[1].group).name, "block") << "common to block.0 and block.1";
}

}  // namespace
}  // namespace et::test

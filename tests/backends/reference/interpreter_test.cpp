// Tests of hand-made graphs: which ones run, and which ones return an error instead of crashing.

#include "backends/reference/interpreter.h"

#include "runtime/kernels/builtin.h"
#include "tests/backends/reference/graph_builder.h"

#include <gmock/gmock.h>

#include <array>

namespace et::test {
namespace {

using backends::reference::Interpreter;
using backends::reference::InterpreterOptions;
using backends::reference::NodeObserver;
using backends::reference::Precision;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto edge = [](const char* op) { return std::string("executorch.exir.dialects.edge.ops.") + op; };
constexpr auto aten = [](const char* op) { return std::string("torch.ops.") + op; };

ReferenceValue floats(std::vector<float> numbers, std::vector<std::int64_t> sizes) {
    auto kept = std::make_shared<std::vector<float>>(std::move(numbers));
    return {ReferenceTensor{.view = core::Tensor::over(kept->data(), sizes), .owner = kept}};
}

std::vector<float> numbersOf(const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr || tensor->view.dtype() != core::ScalarType::Float) {
        ADD_FAILURE() << "no float32 tensor";
        return {};
    }
    const auto* first = tensor->view.data<float>();
    return {first, first + tensor->view.numel()};
}

class InterpreterTest : public testing::Test {
  protected:
    core::Result<std::unique_ptr<Interpreter>> load(const GraphBuilder& graph) {
        record = graph.record();
        return Interpreter::edge(*record, "forward", options);
    }
    /// Loads and runs the graph; returns its only output.
    core::Result<ReferenceValue> run(const GraphBuilder& graph, std::vector<ReferenceValue> inputs) {
        ET_ASSIGN(interpreter, load(graph));
        ET_ASSIGN(auto outputs, interpreter->run(inputs));
        return outputs.empty() ? ReferenceValue{} : outputs.front();
    }
    std::string errorOf(const core::Result<ReferenceValue>& result) {
        return result ? std::string() : result.error().toString();
    }

    kernels::ThreadPool threads;
    InterpreterOptions options{.kernels = kernels::builtin(), .threads = threads};
    std::shared_ptr<const etrecord::Record> record;
    std::unique_ptr<Interpreter> interpreter;
};

GraphBuilder sumGraph() {
    GraphBuilder graph;
    graph.input("x", {2}).input("y", {2});
    graph.node("sum", edge("aten.add.Tensor"), {tensorArgument("self", "x"), tensorArgument("other", "y")});
    graph.node("twice", edge("aten.mul.Tensor"), {tensorArgument("self", "sum"), floatArgument("other", 2)});
    graph.output("twice");
    return graph;
}

TEST_F(InterpreterTest, RunsNodesInOrder) {
    const auto result = run(sumGraph(), {floats({1, 2}, {2}), floats({10, 20}, {2})});
    ASSERT_TRUE(result) << errorOf(result);
    EXPECT_THAT(numbersOf(*result), ElementsAre(22, 44));
}

TEST_F(InterpreterTest, ObserversSeeEveryNode) {
    ASSERT_TRUE(load(sumGraph()).transform([&](auto made) { interpreter = std::move(made); }));
    std::vector<std::string> seen;
    const NodeObserver observer = [&](const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                                      std::span<const ReferenceValue> outputs) -> core::Result<> {
        EXPECT_EQ(outputs.size(), 1U);
        seen.push_back(graph.nodes[node].name);
        return {};
    };
    ASSERT_TRUE(interpreter->run(std::array{floats({1, 2}, {2}), floats({3, 4}, {2})}, observer));
    EXPECT_THAT(seen, ElementsAre("sum", "twice"));
}

TEST_F(InterpreterTest, ReplaysSomeNodesOnGivenValues) {
    ASSERT_TRUE(load(sumGraph()).transform([&](auto made) { interpreter = std::move(made); }));
    const std::array<etrecord::NodeIndex, 1> second{1};
    const auto made = interpreter->replay(second, {{"sum", floats({5, 6}, {2})}});
    ASSERT_TRUE(made) << made.error().toString();
    EXPECT_THAT(numbersOf(made->at("twice")), ElementsAre(10, 12));
    const auto missing = interpreter->replay(second, {});
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().toString(), HasSubstr("no value \"sum\""));
}

TEST_F(InterpreterTest, ComputesInDoubleWhereAsked) {
    options.precision = Precision::Double;
    const auto result = run(sumGraph(), {floats({1, 2}, {2}), floats({1e-9F, 0}, {2})});
    ASSERT_TRUE(result) << errorOf(result);
    const auto* tensor = result->as<ReferenceTensor>();
    ASSERT_NE(tensor, nullptr);
    ASSERT_EQ(tensor->view.dtype(), core::ScalarType::Double);
    EXPECT_GT(*tensor->view.data<double>(), 2.0);
}

TEST_F(InterpreterTest, WritesThroughViews) {
    GraphBuilder graph;
    graph.input("x", {2, 3});
    graph.node("row", aten("aten.select.int"),
               {tensorArgument("self", "x"), intArgument("dim", 0), intArgument("index", 1)});
    graph.node("part", aten("aten.slice.Tensor"),
               {tensorArgument("self", "row"), intArgument("dim", 0), intArgument("start", 1),
                intArgument("end", 3)});
    graph.node("added", aten("aten.add_.Tensor"),
               {tensorArgument("self", "part"), floatArgument("other", 10)});
    graph.node("all", aten("aten.mul.Tensor"), {tensorArgument("self", "x"), floatArgument("other", 1)});
    graph.output("all").output("row");
    const auto result = run(graph, {floats({1, 2, 3, 4, 5, 6}, {2, 3})});
    ASSERT_TRUE(result) << errorOf(result);
    EXPECT_THAT(numbersOf(*result), ElementsAre(1, 2, 3, 4, 15, 16));
    const auto outputs = interpreter->run(std::array{floats({1, 2, 3, 4, 5, 6}, {2, 3})});
    ASSERT_TRUE(outputs);
    EXPECT_THAT(numbersOf((*outputs)[1]), ElementsAre(4, 15, 16));
}

etrecord::ExportedGraph doubling() {
    GraphBuilder body;
    body.input("v", {});
    body.node("double", edge("aten.mul.Tensor"), {tensorArgument("self", "v"), floatArgument("other", 2)});
    body.output("double");
    return body.graph();
}

TEST_F(InterpreterTest, WalksAlongTheRowsOfAMap) {
    GraphBuilder graph;
    graph.input("x", {3});
    graph.node("mapped", aten("higher_order.map_impl"),
               {graphArgument(doubling()), tensorsArgument("", {"x"}), tensorsArgument("", {})});
    graph.output("mapped");
    const auto result = run(graph, {floats({1, 2, 3}, {3})});
    ASSERT_TRUE(result) << errorOf(result);
    EXPECT_THAT(numbersOf(*result), ElementsAre(2, 4, 6));
}

TEST_F(InterpreterTest, RunsAWhileLoop) {
    GraphBuilder condition;
    condition.input("v", {});
    condition.node("small", edge("aten.lt.Scalar"),
                   {tensorArgument("self", "v"), floatArgument("other", 100)});
    condition.tensor("small", {}, 11).output("small");
    GraphBuilder graph;
    graph.input("x", {});
    graph.node("loop", aten("higher_order.while_loop"),
               {graphArgument(condition.graph()), graphArgument(doubling()), tensorsArgument("", {"x"}),
                tensorsArgument("", {})});
    graph.output("loop");
    const auto result = run(graph, {floats({3}, {})});
    ASSERT_TRUE(result) << errorOf(result);
    EXPECT_THAT(numbersOf(*result), ElementsAre(192));
}

TEST_F(InterpreterTest, ALoopThatDoesNotEndIsCancelled) {
    GraphBuilder condition;
    condition.input("v", {});
    condition.node("always", edge("aten.eq.Tensor"),
                   {tensorArgument("self", "v"), tensorArgument("other", "v")});
    condition.tensor("always", {}, 11).output("always");
    GraphBuilder graph;
    graph.input("x", {});
    graph.node("loop", aten("higher_order.while_loop"),
               {graphArgument(condition.graph()), graphArgument(doubling()), tensorsArgument("", {"x"}),
                tensorsArgument("", {})});
    graph.output("loop");
    std::atomic<bool> cancel = false;
    options.cancel = &cancel;
    ASSERT_TRUE(load(graph).transform([&](auto made) { interpreter = std::move(made); }));
    std::size_t seen = 0;
    const auto stopped = interpreter->run(std::array{floats({0}, {})},
                                          [&](const etrecord::ExportedGraph&, etrecord::NodeIndex,
                                              std::span<const ReferenceValue>) -> core::Result<> {
                                              cancel = ++seen > 50;
                                              return {};
                                          });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::ErrorCode::Cancelled);
}

TEST_F(InterpreterTest, ALoopWithoutOperatorsEnds) {
    GraphBuilder condition;
    condition.input("v", {}).tensor("always", {}, 11);
    condition.graph().outputs.push_back(etrecord::Argument{.name = {}, .kind = "as_bool", .value = true});
    GraphBuilder body;
    body.input("v", {}).output("v");
    GraphBuilder graph;
    graph.input("x", {});
    graph.node("loop", aten("higher_order.while_loop"),
               {graphArgument(condition.graph()), graphArgument(body.graph()), tensorsArgument("", {"x"}),
                tensorsArgument("", {})});
    graph.output("loop");
    options.steps = 1000;
    const auto stopped = run(graph, {floats({0}, {})});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::ErrorCode::Limit);
}

TEST_F(InterpreterTest, ErrorNamesUnsupportedOperator) {
    GraphBuilder graph = sumGraph();
    graph.graph().nodes[1].target = "torch.ops.mine.strange.default";
    graph.graph().nodes[1].op = "strange.default";
    const auto failed = load(graph);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, core::ErrorCode::Unsupported);
    EXPECT_THAT(failed.error().toString(),
                HasSubstr("node twice (strange.default): no operator here computes it"));
}

TEST_F(InterpreterTest, HostileGraphsGiveAOneLineError) {
    const auto damaged = [](auto&& change) {
        GraphBuilder graph = sumGraph();
        change(graph.graph());
        return graph;
    };
    const std::vector<std::pair<GraphBuilder, std::string>> cases{
        {damaged([](auto& graph) { graph.nodes[0].inputs[0] = tensorArgument("self", "twice"); }),
         "no input or earlier node produces the value \"twice\""},
        {damaged([](auto& graph) { graph.nodes[0].inputs[0] = tensorArgument("self", "nobody"); }), "nobody"},
        {damaged([](auto& graph) { graph.nodes[0].outputs[0] = tensorArgument("", "x"); }),
         "two nodes produce"},
        {damaged([](auto& graph) { graph.nodes[0].inputs.pop_back(); }), "\"other\" is missing"},
        {damaged([](auto& graph) { graph.nodes[0].inputs[1].name = "strange"; }), "\"strange\" is not known"},
        {damaged([](auto& graph) { graph.nodes[0].inputs[0] = intArgument("self", 3); }), "expected Tensor"},
        {damaged([](auto& graph) { graph.nodes[0].inputs[0] = intsArgument("self", {1, 2}); }), "expected"},
        {damaged([](auto& graph) { graph.tensors["sum"].scalarType = 3; }), "node sum"},
        {damaged([](auto& graph) {
             graph.nodes[0].target = "torch.ops.aten.expand.default";
             graph.nodes[0].inputs[1] = intsArgument("size", {std::int64_t{1} << 40, 2});
         }),
         "node sum"},
        {damaged([](auto& graph) {
             graph.nodes[0].target = "torch.ops.aten.full.default";
             graph.nodes[0].inputs = {intsArgument("size", {std::int64_t{1} << 62, std::int64_t{1} << 62}),
                                      floatArgument("fill_value", 1)};
         }),
         "node sum"},
        {damaged([](auto& graph) { graph.nodes[0].target = "torch.ops.higher_order.map_impl"; }), "subgraph"},
        {damaged([](auto& graph) { graph.outputs[0] = tensorArgument("", "nobody"); }), "nobody"},
    };
    for (const auto& [graph, expected] : cases) {
        const std::string error = errorOf(run(graph, {floats({1, 2}, {2}), floats({3, 4}, {2})}));
        EXPECT_THAT(error, HasSubstr(expected));
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

TEST_F(InterpreterTest, InputsMustFit) {
    EXPECT_THAT(errorOf(run(sumGraph(), {floats({1, 2}, {2})})), HasSubstr("takes 2 inputs, got 1"));
    EXPECT_THAT(errorOf(run(sumGraph(), {floats({1, 2}, {1, 2}), floats({1, 2}, {2})})),
                HasSubstr("input 0 (\"x\"): expected float32 [2], got float32 [1, 2]"));
    EXPECT_THAT(errorOf(run(sumGraph(), {floats({1, 2, 3}, {3}), floats({1, 2}, {2})})),
                HasSubstr("node sum (aten.add.Tensor)"));
    EXPECT_THAT(errorOf(run(sumGraph(), {floats({1, 2}, {2}), ReferenceValue{std::int64_t{1}}})),
                HasSubstr("input 1 (\"y\"): expected a tensor, got an int"));
}

TEST_F(InterpreterTest, ValuesStayWithinTheirMemory) {
    options.memoryBytes = 1000;
    GraphBuilder graph;
    graph.input("x", {1});
    graph.node("wide", edge("aten.expand_copy.default"),
               {tensorArgument("self", "x"), intsArgument("size", {300})});
    graph.output("wide");
    const auto failed = run(graph, {floats({1}, {1})});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, core::ErrorCode::Limit);
}

}  // namespace
}  // namespace et::test

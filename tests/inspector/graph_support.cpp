#include "tests/inspector/graph_support.h"

#include "tests/inspector/join_support.h"
#include "tests/support/parse_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace et::test {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using core::GraphValue;
using core::ModelGraph;
using program::ValueId;

ProgramPtr finished(ProgramBuilder& builder) {
    auto bytes = builder.finish();
    EXPECT_TRUE(bytes) << bytes.error().toString();
    auto parsed = parseBytes<program::Program>(std::move(*bytes));
    EXPECT_TRUE(parsed) << parsed.error().toString();
    return parsed ? *parsed : nullptr;
}

ModelGraph graphOf(const program::Program& program, std::span<const executor::Backend* const> backends,
                   const etrecord::Record* record) {
    auto graph = inspector::programGraph({.program = program,
                                          .method = program.methods[0],
                                          .tensorData = {},
                                          .backends = backends,
                                          .record = record});
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? std::move(*graph) : ModelGraph{};
}

core::Result<std::unique_ptr<executor::LoadedDelegate>> TwoNodes::load(
    const executor::DelegateSource& /*source*/) const {
    return core::fail(core::ErrorCode::Unsupported, "it only tells");
}

core::Result<ModelGraph> TwoNodes::describe(const program::Delegate& /*delegate*/,
                                            const executor::NamedDataSource& /*namedData*/) const {
    ModelGraph graph;
    const auto in = graph.addValue({.name = "x", .type = "float32 [4]", .role = GraphValue::Role::Input});
    const auto middle = graph.addValue({.name = "m", .type = "float32 [4]"});
    const auto out = graph.addValue({.name = "y", .type = "float32 [4]", .role = GraphValue::Role::Output});
    graph.addNode({.name = "n0", .kind = "Clamp", .inputs = {in}, .outputs = {middle}});
    graph.addNode({.name = "n1", .kind = "Square", .inputs = {middle}, .outputs = {out}});
    return graph;
}

ProgramPtr delegatedProgram() {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId in = forward.input(smallTensor);
    const ValueId one = forward.intermediate(smallTensor);
    const ValueId two = forward.intermediate(smallTensor);
    const ValueId out = forward.intermediate(smallTensor);
    const std::array<std::byte, 4> payload{};
    forward.call("aten::abs.out", {in}, {one});
    forward.callDelegate(forward.delegate("TwoNodes", payload), {one, two});
    forward.call("aten::neg.out", {two}, {out});
    forward.output(out);
    return finished(builder);
}

etrecord::ExportedGraph moduleGraph() {
    etrecord::ExportedGraph graph =
        edgeGraph({"aten.add.Tensor", "aten.mul.Tensor", "aten.sub.Tensor", "aten.neg.default"});
    const etrecord::ModuleFrame root{.path = "L__self__", .fqn = "", .type = "Net"};
    const etrecord::ModuleFrame block{.path = "L__self___block", .fqn = "block", .type = "Sequential"};
    const auto part = [](std::string number) {
        return etrecord::ModuleFrame{.path = "block_" + number, .fqn = "block." + number, .type = "Conv"};
    };
    graph.nodes[0].moduleStack = {root, block, part("0")};
    graph.nodes[1].moduleStack = {root, block, part("0")};
    graph.nodes[2].moduleStack = {root, block, part("1")};
    graph.nodes[3].moduleStack = {root, {.path = "head", .fqn = "head", .type = "Linear"}};
    return graph;
}

}  // namespace et::test

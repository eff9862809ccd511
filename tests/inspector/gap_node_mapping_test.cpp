#include "inspector/numeric_gap/node_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using core::DebugHandle;

/// Builds a graph of values with 8 elements.
class GraphMaker {
  public:
    GraphMaker& add(const std::string& op, std::int64_t handle, std::vector<std::string> inputs,
                    const std::string& output, std::int64_t elements = 8) {
        etrecord::Node node;
        node.name = "node_" + output;
        node.target = op;
        node.op = op;
        for (const std::string& each : inputs) {
            node.inputs.push_back({.name = "x", .kind = "as_tensor", .value = etrecord::ValueRef{each}});
        }
        node.outputs.push_back({.name = "", .kind = "as_tensor", .value = etrecord::ValueRef{output}});
        node.debugHandles.emplace_back(handle);
        graph.nodes.push_back(std::move(node));
        graph.tensors[output].sizes.push_back({.value = elements, .expression = {}});
        return *this;
    }
    GraphMaker& quantizes(double scale, std::int64_t zero) {
        graph.nodes.back().inputs.push_back({.name = "scale", .kind = "as_float", .value = scale});
        graph.nodes.back().inputs.push_back({.name = "zero_point", .kind = "as_int", .value = zero});
        return *this;
    }
    const etrecord::ExportedGraph& done() {
        graph.indexHandles();
        return graph;
    }

  private:
    etrecord::ExportedGraph graph;
};

std::vector<std::optional<MappedValue>> map(
    const etrecord::ExportedGraph& graph, std::vector<DelegateNode> nodes,
    std::initializer_list<std::int64_t> region, std::initializer_list<std::int64_t> shared = {},
    const ValueDistance& distance = [](std::size_t, std::string_view) { return 0.0; }) {
    DelegateRegion all;
    for (const std::int64_t each : region) {
        all.handles.insert(DebugHandle(each));
    }
    for (const std::int64_t each : shared) {
        all.shared.insert(DebugHandle(each));
    }
    std::set<etrecord::NodeIndex> taken;
    return mapDelegateNodes(GraphWalk(graph), nodes, all, distance, taken);
}

DelegateNode node(std::int64_t handle, bool quantized = false, bool converts = false,
                  std::int64_t elements = 8) {
    return {.handle = DebugHandle(handle),
            .isQuantized = quantized,
            .isConversion = converts,
            .elements = elements};
}

TEST(NodeMapping, AFusedActivationIsPartOfItsOperator) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.convolution.default", 1, {"x"}, "conv")
                            .add("aten.relu.default", 2, {"conv"}, "relu")
                            .add("aten.view_copy.default", 3, {"relu"}, "view")
                            .done();
    const auto places = map(graph, {node(1), node(3)}, {1, 2, 3});
    ASSERT_TRUE(places[0] && places[1]);
    EXPECT_EQ(places[0]->value, "relu");
    EXPECT_EQ(places[0]->nodes, (std::vector<etrecord::NodeIndex>{0, 1}));
    EXPECT_EQ(places[1]->value, "view");
}

TEST(NodeMapping, AnActivationWithAnOperatorOfItsOwnIsNot) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.convolution.default", 1, {"x"}, "conv")
                            .add("aten.relu.default", 2, {"conv"}, "relu")
                            .done();
    const auto places = map(graph, {node(1), node(2)}, {1, 2});
    EXPECT_EQ(places[0]->value, "conv");
    EXPECT_EQ(places[1]->value, "relu");
}

TEST(NodeMapping, ValuesReadElsewhereAreNotFused) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.convolution.default", 1, {"x"}, "conv")
                            .add("aten.relu.default", 2, {"conv"}, "relu")
                            .add("aten.neg.default", 9, {"conv"}, "neg")
                            .done();
    EXPECT_EQ(map(graph, {node(1)}, {1, 2})[0]->value, "conv");
}

TEST(NodeMapping, MapsQuantizedResultToItsQuantizer) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.convolution.default", 4, {"x"}, "conv")
                            .add("aten.relu.default", 5, {"conv"}, "relu")
                            .add("quantized_decomposed.quantize_per_tensor.default", 5, {"relu"}, "q")
                            .quantizes(0.5, -3)
                            .add("quantized_decomposed.dequantize_per_tensor.default", 5, {"q"}, "d1")
                            .add("quantized_decomposed.dequantize_per_tensor.default", 5, {"q"}, "d2")
                            .done();
    const auto place = map(graph, {node(4, true)}, {4, 5})[0];
    ASSERT_TRUE(place);
    EXPECT_EQ(place->value, "q");
    EXPECT_EQ(place->dequantized, (std::vector<std::string>{"d1", "d2"}));
    EXPECT_EQ(place->quantization, (QuantizationParameters{.scale = 0.5, .zeroPoint = -3}));
}

TEST(NodeMapping, ConversionsGoWithTheNodesThatConvert) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.linear.default", 7, {"x"}, "linear")
                            .add("quantized_decomposed.quantize_per_tensor.default", 7, {"linear"}, "q")
                            .quantizes(0.5, 0)
                            .add("quantized_decomposed.dequantize_per_tensor.default", 7, {"q"}, "d")
                            .done();
    const auto places = map(graph, {node(7, true), node(7, false, true)}, {7});
    EXPECT_EQ(places[0]->value, "q");
    EXPECT_EQ(places[1]->value, "d");
}

TEST(NodeMapping, SeveralOperatorsOfOneHandleKeepTheirOrder) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.sigmoid.default", 12, {"x"}, "sigmoid")
                            .add("aten.mul.Tensor", 12, {"x", "sigmoid"}, "mul")
                            .done();
    const auto places = map(graph, {node(12), node(12)}, {12});
    EXPECT_EQ(places[0]->value, "sigmoid");
    EXPECT_EQ(places[1]->value, "mul");
    EXPECT_EQ(map(graph, {node(12)}, {12})[0]->value, "mul") << "lowering merged both";
}

TEST(NodeMapping, AValueThatGoesOnAsAnotherShapeIsNotTheOperators) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.mm.default", 1, {"x"}, "mm")
                            .add("aten.slice_copy.Tensor", 2, {"mm"}, "slice", 4)
                            .done();
    EXPECT_EQ(map(graph, {node(1)}, {1, 2})[0]->value, "mm");
}

TEST(NodeMapping, ASharedHandleGoesByTheNearestValue) {
    GraphMaker maker;
    const auto& graph =
        maker.add("aten.mul.Scalar", 19, {"x"}, "first").add("aten.mul.Scalar", 19, {"x"}, "second").done();
    const auto distance = [](std::size_t, std::string_view value) { return value == "second" ? 0.1 : 0.9; };
    EXPECT_EQ(map(graph, {node(19)}, {19}, {19}, distance)[0]->value, "second");
    const auto unknown = [](std::size_t, std::string_view) {
        return std::numeric_limits<double>::infinity();
    };
    EXPECT_FALSE(map(graph, {node(19)}, {19}, {19}, unknown)[0]);
}

TEST(NodeMapping, LayoutOperatorsAreUnmapped) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.mm.default", 1, {"x"}, "mm").done();
    EXPECT_FALSE(map(graph, {{.handle = {}, .elements = 8}}, {1})[0]);
}

DelegateNode node(const char* kind, std::int64_t handle, std::vector<std::int64_t> sizes) {
    return {.handle = DebugHandle(handle), .kind = kind, .elements = 8, .sizes = std::move(sizes)};
}

/// Values that are close to those of the listed names.
ValueDistance closeTo(std::vector<std::string> names) {
    return [names = std::move(names)](std::size_t at, std::string_view value) {
        return at < names.size() && names[at] == value ? 1e-6 : 1.5;
    };
}

/// Pixel shuffle is a view, a permutation, a copy and a view; the delegate needs no copy.
TEST(NodeMapping, KindsDistinguishNodesOfOneHandle) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.view_copy.default", 2, {"x"}, "split")
                            .add("aten.permute_copy.default", 2, {"split"}, "turned")
                            .add("dim_order_ops._clone_dim_order.default", 2, {"turned"}, "copied")
                            .add("aten.view_copy.default", 2, {"copied"}, "joined")
                            .done();
    const std::vector nodes{node("XNNStaticReshape", 2, {}), node("XNNStaticTranspose", 2, {}),
                            node("XNNStaticReshape", 2, {})};
    const auto unknown = [](std::size_t, std::string_view) { return 1.5; };
    for (const ValueDistance& distance : {closeTo({"split", "turned", "joined"}), ValueDistance(unknown)}) {
        const auto places = map(graph, nodes, {2}, {}, distance);
        ASSERT_TRUE(places[0] && places[1] && places[2]);
        EXPECT_EQ(places[0]->value, "split");
        EXPECT_THAT(places[1]->value, testing::AnyOf("turned", "copied")) << "which are equal";
        EXPECT_EQ(places[2]->value, "joined");
    }
}

TEST(NodeMapping, ValuesDistinguishBranchesOfOneHandle) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.view_copy.default", 4, {"q"}, "queries")
                            .add("aten.view_copy.default", 4, {"k"}, "keys")
                            .done();
    const std::vector nodes{node("XNNStaticReshape", 4, {8}), node("XNNStaticReshape", 4, {8})};
    const auto places = map(graph, nodes, {4}, {}, closeTo({"keys", "queries"}));
    EXPECT_EQ(places[0]->value, "keys");
    EXPECT_EQ(places[1]->value, "queries");
}

TEST(NodeMapping, AWrongValueDoesNotTakeAnothersNode) {
    GraphMaker maker;
    const auto& graph =
        maker.add("aten.mul.Tensor", 4, {"x"}, "first").add("aten.mul.Tensor", 4, {"first"}, "second").done();
    const std::vector nodes{node("XNNMultiply", 4, {8}), node("XNNMultiply", 4, {8})};
    const auto places = map(graph, nodes, {4}, {}, closeTo({"none", "second"}));
    ASSERT_TRUE(places[0] && places[1]);
    EXPECT_EQ(places[0]->value, "first");
    EXPECT_EQ(places[1]->value, "second");
}

TEST(NodeMapping, EquallyLikelyNodesAreNotAssigned) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.mul.Tensor", 4, {"x"}, "first")
                            .add("aten.mul.Tensor", 4, {"y"}, "second")
                            .add("aten.mul.Tensor", 4, {"z"}, "third")
                            .done();
    const std::vector nodes{node("XNNMultiply", 4, {8}), node("XNNMultiply", 4, {8})};
    const auto places = map(graph, nodes, {4}, {}, closeTo({}));
    EXPECT_FALSE(places[0]);
    ASSERT_TRUE(places[1]) << "lowering keeps the last result";
    EXPECT_EQ(places[1]->value, "third");
}

TEST(NodeMapping, QuantizedResultsIncludeActivationsThatAnotherDelegateReads) {
    GraphMaker maker;
    const auto& graph = maker.add("aten.linear.default", 8, {"x"}, "linear")
                            .add("aten.relu.default", 9, {"linear"}, "relu")
                            .add("quantized_decomposed.quantize_per_tensor.default", 9, {"relu"}, "q")
                            .quantizes(0.5, 0)
                            .add("quantized_decomposed.dequantize_per_tensor.default", 9, {"q"}, "d")
                            .done();
    const auto places = map(graph, {node(8, true), node(9, false, true)}, {8, 9}, {9});
    ASSERT_TRUE(places[0] && places[1]);
    EXPECT_EQ(places[0]->value, "q");
    EXPECT_EQ(places[1]->value, "d");
}

}  // namespace
}  // namespace et::inspector

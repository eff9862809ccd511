// Tests of values computed from constants, and of parts that read them.
#include "backends/lowering/computed_constants.h"

#include "backends/xnnpack/lower/partitioner.h"
#include "runtime/kernels/builtin.h"
#include "tests/backends/reference/graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace et::backends::lowering {
namespace {

using reference::ReferenceTensor;
using test::GraphBuilder;
using test::intArgument;
using test::intsArgument;
using test::tensorArgument;
using testing::ElementsAre;
using testing::IsEmpty;

std::string edge(const char* op) {
    return std::string("executorch.exir.dialects.edge.ops.") + op;
}

/// A graph with constants.
class ConstantGraph : public testing::Test {
  protected:
    void constant(const std::string& name, std::vector<std::int64_t> sizes, std::vector<float> numbers) {
        auto kept = std::make_shared<std::vector<float>>(std::move(numbers));
        tensors.emplace(name,
                        ReferenceTensor{.view = core::Tensor::over(kept->data(), sizes), .owner = kept});
        builder.input(name, std::move(sizes));
        auto& spec = builder.graph().inputSpecs.back();
        spec.kind = "parameter";
        spec.target = name;
    }
    void node(const std::string& name, const char* op, std::vector<etrecord::Argument> inputs,
              std::vector<std::int64_t> sizes, core::ScalarType dtype = core::ScalarType::Float) {
        builder.node(name, edge(op), std::move(inputs));
        builder.tensor(name, std::move(sizes), static_cast<std::int8_t>(std::to_underlying(dtype)));
    }
    EdgeMethod method() {
        for (auto& [name, meta] : builder.graph().tensors) {  // row-major
            std::int64_t stride = 1;
            for (std::size_t i = meta.sizes.size(); i-- > 0;) {
                meta.strides[i].value = stride;
                stride *= meta.sizes[i].value;
            }
        }
        return EdgeMethod::of(
                   "forward", builder.graph(),
                   [this](std::string_view target) -> core::Result<std::optional<ReferenceTensor>> {
                       const auto found = tensors.find(target);
                       return found == tensors.end() ? std::nullopt : std::optional(found->second);
                   })
            .value();
    }
    PartitionedMethod partition() {
        EdgeMethod edgeMethod = method();
        auto made =
            xnnpack::makePartitioner(kernels::builtin())(edgeMethod, [](NodeIndex) { return true; }, weights);
        EXPECT_TRUE(made) << made.error().toString();
        return made ? *std::move(made) : PartitionedMethod();
    }
    static std::vector<std::string> rulesOf(const PartitionedMethod& of) {
        std::vector<std::string> rules;
        for (const NodeDecision& decision : of.decisions) {
            if (!decision.rule.empty()) {
                rules.push_back(decision.rule);
            }
        }
        return rules;
    }

    GraphBuilder builder;
    std::map<std::string, ReferenceTensor, std::less<>> tensors;
    WeightStore weights;
};

TEST_F(ConstantGraph, PlainNumbersInListsAreNotValues) {
    builder.input("x", {1, 2, 4, 4});
    node("pooled", "aten.max_pool2d.default",
         {tensorArgument("self", "x"), intsArgument("kernel_size", {2, 2}), intsArgument("stride", {2, 2})},
         {1, 2, 2, 2});
    builder.output("pooled");
    EXPECT_THAT(method().users(""), IsEmpty());
    EXPECT_FALSE(method().producer(""));
    const PartitionedMethod made = partition();
    EXPECT_THAT(rulesOf(made), IsEmpty());
    EXPECT_EQ(made.parts.size(), 1U);
}

TEST_F(ConstantGraph, AreComputedFromConstantsAlone) {
    constant("v", {2, 2}, {3, 4, 0, 2});
    constant("g", {2, 1}, {10, 1});
    builder.input("x", {2, 2});
    node("weight", "aten._weight_norm.default",
         {tensorArgument("v", "v"), tensorArgument("g", "g"), intArgument("dim", 0)}, {2, 2});
    node("negative", "aten.neg.default", {tensorArgument("self", "weight")}, {2, 2});
    node("wide", "aten.repeat.default", {tensorArgument("self", "v"), intsArgument("repeats", {3, 1})},
         {6, 2});
    node("random", "aten.rand_like.default", {tensorArgument("self", "v")}, {2, 2});
    node("sum", "aten.add.Tensor", {tensorArgument("self", "x"), tensorArgument("other", "negative")},
         {2, 2});
    builder.output("sum");
    EdgeMethod edgeMethod = method();
    ComputedConstants computed(edgeMethod, kernels::builtin());
    std::vector<bool> small;
    for (NodeIndex i = 0; i < builder.graph().nodes.size(); ++i) {
        small.push_back(computed.isSmall(i));
    }
    EXPECT_THAT(small, ElementsAre(true, true, false, false, false));
    EXPECT_TRUE(computed.isComputable(2));
    EXPECT_FALSE(computed.isComputable(3));
    const auto values = computed.compute(1);
    ASSERT_TRUE(values) << values.error().toString();
    const core::Tensor& made = values->at("negative").as<ReferenceTensor>()->view;
    EXPECT_THAT(std::vector<float>(made.data<float>(), made.data<float>() + made.numel()),
                ElementsAre(-6, -8, 0, -1));
}

TEST_F(ConstantGraph, NumbersAreArgumentsWithoutDimensions) {
    constant("number", {}, {2});
    builder.input("x", {2, 3});
    node("converted", "aten.neg.default", {tensorArgument("self", "number")}, {});
    node("product", "aten.mul.Tensor", {tensorArgument("self", "x"), tensorArgument("other", "converted")},
         {2, 3});
    builder.output("product");
    const PartitionedMethod made = partition();
    EXPECT_THAT(rulesOf(made), IsEmpty());
    ASSERT_EQ(made.parts.size(), 1U);
    ASSERT_EQ(made.parts[0].constants.size(), 1U);
    EXPECT_THAT(made.parts[0].constants[0].sizes, IsEmpty());
    EXPECT_THAT(made.parts[0].inputs, ElementsAre("x"));
}

TEST_F(ConstantGraph, DecomposedPreluIsOneNode) {
    constant("slopes", {1, 2, 1, 1}, {0.5F, 0.25F});
    builder.input("x", {1, 2, 4, 4});
    node("above", "aten.gt.Scalar", {tensorArgument("self", "x"), intArgument("other", 0)}, {1, 2, 4, 4},
         core::ScalarType::Bool);
    node("below", "aten.mul.Tensor", {tensorArgument("self", "slopes"), tensorArgument("other", "x")},
         {1, 2, 4, 4});
    node(
        "chosen", "aten.where.self",
        {tensorArgument("condition", "above"), tensorArgument("self", "x"), tensorArgument("other", "below")},
        {1, 2, 4, 4});
    builder.output("chosen");
    const PartitionedMethod made = partition();
    EXPECT_THAT(rulesOf(made), IsEmpty());
    ASSERT_EQ(made.parts.size(), 1U);
    EXPECT_THAT(made.parts[0].nodes, ElementsAre(0U, 1U, 2U));
    EXPECT_THAT(made.parts[0].outputs, ElementsAre("chosen"));
    builder.output("below");  // then the product is needed by itself
    EXPECT_EQ(rulesOf(partition()).size(), 2U);
}

}  // namespace
}  // namespace et::backends::lowering

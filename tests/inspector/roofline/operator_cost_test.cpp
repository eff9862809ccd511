// Tests the rules for operations and bytes against operators that count them.

#include "inspector/roofline/operator_cost.h"

#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/operator_schema.h"
#include "tests/inspector/roofline/counting_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace et::test {
namespace {

using inspector::OperandForm;
using inspector::OperatorCall;

OperandForm tensor(std::uint32_t id, Sizes sizes, double elementBytes = 4) {
    OperandForm form{.id = id, .sizes = std::move(sizes)};
    form.bytes = form.elements() * elementBytes;
    return form;
}

std::string pairText(std::int64_t first, std::int64_t second) {
    return fmt::format("[{}, {}]", first, second);
}

/// Cost of an operator, or of a node inside a delegate: "aten::mm.out", "Conv2d".
core::Cost costOf(const std::string& name) {
    if (const kernels::OperatorSchema* const schema = kernels::findSchema(name)) {
        return schema->cost;
    }
    const auto kinds = backends::xnnpack::nodeKinds();
    const auto kind = std::ranges::find(kinds, "XNN" + name, &backends::xnnpack::NodeKindInfo::name);
    return kind == kinds.end() ? core::Cost::Unknown : kind->functions->cost;
}

/// A call and its counted operations.
struct Case {
    OperatorCall call;
    double counted = 0;
};

OperatorCall call(const std::string& name, const std::vector<Sizes>& inputs, Sizes output) {
    OperatorCall of{.cost = costOf(name)};
    for (const Sizes& sizes : inputs) {
        of.inputs.push_back(tensor(static_cast<std::uint32_t>(of.inputs.size()), sizes));
    }
    of.outputs.push_back(tensor(100, std::move(output)));
    return of;
}

void addWindow(OperatorCall& of, const CountedAxis& high, const CountedAxis& wide) {
    of.attributes.push_back({"stride", pairText(high.stride, wide.stride)});
    of.attributes.push_back({"padding", pairText(high.padding, wide.padding)});
    of.attributes.push_back({"dilation", pairText(high.dilation, wide.dilation)});
}

void addWindowOfDelegate(OperatorCall& of, const CountedAxis& high, const CountedAxis& wide) {
    of.attributes.push_back({"stride", pairText(high.stride, wide.stride)});
    of.attributes.push_back({"dilation", pairText(high.dilation, wide.dilation)});
    of.attributes.push_back({"padding", fmt::format("top {}, right {}, bottom {}, left {}", high.padding,
                                                    wide.padding, high.padding, wide.padding)});
}

Case convolution(const Sizes& image, std::int64_t outputs, std::int64_t groups, const CountedAxis& high,
                 const CountedAxis& wide) {
    Case out{.call = call("aten::convolution.out",
                          {image, {outputs, image[1] / groups, high.kernel, wide.kernel}, {outputs}},
                          {image[0], outputs, high.positions(image[2]), wide.positions(image[3])}),
             .counted = countedConvolution(image, outputs, groups, high, wide)};
    addWindow(out.call, high, wide);
    out.call.attributes.push_back({"transposed", "False"});
    return out;
}

Case convolutionOfDelegate(const std::string& name, const Sizes& image, std::int64_t outputs,
                           std::int64_t groups, const CountedAxis& high, const CountedAxis& wide) {
    Case out{.call = call(name,
                          {{image[0], image[2], image[3], image[1]},
                           {outputs, high.kernel, wide.kernel, image[1] / groups}},
                          {image[0], high.positions(image[2]), wide.positions(image[3]), outputs}),
             .counted = countedConvolution(image, outputs, groups, high, wide)};
    addWindowOfDelegate(out.call, high, wide);
    out.call.attributes.push_back({"kernel", pairText(high.kernel, wide.kernel)});
    out.call.attributes.push_back({"groups", fmt::to_string(groups)});
    out.call.attributes.push_back({"input channels a group", fmt::to_string(image[1] / groups)});
    out.call.attributes.push_back({"output channels a group", fmt::to_string(outputs / groups)});
    return out;
}

/// Output sizes of a transposed convolution without output padding.
Sizes scattered(const Sizes& image, const CountedAxis& high, const CountedAxis& wide) {
    const auto size = [](std::int64_t input, const CountedAxis& axis) {
        return (input - 1) * axis.stride - 2 * axis.padding + axis.dilation * (axis.kernel - 1) + 1;
    };
    return {size(image[2], high), size(image[3], wide)};
}

Case transposed(const Sizes& image, std::int64_t outputs, std::int64_t groups, const CountedAxis& high,
                const CountedAxis& wide) {
    const Sizes plane = scattered(image, high, wide);
    Case out{
        .call = call("aten::convolution.out", {image, {image[1], outputs / groups, high.kernel, wide.kernel}},
                     {image[0], outputs, plane[0], plane[1]}),
        .counted = countedTransposed(image, outputs, groups, plane, high, wide)};
    addWindow(out.call, high, wide);
    out.call.attributes.push_back({"transposed", "True"});
    return out;
}

Case transposedOfDelegate(const Sizes& image, std::int64_t outputs, const CountedAxis& high,
                          const CountedAxis& wide) {
    const Sizes plane = scattered(image, high, wide);
    Case out{.call = call(
                 "ConvTranspose2d",
                 {{image[0], image[2], image[3], image[1]}, {outputs, high.kernel, wide.kernel, image[1]}},
                 {image[0], plane[0], plane[1], outputs}),
             .counted = countedTransposed(image, outputs, 1, plane, high, wide)};
    addWindowOfDelegate(out.call, high, wide);
    out.call.attributes.push_back({"kernel", pairText(high.kernel, wide.kernel)});
    out.call.attributes.push_back({"groups", "1"});
    out.call.attributes.push_back({"input channels a group", fmt::to_string(image[1])});
    out.call.attributes.push_back({"output channels a group", fmt::to_string(outputs)});
    return out;
}

Case pooling(const std::string& name, const Sizes& image, const CountedAxis& high, const CountedAxis& wide,
             bool divides) {
    Case out{
        .call = call(name, {image}, {image[0], image[1], high.positions(image[2]), wide.positions(image[3])}),
        .counted = countedPooling(image, high, wide, divides)};
    addWindow(out.call, high, wide);
    out.call.attributes.push_back({"kernel_size", pairText(high.kernel, wide.kernel)});
    return out;
}

Case poolingOfDelegate(const std::string& name, const Sizes& image, const CountedAxis& high,
                       const CountedAxis& wide, bool divides) {
    Case out{.call = call(name, {{image[0], image[2], image[3], image[1]}},
                          {image[0], high.positions(image[2]), wide.positions(image[3]), image[1]}),
             .counted = countedPooling(image, high, wide, divides)};
    addWindowOfDelegate(out.call, high, wide);
    out.call.attributes.push_back({"window", pairText(high.kernel, wide.kernel)});
    return out;
}

std::vector<Case> windowCases() {
    constexpr CountedAxis same{.kernel = 3, .padding = 1};
    constexpr CountedAxis half{.kernel = 3, .stride = 2, .padding = 1};
    constexpr CountedAxis wide{.kernel = 5, .stride = 3, .padding = 4, .dilation = 2};
    constexpr CountedAxis point{};
    std::vector<Case> cases;
    // In the second image, everything except one element is padding for a 3 x 3 window.
    for (const Sizes& image : {Sizes{2, 6, 9, 11}, Sizes{1, 6, 1, 1}}) {
        for (const auto& [high, across] :
             {std::pair{same, same}, std::pair{half, wide}, std::pair{point, point}}) {
            for (const std::int64_t groups : {1, 2, 6}) {
                cases.push_back(convolution(image, 12, groups, high, across));
                cases.push_back(transposed(image, 12, groups, high, point));
                cases.push_back(convolutionOfDelegate("Conv2d", image, 12, groups, high, across));
            }
            cases.push_back(convolutionOfDelegate("DepthwiseConv2d", image, 6, 6, high, across));
            cases.push_back(transposedOfDelegate(image, 5, half, point));
            cases.push_back(pooling("aten::max_pool2d_with_indices.out", image, high, across, false));
            cases.push_back(pooling("aten::avg_pool2d.out", image, high, across, true));
            cases.push_back(poolingOfDelegate("MaxPooling2d", image, high, across, false));
            cases.push_back(poolingOfDelegate("ArgMaxPooling2d", image, high, across, false));
            cases.push_back(poolingOfDelegate("AvgPooling2d", image, high, across, true));
        }
    }
    return cases;
}

std::vector<Case> productCases() {
    return {
        {call("aten::mm.out", {{5, 7}, {7, 3}}, {5, 3}), countedProduct(1, 5, 7, 3)},
        {call("aten::bmm.out", {{4, 5, 7}, {4, 7, 3}}, {4, 5, 3}), countedProduct(4, 5, 7, 3)},
        {call("BatchMatrixMultiply", {{4, 5, 7}, {4, 7, 3}}, {4, 5, 3}), countedProduct(4, 5, 7, 3)},
        {call("aten::addmm.out", {{3}, {5, 7}, {7, 3}}, {5, 3}), countedProduct(1, 5, 7, 3)},
        {call("aten::linear.out", {{2, 5, 7}, {3, 7}, {3}}, {2, 5, 3}), countedProduct(2, 5, 7, 3)},
        {call("FullyConnected", {{5, 7}, {3, 7}}, {5, 3}), countedProduct(1, 5, 7, 3)},
        {call("FullyConnected", {{5, 7}, {7, 3}}, {5, 3}), countedProduct(1, 5, 7, 3)},  // transposed weights
        {call("ScaledDotProductAttention", {{2, 3, 5, 8}, {2, 3, 7, 8}, {2, 3, 7, 4}}, {2, 3, 5, 4}),
         countedAttention(6, 5, 7, 8, 4)},
    };
}

std::vector<Case> rowCases() {
    return {
        {call("aten::_softmax.out", {{6, 9}}, {6, 9}), countedSoftmax(6, 9)},
        {call("aten::_log_softmax.out", {{6, 9}}, {6, 9}), countedSoftmax(6, 9)},
        {call("Softmax", {{2, 3, 9}}, {2, 3, 9}), countedSoftmax(6, 9)},
        {call("aten::native_layer_norm.out", {{6, 9}, {9}, {9}}, {6, 9}), countedLayerNorm(6, 9)},
        {call("aten::mean.out", {{6, 9}}, {6}), countedMean(6, 9)},
        {call("GlobalAvgPooling2d", {{1, 3, 3, 6}}, {1, 1, 1, 6}), countedMean(6, 9)},
        {call("aten::sum.IntList_out", {{6, 9}}, {6}), countedReduction(6, 9)},
        {call("aten::amax.out", {{6, 9}}, {6}), countedReduction(6, 9)},
        // A factor and a summand per channel, which do not depend on the image.
        {call("aten::_native_batch_norm_legit_no_training.out", {{2, 3, 4, 5}, {3}, {3}, {3}, {3}},
              {2, 3, 4, 5}),
         countedElements(120, 2)},
        {call("StaticResizeBilinear2D", {{1, 4, 4, 3}}, {1, 8, 8, 3}), countedBilinear(192)},
    };
}

/// Operations of the recurrence: state [keys, values], one update per token, one product per query head.
double countedDeltaRule(int tokens, int heads, int queryHeads, int keys, int values) {
    double count = 0;
    for (int token = 0; token < tokens * heads; ++token) {
        count += 2 * values;         // difference, beta
        count += 5 * keys * values;  // decay, product with the key, update
    }
    for (int query = 0; query < tokens * queryHeads; ++query) {
        count += 2 * keys * values;
    }
    return count;
}

Case expertsCase(int tokens, int experts, int chosen, int dim, int hidden) {
    OperatorCall of = call("", {{tokens, dim}, {experts, dim}, {experts, 40}, {experts, 24}}, {tokens, dim});
    of.cost = core::Cost::Experts;
    of.attributes = {{"num_activated_experts", std::to_string(chosen)},
                     {"hidden_dim", std::to_string(hidden)}};
    double count = 0;
    for (int token = 0; token < tokens; ++token) {
        count += countedProduct(1, 1, dim, experts);
        for (int expert = 0; expert < chosen; ++expert) {
            count += countedProduct(1, 1, dim, 2 * hidden) + 5 * hidden + countedProduct(1, 1, hidden, dim);
        }
    }
    return {of, count};
}

Case packedRowsCase(const char* attribute) {
    OperatorCall of = call("", {{800}, {20, 2}, {20, 2}, {3}}, {3, 64});
    of.cost = core::Cost::PackedRows;
    of.attributes = {{attribute, "20"}};
    return {of, countedElements(3 * 64, 2)};
}

std::vector<Case> modelCases() {
    return {
        {call("llama::gated_delta_rule.out",
              {{1, 4, 9, 6}, {1, 2, 9, 6}, {1, 2, 9, 7}, {1, 2, 9}, {1, 2, 9}, {1, 2, 6, 7}}, {1, 4, 9, 7}),
         countedDeltaRule(9, 2, 4, 6, 7)},
        expertsCase(5, 8, 2, 32, 16),
        packedRowsCase("num_embeddings"),
        packedRowsCase("n"),
    };
}

std::vector<Case> elementCases() {
    std::vector<Case> cases;
    for (const char* name : {"aten::add.out", "Multiply", "aten::pow.Scalar_out", "aten::eq.Tensor_out",
                             "aten::where.self_out", "PReLU"}) {
        // The second operand is broadcast.
        cases.push_back({call(name, {{4, 5, 6}, {6}}, {4, 5, 6}), countedElements(120, 1)});
    }
    for (const char* name : {"aten::sigmoid.out", "Hardswish", "aten::gelu.out", "Clamp", "Convert",
                             "quantized_decomposed::quantize_per_tensor.out"}) {
        cases.push_back({call(name, {{4, 5, 6}}, {4, 5, 6}), countedElements(120, 1)});
    }
    for (const char* name : {"aten::permute_copy.out", "aten::cat.out", "StaticTranspose",
                             "aten::slice_copy.Tensor_out", "aten::embedding.out", "aten::full.out"}) {
        cases.push_back({call(name, {{4, 5, 6}}, {4, 5, 6}), 0});
    }
    return cases;
}

TEST(OperatorCost, CountsOperationsOfNaiveKernels) {
    std::set<const inspector::CostRule*> tested;
    for (const auto& cases : {windowCases(), productCases(), rowCases(), modelCases(), elementCases()}) {
        for (const Case& each : cases) {
            const auto cost = inspector::operatorCost(each.call);
            ASSERT_TRUE(cost) << static_cast<int>(each.call.cost);
            EXPECT_EQ(cost->operations, each.counted) << static_cast<int>(each.call.cost);
            tested.insert(inspector::costRule(each.call.cost));
        }
    }
    for (const inspector::CostRule& rule : inspector::costRules()) {
        EXPECT_TRUE(tested.contains(&rule))
            << "no counting kernel for " << rule.operations << ", cost " << static_cast<int>(rule.cost);
    }
}

TEST(OperatorCost, CountsEachByteOnce) {
    const auto product = inspector::operatorCost(call("aten::mm.out", {{5, 7}, {7, 3}}, {5, 3}));
    ASSERT_TRUE(product);
    EXPECT_EQ(product->bytesRead, 4 * (5 * 7 + 7 * 3));
    EXPECT_EQ(product->bytesWritten, 4 * 5 * 3);
    // A slice reads the selected elements; an embedding reads the selected rows, and the indices.
    EXPECT_EQ(inspector::operatorCost(call("aten::slice_copy.Tensor_out", {{100, 6}}, {2, 6}))->bytesRead,
              4 * 12);
    EXPECT_EQ(inspector::operatorCost(call("aten::embedding.out", {{100, 6}, {2}}, {2, 6}))->bytesRead,
              4 * 12 + 4 * 2);
    EXPECT_EQ(inspector::operatorCost(call("aten::full.out", {}, {2, 6}))->bytesRead, 0);
    // 3 of 20 rows, and the indices.
    EXPECT_EQ(inspector::operatorCost(packedRowsCase("n").call)->bytesRead, 4 * (3 * 40 + 3 * 2 + 3 * 2 + 3));
    // 2 of 8 experts for one token; all for many.
    EXPECT_EQ(inspector::operatorCost(expertsCase(1, 8, 2, 32, 16).call)->bytesRead,
              4 * (32 + 8 * 32 + 2 * 40 + 2 * 24));
    EXPECT_EQ(inspector::operatorCost(expertsCase(5, 8, 2, 32, 16).call)->bytesRead,
              4 * (5 * 32 + 8 * 32 + 8 * 40 + 8 * 24));
}

TEST(OperatorCost, IsEmptyForUnknownOperators) {
    EXPECT_FALSE(inspector::operatorCost(call("aten::no_such_operator.out", {{4}}, {4})));
    EXPECT_FALSE(inspector::operatorCost(call("", {{4}}, {4})));
    OperatorCall dynamic = call("aten::add.out", {{4}, {4}}, {4});
    dynamic.inputs[0].exact = false;
    EXPECT_FALSE(inspector::operatorCost(dynamic));
    // Attributes from a damaged file.
    Case window = convolution({1, 2, 4, 4}, 2, 1, {.kernel = 3}, {.kernel = 3});
    window.call.attributes[0].text = "[0, 0]";
    EXPECT_FALSE(inspector::operatorCost(window.call));
    window.call.attributes[0].text = "[99999999999999999999, 1]";
    EXPECT_FALSE(inspector::operatorCost(window.call));
    window.call.attributes[0].text = "[v3, 1]";
    EXPECT_FALSE(inspector::operatorCost(window.call));
}

TEST(OperatorCost, FusedOperatorsMoveNoIntermediateData) {
    const OperatorCall first = call("aten::add.out", {{8}, {8}}, {8});
    OperatorCall second{.cost = costOf("Clamp")};
    second.inputs = {tensor(100, {8})};
    second.outputs = {tensor(101, {8})};
    const std::vector both{first, second};
    const auto fused = inspector::fusedCost(both);
    ASSERT_TRUE(fused);
    EXPECT_EQ(fused->operations, 16);
    EXPECT_EQ(fused->bytesRead, 2 * 8 * 4);
    EXPECT_EQ(fused->bytesWritten, 8 * 4);
    const std::vector<std::uint32_t> kept{100};
    EXPECT_EQ(inspector::fusedCost(both, kept)->bytesWritten, 2 * 8 * 4);
    EXPECT_FALSE(inspector::fusedCost(std::vector{first, call("stranger", {{8}}, {8})}));
}

}  // namespace
}  // namespace et::test

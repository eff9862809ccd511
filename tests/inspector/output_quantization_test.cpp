#include "inspector/graph/output_quantization.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using core::GraphAttribute;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

/// A method with one output, v1, that reads v0.
class Line {
  public:
    Line() : last(graph.addValue({.name = "v0", .type = "float32 [4]", .role = GraphValue::Role::Input})) {}

    Line& then(std::string kind, std::vector<GraphAttribute> attributes = {}, GraphValue made = {}) {
        made.type = made.type.empty() ? "float32 [4]" : made.type;
        const GraphValueId out = graph.addValue(std::move(made));
        graph.addNode(
            {.name = kind, .kind = kind, .inputs = {last}, .outputs = {out}, .attributes = attributes});
        last = out;
        return *this;
    }
    /// Appends a delegate's node whose result has quantization attributes.
    Line& thenInside(std::string kind, std::vector<GraphAttribute> quantization) {
        return then(std::move(kind), {}, {.type = "qint8 [4]", .attributes = std::move(quantization)});
    }
    OutputQuantization output(std::string kind, std::vector<GraphAttribute> attributes = {},
                              std::string type = "float32 [4]") {
        then(std::move(kind), std::move(attributes),
             {.name = "v1", .type = std::move(type), .role = GraphValue::Role::Output});
        program::Method method;
        method.outputs = {program::ValueId(1)};
        return outputQuantization(graph, method).at(0);
    }

  private:
    ModelGraph graph;
    GraphValueId last;
};

std::vector<GraphAttribute> perTensor(std::string scale) {
    return {{"quantization", "per tensor"}, {"scale", std::move(scale)}, {"zero point", "3"}};
}
const std::vector<GraphAttribute> perToken{{"quantization", "per token"}};

TEST(OutputQuantizationTest, FloatOutputsHaveNoQuantizationError) {
    const OutputQuantization output = Line().then("aten::addmm.out").output("aten::relu.out");
    EXPECT_FALSE(output.activations);
    EXPECT_EQ(output.step, std::nullopt);
}

TEST(OutputQuantizationTest, FloatsOf16BitsCountAlsoInsideDelegates) {
    EXPECT_EQ(Line().then("aten::addmm.out").output("aten::relu.out").reducedFloat, std::nullopt);
    EXPECT_EQ(Line()
                  .then("aten::_to_copy.out", {}, {.type = "float16 [4]"})
                  .output("aten::_to_copy.out")
                  .reducedFloat,
              core::ScalarType::Half);
    EXPECT_EQ(Line()
                  .then("XNNConvert", {}, {.type = "fp16 [4]"})
                  .then("XNNConvert", {}, {.type = "bf16 [4]"})
                  .output("XNNConvert")
                  .reducedFloat,
              core::ScalarType::BFloat16);
}

TEST(OutputQuantizationTest, WeightsAreNoActivations) {
    EXPECT_FALSE(
        Line().then("quantized_decomposed::dequantize_per_channel.out").output("aten::mm.out").activations);
    EXPECT_FALSE(Line().output("quantized_decomposed::embedding_4bit.out").activations);
}

TEST(OutputQuantizationTest, IntegersAllTheWayCountInTheirLastScale) {
    const OutputQuantization output = Line()
                                          .thenInside("XNNConvert", perTensor("0.5"))
                                          .thenInside("XNNConv2d", perTensor("0.25"))
                                          .thenInside("XNNStaticReshape", perTensor("0.25"))
                                          .then("XNNConvert")
                                          .output("aten::view_copy.out");
    EXPECT_TRUE(output.activations);
    EXPECT_FALSE(output.floatsBetween);
    EXPECT_EQ(output.step, 0.25);
}

TEST(OutputQuantizationTest, FloatsBetweenIntegersAreNoted) {
    const OutputQuantization output = Line()
                                          .thenInside("XNNConvert", perTensor("0.5"))
                                          .thenInside("XNNFullyConnected", perTensor("0.25"))
                                          .then("XNNConvert")
                                          .then("aten::native_layer_norm.out")
                                          .thenInside("XNNConvert", perTensor("0.125"))
                                          .output("XNNConvert");
    EXPECT_TRUE(output.floatsBetween);
    EXPECT_EQ(output.step, 0.125);
    EXPECT_FALSE(Line()
                     .then("aten::mul.out")
                     .thenInside("XNNConvert", perTensor("0.125"))
                     .output("XNNConvert")
                     .floatsBetween)
        << "floats before the first integers round nothing";
}

TEST(OutputQuantizationTest, FloatsThatAreComputedHaveNoStep) {
    const OutputQuantization output =
        Line().thenInside("XNNConvert", perTensor("0.5")).then("XNNConvert").output("aten::_softmax.out");
    EXPECT_TRUE(output.activations);
    EXPECT_EQ(output.step, std::nullopt);
}

TEST(OutputQuantizationTest, ScalesOfEveryRunHaveNoStep) {
    const OutputQuantization output = Line().thenInside("XNNConvert", perToken).output("XNNFullyConnected");
    EXPECT_TRUE(output.activations);
    EXPECT_EQ(output.step, std::nullopt);
}

TEST(OutputQuantizationTest, ReadsScalesFromProgramOperators) {
    const GraphValue integers{.type = "int8 [4]"};
    Line line;
    line.then("quantized_decomposed::quantize_per_tensor.out", {{"scale", "0.5"}}, integers)
        .then("cortex_m::quantized_add.out", {}, integers);
    const OutputQuantization output =
        line.output("quantized_decomposed::dequantize_per_tensor.out", {{"scale", "0.0625"}});
    EXPECT_TRUE(output.activations);
    EXPECT_FALSE(output.floatsBetween);
    EXPECT_EQ(output.step, 0.0625);
}

TEST(OutputQuantizationTest, DamagedScalesAreNone) {
    for (const char* const scale : {"", "nan", "-1", "0", "2 apples", "inf"}) {
        const OutputQuantization output =
            Line().thenInside("XNNConvert", perTensor(scale)).output("XNNConvert");
        EXPECT_TRUE(output.activations);
        EXPECT_EQ(output.step, std::nullopt) << scale;
    }
}

}  // namespace
}  // namespace et::inspector

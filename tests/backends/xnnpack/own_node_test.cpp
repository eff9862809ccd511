// What we compute ourselves, and when.

#include "backends/xnnpack/own/own_node.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using testing::ElementsAre;

/// One node after the other: quantization at run time and a product of it, or a unary node.
class PathsTest : public testing::Test {
  protected:
    ValueIndex add(Datatype type, std::uint32_t constant = 0) {
        PayloadValue& value = payload.values.emplace_back();
        value.datatype = type;
        value.sizes = {2, 4};
        value.constant = constant;
        return static_cast<ValueIndex>(payload.values.size() - 1);
    }
    void addNode(NodeKind kind, std::uint32_t handle, std::vector<ValueIndex> inputs, ValueIndex output) {
        payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(kind)),
                                 .debugHandle = handle,
                                 .inputs = std::move(inputs),
                                 .outputs = {output}});
    }
    /// The paths of a product of `weights` and of the quantization before it.
    std::vector<NodePath> pathsOfProduct(Datatype from, Datatype weights, std::uint32_t handle,
                                         std::uint32_t productHandle) {
        payload = {};
        const ValueIndex input = add(from);
        const ValueIndex quantized = add(Datatype::QDInt8);
        addNode(NodeKind::Convert, handle, {input}, quantized);
        addNode(NodeKind::FullyConnected, productHandle, {quantized, add(weights, 1), noValue}, add(from));
        return pathsOf(payload, false);
    }
    NodePath pathOfUnary(NodeKind kind, Datatype type, bool widenHalf) {
        payload = {};
        const ValueIndex input = add(type);
        addNode(kind, 1, {input}, add(type));
        return pathsOf(payload, widenHalf).front();
    }

    Payload payload;
};

TEST_F(PathsTest, FourBitsAChannelAreOfTheWholeInputWhereTheHandlesSaySo) {
    constexpr auto fp32 = Datatype::Fp32;
    constexpr auto whole = NodePath::OwnWhole;
    constexpr auto library = NodePath::Library;
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt4, 3, 4), ElementsAre(whole, whole));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt4, 4, noDebugHandle), ElementsAre(whole, whole));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt4, 2, 5), ElementsAre(library, library));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt4, 1, 1), ElementsAre(library, library));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt4, noDebugHandle, noDebugHandle),
                ElementsAre(library, library));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QCInt8, 3, 4), ElementsAre(library, library));
    EXPECT_THAT(pathsOfProduct(fp32, Datatype::QBInt4, 3, 4), ElementsAre(library, library));
}

TEST_F(PathsTest, WhatIsQuantizedFromHalfIsOurs) {
    for (const Datatype from : {Datatype::Fp16, Datatype::BFloat16}) {
        for (const Datatype weights : {Datatype::QCInt8, Datatype::QCInt4, Datatype::QBInt4}) {
            EXPECT_THAT(pathsOfProduct(from, weights, 2, 5), ElementsAre(NodePath::Own, NodePath::Own));
        }
    }
}

TEST_F(PathsTest, QuantizedInputsOfConvolutionsAreTheLibrarys) {
    const ValueIndex input = add(Datatype::Fp16);
    const ValueIndex quantized = add(Datatype::QDInt8);
    addNode(NodeKind::Convert, 1, {input}, quantized);
    addNode(NodeKind::Convolution, 2, {quantized, add(Datatype::QCInt8, 1), noValue}, add(Datatype::Fp32));
    EXPECT_THAT(pathsOf(payload, false), ElementsAre(NodePath::Library, NodePath::Library));
}

TEST_F(PathsTest, HalfIsComputedInFloatWhereTheLibraryRoundsMoreThanOnce) {
    EXPECT_EQ(pathOfUnary(NodeKind::Tanh, Datatype::Fp16, false), NodePath::LibraryInFloat);
    EXPECT_EQ(pathOfUnary(NodeKind::Tanh, Datatype::Fp16, true), NodePath::Library);
    EXPECT_EQ(pathOfUnary(NodeKind::Tanh, Datatype::Fp32, false), NodePath::Library);
    EXPECT_EQ(pathOfUnary(NodeKind::Abs, Datatype::Fp16, false), NodePath::Library);
}

TEST(DynamicParametersTest, AreRoundedAsPyTorchRoundsThem) {
    const auto float32 = chooseParameters(-1, 3, Datatype::Fp32, NodePath::Own);
    EXPECT_EQ(float32.scale, 4.0F / 255.0F);
    EXPECT_EQ(float32.zeroPoint, -64) << "-128 + 63.75, rounded";
    const auto half = chooseParameters(-1, 3, Datatype::Fp16, NodePath::OwnWhole);
    EXPECT_EQ(half.scale, 0.0156860352F) << "4 / 255 with 11 bits";
    EXPECT_EQ(half.inverse, 1 / 0.0156860352F) << "in fp32";
    const auto bfloat = chooseParameters(-1, 3, Datatype::BFloat16, NodePath::Own);
    EXPECT_EQ(bfloat.scale, 0.0157470703125F) << "4 / 255 with 8 bits";
    EXPECT_EQ(bfloat.inverse, 63.5F);
}

TEST(DynamicParametersTest, OfZerosAreNotZero) {
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::Own).scale, 0x1p-23F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp16, NodePath::Own).scale, 0x1p-10F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::OwnWhole).scale, 0x1p-12F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::Library).scale, 1);
}

TEST(RoundNumbersTest, RoundsToTheType) {
    std::array numbers{1.0009F, -3.01F};
    roundNumbers(Datatype::Fp32, numbers);
    EXPECT_EQ(numbers[0], 1.0009F);
    roundNumbers(Datatype::Fp16, numbers);
    EXPECT_EQ(numbers[0], 1.0009765625F);
    roundNumbers(Datatype::BFloat16, numbers);
    EXPECT_EQ(numbers[1], -3.015625F);
}

}  // namespace
}  // namespace et::backends::xnnpack

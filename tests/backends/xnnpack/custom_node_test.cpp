// Tests which nodes run with custom kernels.

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"
#include "backends/xnnpack/nodes/byte_nodes.h"
#include "backends/xnnpack/nodes/node_table.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using testing::ElementsAre;

/// Builds consecutive nodes: dynamic quantization and a product of it, or a unary node.
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
    /// Returns the paths of a product with `weights` and of the preceding quantization.
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
    constexpr auto whole = NodePath::CustomWhole;
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

TEST_F(PathsTest, HalfQuantizationUsesOurKernels) {
    for (const Datatype from : {Datatype::Fp16, Datatype::BFloat16}) {
        for (const Datatype weights : {Datatype::QCInt8, Datatype::QCInt4, Datatype::QBInt4}) {
            EXPECT_THAT(pathsOfProduct(from, weights, 2, 5), ElementsAre(NodePath::Own, NodePath::Own));
        }
    }
}

TEST_F(PathsTest, QuantizedConvolutionInputsUseXnnpack) {
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
    const auto half = chooseParameters(-1, 3, Datatype::Fp16, NodePath::CustomWhole);
    EXPECT_EQ(half.scale, 0.0156860352F) << "4 / 255 with 11 bits";
    EXPECT_EQ(half.inverse, 1 / 0.0156860352F) << "in fp32";
    const auto bfloat = chooseParameters(-1, 3, Datatype::BFloat16, NodePath::Own);
    EXPECT_EQ(bfloat.scale, 0.0157470703125F) << "4 / 255 with 8 bits";
    EXPECT_EQ(bfloat.inverse, 63.5F);
}

TEST(DynamicParametersTest, OfZerosAreNotZero) {
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::Own).scale, 0x1p-23F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp16, NodePath::Own).scale, 0x1p-10F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::CustomWhole).scale, 0x1p-12F);
    EXPECT_EQ(chooseParameters(0, 0, Datatype::Fp32, NodePath::Library).scale, 1);
}

class NoData final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

/// Quantization parameters of both inputs and the output.
using Three = std::array<PerTensorQuantization, 3>;

/// The sum of a column of all bytes and a row of all bytes.
struct SumOfBytes {
    SumOfBytes(NodeKind kind, Datatype type, const Three& quantization) {
        constexpr std::array<std::array<std::size_t, 2>, 3> sizes{{{256, 1}, {1, 256}, {256, 256}}};
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            PayloadValue& value = payload.values.emplace_back();
            value.datatype = type;
            value.sizes = {static_cast<std::uint32_t>(sizes[i][0]), static_cast<std::uint32_t>(sizes[i][1])};
            value.quantization = quantization[i];
            shapes.emplace_back().assign(std::span(sizes[i]));
        }
        payload.nodes.push_back(
            {.traits = nodeKind(static_cast<std::uint8_t>(kind)), .inputs = {0, 1}, .outputs = {2}});
    }

    /// Returns all results, one row per byte of the first input, in ascending order.
    [[nodiscard]] std::vector<int> run() const {
        const bool isSigned = payload.values[0].datatype == Datatype::QInt8;
        std::vector<std::uint8_t> all(256);
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = static_cast<std::uint8_t>(isSigned ? i - 128 : i);
        }
        std::vector<std::uint8_t> made(all.size() * all.size());
        const NoData none;
        const auto constants = ConstantData::find(payload, none);
        const kernels::ThreadPool threads(1);
        const CustomNode::Source source{
            .payload = payload, .constants = *constants, .threads = threads, .widenHalf = false};
        const auto node = makeOwnNode(source, 0, NodePath::Own);
        EXPECT_TRUE(node) << node.error().toString();
        (*node)->reshape(shapes);
        const std::array<void*, 3> places{all.data(), all.data(), made.data()};
        (*node)->run(places);
        std::vector<int> numbers;
        std::ranges::transform(made, std::back_inserter(numbers), [&](std::uint8_t byte) {
            return isSigned ? static_cast<int>(static_cast<std::int8_t>(byte)) : static_cast<int>(byte);
        });
        return numbers;
    }

    Payload payload;
    Shapes shapes;
};

TEST(CustomSumTest, IsTheRoundedSum) {
    struct Case {
        NodeKind kind;
        Datatype type;
        Three quantization;
    };
    const Case cases[] = {
        {NodeKind::Add, Datatype::QInt8, {{{0.000257F, 3}, {1, -7}, {1, -20}}}},
        {NodeKind::Add, Datatype::QInt8, {{{2, 0}, {0.001F, 5}, {1.5F, 11}}}},
        {NodeKind::Add, Datatype::QInt8, {{{300.0F, 0}, {0.002F, 5}, {3.0F, 1}}}},
        {NodeKind::Subtract, Datatype::QInt8, {{{0.0005F, 3}, {0.9F, -7}, {1, 4}}}},
        {NodeKind::Add, Datatype::QUInt8, {{{1e-6F, 3}, {0.004F, 128}, {0.003F, 120}}}},
    };
    for (const Case& each : cases) {
        const SumOfBytes sum(each.kind, each.type, each.quantization);
        EXPECT_TRUE(isSumOfDistantScales(sum.payload, sum.payload.nodes[0]));
        EXPECT_THAT(pathsOf(sum.payload, false), ElementsAre(NodePath::Own));
        const std::vector<int> made = sum.run();
        const int lowest = each.type == Datatype::QInt8 ? -128 : 0;
        const auto& [left, right, to] = each.quantization;
        const double sign = each.kind == NodeKind::Add ? 1 : -1;
        int differ = 0;
        for (int i = 0; i < 256 * 256; ++i) {
            const double real = double{left.scale} * (lowest + i / 256 - left.zeroPoint) +
                                sign * right.scale * (lowest + i % 256 - right.zeroPoint);
            const double exact = std::clamp<double>(real / to.scale + to.zeroPoint, lowest, lowest + 255);
            const int number = made[static_cast<std::size_t>(i)];
            // Fixed point loses 2^-20 of the larger ratio, so halfway values may round either way.
            EXPECT_LE(std::abs(number - exact), 0.5 + 1e-3) << i;
            differ += number != std::lround(exact) ? 1 : 0;
        }
        EXPECT_LE(differ, 256) << "left scale " << left.scale;
    }
}

TEST(CustomSumTest, IsUsedOnlyForScalesXnnpackRejects) {
    const auto isOurs = [](float left, float right, float to) {
        const SumOfBytes sum(NodeKind::Add, Datatype::QInt8, {{{left, 0}, {right, 0}, {to, 0}}});
        return isSumOfDistantScales(sum.payload, sum.payload.nodes[0]);
    };
    EXPECT_FALSE(isOurs(1, 1, 1));
    EXPECT_FALSE(isOurs(0x1p-10F, 1, 1));
    EXPECT_TRUE(isOurs(0x0.FFp-10F, 1, 1));
    EXPECT_TRUE(isOurs(1, 0x0.FFp-10F, 1));
    EXPECT_FALSE(isOurs(1e-4F, 1e-4F, 1)) << "nothing is left of either: refused";
    EXPECT_FALSE(isOurs(256, 1e-4F, 1)) << "too much: refused";
}

TEST(CustomSumTest, ActivationIsApplied) {
    SumOfBytes sum(NodeKind::Add, Datatype::QInt8, {{{0.0001F, 0}, {1, 0}, {1, 10}}});
    sum.payload.nodes[0].range = OutputRange{.min = 0, .max = 6};
    const std::vector<int> made = sum.run();
    EXPECT_EQ(std::ranges::min(made), 10);
    EXPECT_EQ(std::ranges::max(made), 16);
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

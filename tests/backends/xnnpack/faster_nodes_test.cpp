// Tests that custom nodes on bytes, used because they are faster, are bit-exact with XNNPACK.

#include "backends/xnnpack/custom_kernels/faster_nodes.h"

#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"
#include "backends/xnnpack/custom_kernels/custom_table.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"
#include "tests/backends/xnnpack/byte_graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using test::ByteGraph;
using test::Bytes;
using test::Quantized;
using test::randomBytes;
using test::Sizes;

constexpr std::uint32_t pairs = 256 * 256;

/// Builds a graph with one binary node; its inputs come first.
ByteGraph binary(NodeKind kind, Datatype type, const Sizes& left, const Sizes& right,
                 const std::array<Quantized, 3>& quantization, std::optional<OutputRange> range = {}) {
    ByteGraph graph;
    const ValueIndex a = graph.addInput(type, left, quantization[0]);
    const ValueIndex b = graph.addInput(type, right, quantization[1]);
    const ValueIndex to = graph.add(type, Sizes(std::max(left.size(), right.size()), 1), quantization[2]);
    graph.addNode(kind, {a, b}, to).range = range;
    graph.end(to);
    return graph;
}

ByteGraph unary(NodeKind kind, Datatype type, std::uint32_t size, Quantized from, Quantized to) {
    ByteGraph graph;
    const ValueIndex input = graph.addInput(type, {size}, from);
    const ValueIndex output = graph.add(type, {size}, to);
    PayloadNode& node = graph.addNode(kind, {input}, output);
    if (node.traits->form() == NodeForm::UnaryNumber) {
        node.fields = NumberFields{.value = 0.3F};
    }
    graph.end(output);
    return graph;
}

std::vector<Bytes> allPairs() {
    std::vector<Bytes> made(2, Bytes(pairs));
    for (std::uint32_t i = 0; i < pairs; ++i) {
        made[0][i] = static_cast<std::uint8_t>(i >> 8U);
        made[1][i] = static_cast<std::uint8_t>(i);
    }
    return made;
}

/// Random parameters within the limits that XNNPACK supports for sums, and therefore for products.
std::array<Quantized, 3> randomQuantization(std::mt19937& generator, bool isSigned) {
    std::uniform_real_distribution<float> exponents(-6, 1);
    std::uniform_real_distribution<float> outputExponents(-3, 1);
    std::uniform_int_distribution<int> zeroPoints(isSigned ? -128 : 0, isSigned ? 127 : 255);
    std::array<Quantized, 3> made;
    for (Quantized& each : made) {
        each = {.scale = std::exp2(exponents(generator)), .zeroPoint = zeroPoints(generator)};
    }
    made[2].scale = std::exp2(outputExponents(generator));
    return made;
}

class ByteNodes : public testing::TestWithParam<Datatype> {
  protected:
    void SetUp() override {
        if (!kernels::quantized::hasFastByteArithmetic()) {
            GTEST_SKIP() << "the library's arithmetic is another one on this processor";
        }
    }
};

/// Tests all pairs of bytes with 100 random scales and zero points, with and without activation.
TEST_P(ByteNodes, MatchXnnpack) {
    std::mt19937 generator(5);
    const std::vector<Bytes> inputs = allPairs();
    for (int i = 0; i < 100; ++i) {
        const auto quantization = randomQuantization(generator, GetParam() == Datatype::QInt8);

        for (const NodeKind kind : {NodeKind::Multiply, NodeKind::Add, NodeKind::Subtract}) {
            for (const std::optional<OutputRange> range :
                 {std::optional<OutputRange>(), std::optional(OutputRange{.min = 0})}) {
                ByteGraph graph = binary(kind, GetParam(), {pairs}, {pairs}, quantization, range);
                ASSERT_TRUE(kind == NodeKind::Multiply ? isByteMultiply(graph.payload, graph.payload.nodes[0])
                                                       : isByteSum(graph.payload, graph.payload.nodes[0]));
                const Bytes ours = graph.runOwn(inputs);
                const Bytes theirs = graph.runLibrary(inputs);
                const auto differ = std::ranges::mismatch(ours, theirs);
                ASSERT_TRUE(differ.in1 == ours.end())
                    << "at " << differ.in1 - ours.begin() << ": " << int{*differ.in1} << ", library "
                    << int{*differ.in2} << "; kind " << static_cast<int>(kind) << ", range "
                    << range.has_value() << ", scales " << quantization[0].scale << ", "
                    << quantization[1].scale << ", " << quantization[2].scale;
            }
        }
    }
}

TEST_P(ByteNodes, BroadcastLikeXnnpack) {
    const std::array<Quantized, 3> quantization{{{0.03F, 3}, {0.02F, 11}, {0.05F, 5}}};
    const std::pair<Sizes, Sizes> cases[] = {
        {{2, 7, 9, 40}, {2, 1, 1, 40}},   {{1, 7, 7, 16}, {16}},         {{16}, {1, 7, 7, 16}},
        {{3, 1, 5}, {1, 4, 5}},           {{2, 3, 5, 7}, {1}},           {{1}, {2, 3, 5, 7}},
        {{2, 3, 500, 7}, {2, 1, 500, 1}}, {{2, 1, 5, 1}, {1, 3, 1, 7}},  {{1, 64, 64, 96}, {1, 1, 1, 96}},
        {{1, 3, 3, 3000}, {3000}},        {{2, 1, 1, 1}, {2, 3, 41, 51}}};
    for (const auto& [left, right] : cases) {
        for (const NodeKind kind : {NodeKind::Multiply, NodeKind::Add, NodeKind::Subtract}) {
            ByteGraph graph = binary(kind, GetParam(), left, right, quantization);
            const std::vector<Bytes> inputs{randomBytes(graph.bytesOf(0), 1),
                                            randomBytes(graph.bytesOf(1), 2)};
            const Bytes theirs = graph.runLibrary(inputs);
            EXPECT_EQ(graph.runOwn(inputs, 1), theirs) << testing::PrintToString(left);
            EXPECT_EQ(graph.runOwn(inputs, 2), theirs) << testing::PrintToString(left);
        }
    }
}

TEST_P(ByteNodes, TablesMatchXnnpack) {
    const std::vector<Bytes> inputs{randomBytes(100'003, 7)};
    int tried = 0;
    for (const NodeKindInfo& kind : nodeKinds()) {
        ByteGraph graph;
        if (kind.form() == NodeForm::Unary || kind.form() == NodeForm::UnaryNumber ||
            kind.form() == NodeForm::Convert) {
            graph = unary(kind.kind, GetParam(), 100'003, {.scale = 0.05F, .zeroPoint = 3},
                          {.scale = 0.03F, .zeroPoint = 2});
        }
        if (graph.payload.nodes.empty() || !isByteTable(graph.payload, graph.payload.nodes[0])) {
            continue;
        }
        ++tried;
        EXPECT_EQ(graph.runOwn(inputs, 1 + static_cast<std::size_t>(tried) % 2), graph.runLibrary(inputs))
            << kind.name;
    }
    EXPECT_GE(tried, 15);
}

/// The nodes of squeeze-and-excite and a residual.
TEST_P(ByteNodes, GraphMatchesXnnpack) {
    const Quantized quantization{.scale = 0.02F, .zeroPoint = 4};
    ByteGraph graph;
    const Sizes image{1, 28, 28, 96};
    const ValueIndex input = graph.addInput(GetParam(), image, quantization);
    const ValueIndex factors = graph.addInput(GetParam(), {1, 1, 1, 96}, quantization);
    const auto then = [&](NodeKind kind, std::vector<ValueIndex> from) {
        const ValueIndex to = graph.add(GetParam(), image, quantization);
        graph.addNode(kind, std::move(from), to);
        return to;
    };
    const ValueIndex swished = then(NodeKind::HardSwish, {input});
    const ValueIndex copied = then(NodeKind::Copy, {swished});
    const ValueIndex excited = then(NodeKind::Multiply, {copied, factors});
    graph.end(then(NodeKind::Add, {excited, input}));
    const std::vector<Bytes> inputs{randomBytes(graph.bytesOf(input), 3),
                                    randomBytes(graph.bytesOf(factors), 4)};
    const Bytes theirs = graph.runLibrary(inputs);
    for (const std::size_t threads : {1, 2}) {
        const auto [ours, names] = graph.runGraph(inputs, threads);
        EXPECT_EQ(ours, theirs);
        EXPECT_EQ(std::ranges::count(names, "Binary Elementwise (ND)"), 2) << "ours";
    }
}

TEST_P(ByteNodes, SmallNodesUseXnnpack) {
    const std::array<Quantized, 3> quantization{{{0.03F, 3}, {0.02F, 11}, {0.05F, 5}}};
    const auto isOurs = [&](const Sizes& left, const Sizes& right) {
        const ByteGraph graph = binary(NodeKind::Multiply, GetParam(), left, right, quantization);
        return isFasterByUs(graph.payload, graph.payload.nodes[0], graph.shapes, 2);
    };
    EXPECT_TRUE(isOurs({1, 28, 28, 96}, {96}));
    EXPECT_FALSE(isOurs({1, 1, 1, 96}, {96})) << "few";
    EXPECT_FALSE(isOurs({500, 1, 100}, {1, 50, 1})) << "short rows";
}

/// XNNPACK rounds these bounds differently.
TEST_P(ByteNodes, NonzeroBoundsUseXnnpack) {
    const std::array<Quantized, 3> quantization{{{0.03F, 3}, {0.02F, 11}, {0.05F, 5}}};
    for (const OutputRange range : {OutputRange{.min = 0, .max = 6}, OutputRange{.min = -1}}) {
        const ByteGraph product =
            binary(NodeKind::Multiply, GetParam(), {pairs}, {pairs}, quantization, range);
        EXPECT_FALSE(isByteMultiply(product.payload, product.payload.nodes[0]));
        const ByteGraph sum = binary(NodeKind::Add, GetParam(), {pairs}, {pairs}, quantization, range);
        EXPECT_FALSE(isByteSum(sum.payload, sum.payload.nodes[0]));
    }
}

TEST_P(ByteNodes, LargeScalesUseXnnpack) {
    const ByteGraph graph =
        binary(NodeKind::Multiply, GetParam(), {pairs}, {pairs}, {{{8, 3}, {10, 11}, {1, 5}}});
    EXPECT_FALSE(isByteMultiply(graph.payload, graph.payload.nodes[0]));
}

INSTANTIATE_TEST_SUITE_P(Types, ByteNodes, testing::Values(Datatype::QInt8, Datatype::QUInt8),
                         [](const auto& type) {
                             return type.param == Datatype::QInt8 ? "Signed" : "Unsigned";
                         });

/// Builds a graph that transposes planes of bytes to pixels.
ByteGraph planes(Datatype type, const Sizes& sizes, std::vector<std::uint32_t> order) {
    ByteGraph graph;
    const Quantized quantization{.scale = 0.1F, .zeroPoint = 1};
    const ValueIndex input = graph.addInput(type, sizes, quantization);
    Sizes moved;
    for (const std::uint32_t from : order) {
        moved.push_back(sizes[from]);
    }
    const ValueIndex output = graph.add(type, moved, quantization);
    graph.addNode(NodeKind::Transpose, {input}, output).fields = TransposeFields{.order = std::move(order)};
    graph.end(output);
    return graph;
}

TEST(Interleave, MatchesXnnpack) {
    for (const Sizes& sizes : {Sizes{1, 3, 111, 113}, {2, 2, 90, 101}, {1, 4, 200, 64}, {3, 3, 1, 11000}}) {
        for (const Datatype type : {Datatype::QInt8, Datatype::QUInt8}) {
            ByteGraph graph = planes(type, sizes, {0, 2, 3, 1});
            ASSERT_TRUE(isFasterByUs(graph.payload, graph.payload.nodes[0], graph.shapes, 1));
            const std::vector<Bytes> input{randomBytes(graph.bytesOf(0), sizes[1])};
            EXPECT_EQ(graph.runOwn(input), graph.runLibrary(input)) << sizes[1] << " planes";
        }
    }
}

TEST(Interleave, IsUsedForFewPlanesAndEnoughBytes) {
    const auto isFaster = [](const Sizes& sizes, std::vector<std::uint32_t> order) {
        const ByteGraph graph = planes(Datatype::QInt8, sizes, std::move(order));
        return isFasterByUs(graph.payload, graph.payload.nodes[0], graph.shapes, 1);
    };
    EXPECT_TRUE(isFaster({1, 3, 224, 224}, {0, 2, 3, 1}));
    EXPECT_TRUE(isFaster({1, 3, 48, 48}, {0, 2, 3, 1}));
    EXPECT_FALSE(isFaster({1, 3, 32, 32}, {0, 2, 3, 1})) << "few bytes";
    EXPECT_FALSE(isFaster({1, 5, 224, 224}, {0, 2, 3, 1})) << "more planes";
    EXPECT_FALSE(isFaster({1, 1, 224, 224}, {0, 2, 3, 1})) << "one plane";
    EXPECT_FALSE(isFaster({1, 3, 224, 224}, {0, 3, 2, 1})) << "another order";
    EXPECT_FALSE(isFaster({3, 224, 224}, {1, 2, 0})) << "no sample";
}

}  // namespace
}  // namespace et::backends::xnnpack

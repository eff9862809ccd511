// Tests that products of dynamically quantized rows with blockwise 4-bit weights are bit-exact with XNNPACK.

#include "backends/xnnpack/custom_kernels/custom_block_product.h"

#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/quantized/byte_filter.h"
#include "tests/backends/xnnpack/one_convolution.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using test::bitsOf;
using test::Floats;
using testing::ElementsAre;

constexpr std::uint64_t productMemory = std::uint64_t{1} << 30U;
const std::string ourName = "Fully Connected (NC, QD8, F32, QB4W) GEMM";

struct ProductForm {
    std::uint32_t rows, depth, outputs, block;
    bool hasBias = true;
    OutputRange range{};
    std::uint32_t most = 0;  ///< rows declared in the payload; 0: `rows`
};

struct NoConstants final : executor::NamedDataSource {
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

/// A quantization followed by one or two products, with random weights.
class BlockProductGraph {
  public:
    explicit BlockProductGraph(const ProductForm& given, std::size_t products = 1) : form(given) {
        const std::uint32_t rows = std::max(form.rows, form.most);
        payload.constants.resize(1);
        const ValueIndex input = add(Datatype::Fp32, {rows, form.depth});
        payload.values[input].isInput = true;
        payload.externals.push_back(input);
        const ValueIndex quantized = add(Datatype::QDInt8, {rows, form.depth});
        payload.values[quantized].quantization = PerTokenQuantization{.nonbatchDims = 1};
        addNode(NodeKind::Convert, {input}, quantized);
        for (std::size_t i = 0; i < products; ++i) {
            addProduct(quantized, rows);
        }
        shapes = exportedShapes(payload);
        EXPECT_TRUE(followShapes(payload, shapes, productMemory));
        numbers.resize(std::size_t{form.rows} * form.depth + XNN_EXTRA_BYTES);
        std::normal_distribution<float> normal(0.2F, 1.5F);
        std::ranges::generate(numbers, [&] { return normal(generator); });
    }

    /// Runs the graph as the delegate does: returns the outputs and the names of the operators.
    std::pair<std::vector<Floats>, std::vector<std::string>> runGraph(std::size_t threadCount = 1) {
        const kernels::ThreadPool threads(threadCount);
        const ConstantData constants = *ConstantData::find(payload, NoConstants());
        auto shared = SharedMemory::make();
        auto graph = GraphRuntime::make(payload, constants, shapes, *shared, threads, {.profiled = true},
                                        productMemory);
        EXPECT_TRUE(graph) << graph.error().toString();
        followRows();
        EXPECT_TRUE(graph->reshape(shapes));
        auto outputs = run([&](std::span<void* const> places) { return graph->run(places); });
        return {std::move(outputs), *graph->operatorNames()};
    }

    std::vector<Floats> runLibrary() {
        const kernels::ThreadPool threads;
        const ConstantData constants = *ConstantData::find(payload, NoConstants());
        auto shared = SharedMemory::make();
        followRows();
        auto library = LibraryRuntime::make(payload, constants, shapes, *shared, threads, {}, productMemory);
        EXPECT_TRUE(library && library->reshape(payload, shapes));
        return run([&](std::span<void* const> places) { return library->run(places); });
    }

    /// Exact results of the first product, by definition.
    [[nodiscard]] std::vector<double> exact() const {
        std::vector<double> made;
        for (std::size_t row = 0; row < form.rows; ++row) {
            const std::span<const float> from(numbers.data() + row * form.depth, form.depth);
            const DynamicParameters by =
                chooseParameters(std::min(0.0F, std::ranges::min(from)),
                                 std::max(0.0F, std::ranges::max(from)), Datatype::Fp32, NodePath::Library);
            for (std::size_t output = 0; output < form.outputs; ++output) {
                double sum = form.hasBias ? biases[0][output] : 0;
                for (std::size_t i = 0; i < form.depth; ++i) {
                    const double steps = std::nearbyint(from[i] * by.inverse) + by.zeroPoint;
                    sum += (std::clamp(steps, -128.0, 127.0) - by.zeroPoint) * by.scale * weightAt(output, i);
                }
                made.push_back(std::clamp<double>(sum, form.range.min, form.range.max));
            }
        }
        return made;
    }

    PayloadNode& product() { return payload.nodes[1]; }
    [[nodiscard]] bool isOurs() { return isBlockProduct(payload, product()); }

    ProductForm form;
    Payload payload;
    Shapes shapes;
    Floats numbers;

  private:
    ValueIndex add(Datatype type, std::vector<std::uint32_t> sizes) {
        PayloadValue& value = payload.values.emplace_back();
        value.datatype = type;
        value.sizes = std::move(sizes);
        return static_cast<ValueIndex>(payload.values.size() - 1);
    }
    void addNode(NodeKind kind, std::vector<ValueIndex> from, ValueIndex to) {
        payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(kind)),
                                 .inputs = std::move(from),
                                 .outputs = {to}});
    }
    ValueIndex addConstant(Datatype type, std::vector<std::uint32_t> sizes, std::span<const std::byte> data) {
        const ValueIndex value = add(type, std::move(sizes));
        payload.values[value].constant = static_cast<std::uint32_t>(payload.constants.size());
        payload.constants.push_back({.data = data, .name = {}});
        return value;
    }
    void addProduct(ValueIndex quantized, std::uint32_t rows) {
        const std::size_t count = std::size_t{form.outputs} * form.depth;
        auto& bytes = pairs.emplace_back(count / 2 + XNN_EXTRA_BYTES);
        std::ranges::generate(bytes, [&] { return static_cast<std::byte>(generator()); });
        const ValueIndex weights =
            addConstant(Datatype::QBInt4, {form.outputs, form.depth}, std::span(bytes).first(count / 2));
        BlockwiseQuantization blocks{.channelDim = 0, .blockSize = form.block, .scales = {}};
        blocks.scales.resize(count / form.block);
        std::uniform_real_distribution<float> scale(0.001F, 0.3F);
        std::ranges::generate(blocks.scales, [&] {
            return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(scale(generator)) >> 16U);
        });
        blocks.scaleCount = static_cast<std::uint32_t>(blocks.scales.size());
        scales.push_back(blocks.scales);
        payload.values[weights].quantization = std::move(blocks);
        Floats& bias = biases.emplace_back(form.outputs + XNN_EXTRA_BYTES);
        std::ranges::generate(bias, [&] { return scale(generator) * 9; });
        const ValueIndex biasValue =
            addConstant(Datatype::Fp32, {form.outputs}, std::as_bytes(std::span(bias).first(form.outputs)));
        const ValueIndex output = add(Datatype::Fp32, {rows, form.outputs});
        payload.values[output].isOutput = true;
        payload.externals.push_back(output);
        addNode(NodeKind::FullyConnected, {quantized, weights, form.hasBias ? biasValue : noValue}, output);
        payload.nodes.back().range = form.range;
    }
    void followRows() {
        shapes[0][0] = form.rows;
        EXPECT_TRUE(followShapes(payload, shapes, productMemory));
    }
    template <class Function>
    std::vector<Floats> run(const Function& function) {
        std::vector<Floats> outputs;
        std::vector<void*> places{numbers.data()};
        for (std::size_t i = 1; i < payload.externals.size(); ++i) {
            const std::size_t count = elementsOf(shapes[payload.externals[i]]);
            places.push_back(outputs.emplace_back(count).data());
        }
        EXPECT_TRUE(function(places));
        return outputs;
    }
    [[nodiscard]] double weightAt(std::size_t output, std::size_t i) const {
        const std::size_t at = output * form.depth + i;
        const auto both = std::to_integer<unsigned>(pairs[0][at / 2]);
        const int weight = static_cast<int>(at % 2 == 0 ? both & 15U : both >> 4U) - 8;
        return weight * double{std::bit_cast<float>(std::uint32_t{scales[0][at / form.block]} << 16U)};
    }

    std::mt19937 generator{7};
    std::deque<std::vector<std::byte>> pairs;
    std::deque<std::vector<std::uint16_t>> scales;
    std::deque<Floats> biases;
};

class BlockProductTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!kernels::quantized::hasFastByteConvolution()) {
            GTEST_SKIP() << "left to the library on this processor";
        }
    }
};

void expectTheLibrarys(const ProductForm& form, std::size_t threads) {
    BlockProductGraph graph(form);
    const auto [ours, names] = graph.runGraph(threads);
    EXPECT_THAT(names, ElementsAre(ourName)) << "the library takes a node more";
    EXPECT_EQ(bitsOf(ours[0]), bitsOf(graph.runLibrary()[0]))
        << form.rows << " rows of " << form.depth << " to " << form.outputs << ", blocks of " << form.block
        << ", threads: " << threads;
}

TEST_F(BlockProductTest, MatchesXnnpackBitForBit) {
    for (std::uint32_t rows = 1; rows <= 14; ++rows) {
        for (const std::uint32_t outputs : {1, 15, 16, 33, 64, 100}) {
            expectTheLibrarys({rows, 128, outputs, 32}, 1);
        }
    }
    for (const std::uint32_t block : {32, 64, 96, 128, 256}) {
        for (const std::uint32_t blocks : {1, 2, 5}) {
            for (const std::uint32_t rows : {1, 2, 9}) {
                expectTheLibrarys({rows, block * blocks, 50, block, blocks != 2}, 1);
            }
        }
    }
    expectTheLibrarys({200, 2048, 40, 32}, 1);
}

TEST_F(BlockProductTest, ThreadsShareTheWork) {
    for (const std::uint32_t rows : {1, 7, 131}) {
        expectTheLibrarys({rows, 2048, 1000, 128}, 2);
        expectTheLibrarys({rows, 4096, 330, 32}, 3);
    }
}

TEST_F(BlockProductTest, MatchesItsDefinition) {
    for (const ProductForm& form : {ProductForm{1, 256, 20, 64}, ProductForm{9, 96, 35, 32, false},
                                    ProductForm{5, 64, 18, 64, true, {.min = 0, .max = 2.5F}}}) {
        BlockProductGraph graph(form);
        const std::vector<double> exact = graph.exact();
        const Floats ours = graph.runGraph().first[0];
        for (std::size_t i = 0; i < exact.size(); ++i) {
            EXPECT_NEAR(ours[i], exact[i], 1e-5 * form.depth) << i;
        }
    }
}

TEST_F(BlockProductTest, ResultsAreClampedLikeXnnpack) {
    expectTheLibrarys({3, 128, 40, 32, true, {.min = 0}}, 1);
    expectTheLibrarys({1, 128, 70, 32, true, {.min = -1, .max = 1.5F}}, 1);
}

TEST_F(BlockProductTest, UnusualRowsAreQuantizedLikeXnnpack) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float ends[][2] = {{1, std::numeric_limits<float>::quiet_NaN()},
                             {0, 0},
                             {0.5F, 0.5F},
                             {-2, -1},
                             {1, 3},
                             {-1e30F, 1},
                             {1e-38F, 0},
                             {0, infinity},
                             {-infinity, infinity}};
    for (const auto& [first, second] : ends) {
        BlockProductGraph graph({2, 64, 20, 32});
        std::ranges::fill(graph.numbers, first);
        graph.numbers[40] = second;
        EXPECT_EQ(bitsOf(graph.runGraph().first[0]), bitsOf(graph.runLibrary()[0]))
            << first << ", " << second;
    }
}

TEST_F(BlockProductTest, HalvesAreRoundedLikeXnnpack) {
    BlockProductGraph graph({1, 256, 20, 32});
    for (std::size_t i = 0; i < 256; ++i) {
        graph.numbers[i] = (static_cast<float>(i) - 100) / 2;
    }
    EXPECT_EQ(bitsOf(graph.runGraph().first[0]), bitsOf(graph.runLibrary()[0]));
}

/// Tests that a changed number of rows does not require a new runtime.
TEST_F(BlockProductTest, FollowsTheNumberOfRows) {
    BlockProductGraph graph({2, 128, 40, 32, true, {}, 9});
    const kernels::ThreadPool threads;
    const ConstantData constants = *ConstantData::find(graph.payload, NoConstants());
    auto shared = SharedMemory::make();
    auto runtime =
        GraphRuntime::make(graph.payload, constants, graph.shapes, *shared, threads, {}, productMemory);
    ASSERT_TRUE(runtime);
    EXPECT_FALSE(runtime->isForOneShape());
    for (const std::uint32_t rows : {9, 0, 2, 1, 7}) {
        BlockProductGraph same({rows, 128, 40, 32, true, {}, 9});
        graph.shapes[0][0] = rows;
        ASSERT_TRUE(followShapes(graph.payload, graph.shapes, productMemory));
        ASSERT_TRUE(runtime->reshape(graph.shapes));
        Floats made(std::size_t{rows} * 40);
        ASSERT_TRUE(runtime->run(std::array<void*, 2>{same.numbers.data(), made.data()}));
        if (rows > 0) {
            EXPECT_EQ(bitsOf(made), bitsOf(same.runLibrary()[0])) << rows << " rows";
        }
    }
}

TEST_F(BlockProductTest, SeveralQuantizeOneInput) {
    BlockProductGraph graph({3, 128, 40, 32}, 3);
    const auto [ours, names] = graph.runGraph();
    EXPECT_THAT(names, ElementsAre(ourName, ourName, ourName));
    const auto theirs = graph.runLibrary();
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(bitsOf(ours[i]), bitsOf(theirs[i])) << i;
    }
}

/// Tests that XNNPACK quantizes for its own nodes, and the custom node for itself.
TEST_F(BlockProductTest, TheLibraryStillGetsTheQuantizedInput) {
    BlockProductGraph graph({1, 128, 40, 32}, 2);
    graph.payload.nodes[2].flags = XNN_FLAG_YIELD_WORKERS;  // makes XNNPACK run the node
    const auto [ours, names] = graph.runGraph();
    EXPECT_THAT(names, ElementsAre(ourName, "Convert (NC, F32, QD8)", ourName));
    const auto theirs = graph.runLibrary();
    EXPECT_EQ(bitsOf(ours[0]), bitsOf(theirs[0]));
    EXPECT_EQ(bitsOf(ours[1]), bitsOf(theirs[1]));
}

TEST_F(BlockProductTest, GraphsOfAModuleShareWeights) {
    BlockProductGraph graph({1, 128, 40, 32});
    const kernels::ThreadPool threads;
    const ConstantData constants = *ConstantData::find(graph.payload, NoConstants());
    const auto shared = *SharedMemory::make();
    const auto make = [&](std::uint64_t memory) {
        return GraphRuntime::make(graph.payload, constants, graph.shapes, shared, threads, {}, memory);
    };
    ASSERT_TRUE(make(productMemory));
    const std::uint64_t packed = shared->weights->bytes();
    EXPECT_GE(packed, 128U * 40 / 2);
    ASSERT_TRUE(make(productMemory));
    EXPECT_EQ(shared->weights->bytes(), packed);
    const auto refused = make(1000);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::ErrorCode::Limit);
}

TEST_F(BlockProductTest, OtherFormsUseXnnpack) {
    const ProductForm form{2, 128, 40, 32};
    EXPECT_TRUE(BlockProductGraph(form).isOurs());
    BlockProductGraph graph(form);
    graph.product().flags = XNN_FLAG_TRANSPOSE_WEIGHTS;
    EXPECT_FALSE(graph.isOurs()) << "a flag that the library heeds";
    graph.product().flags = 0;
    graph.payload.nodes[0].flags = 1;
    EXPECT_FALSE(graph.isOurs()) << "a flag of the quantization";
    graph.payload.nodes[0].flags = 0;
    graph.payload.values[1].isOutput = true;
    EXPECT_FALSE(graph.isOurs()) << "the caller wants what is quantized";
    graph.payload.values[1].isOutput = false;
    graph.payload.values[0].datatype = Datatype::Fp16;
    EXPECT_FALSE(graph.isOurs()) << "quantized from fp16";
    graph.payload.values[0].datatype = Datatype::Fp32;
    graph.payload.values[1].quantization = PerTokenQuantization{.nonbatchDims = 2};
    EXPECT_FALSE(graph.isOurs()) << "one scale for several rows";
    graph.payload.values[1].quantization = PerTokenQuantization{.nonbatchDims = 1};
    EXPECT_TRUE(graph.isOurs());
    auto& blocks = std::get<BlockwiseQuantization>(graph.payload.values[2].quantization);
    for (const std::uint32_t size : {0, 8, 48, 256}) {
        blocks.blockSize = size;
        EXPECT_FALSE(graph.isOurs()) << "blocks of " << size;
    }
    blocks.blockSize = 32;
    blocks.channelDim = 1;
    EXPECT_FALSE(graph.isOurs()) << "channels that are columns";
    blocks.channelDim = 0;
    graph.payload.values[2].constant = 0;
    EXPECT_FALSE(graph.isOurs()) << "weights that a run computes";
}

}  // namespace
}  // namespace et::backends::xnnpack

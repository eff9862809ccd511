// Tests that custom convolutions on bytes, used because they are faster, are bit-exact with XNNPACK.

#include "backends/xnnpack/custom_kernels/custom_byte_convolution.h"

#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/quantized/byte_convolution.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using SignedBytes = std::vector<std::int8_t>;

struct Form {
    std::uint32_t batch, height, width, inputs, outputs;
    HeightWidth kernel;
    HeightWidth stride{1, 1};
    ImagePadding padding{};
    std::uint32_t heightDilation = 1;
    bool hasBias = true;
    bool isByChannel = true;
    OutputRange range{};
    std::int32_t inputZero = -3;
    std::int32_t outputZero = 5;
    bool isDepthwise = false;  ///< if true, `inputs` equals `outputs` or is one
    bool isExtreme = false;    ///< some biases are extreme
};

/// A single convolution with random weights.
class ByteConvolutionGraph {
  public:
    explicit ByteConvolutionGraph(const Form& form) : random(form.width) {
        payload.constants.emplace_back();
        const auto along = [](std::uint32_t size, std::uint32_t kernel, std::uint32_t stride) {
            return (size - kernel) / stride + 1;
        };
        add(Datatype::QInt8, {form.batch, form.height, form.width, form.inputs},
            PerTensorQuantization{.scale = 0.04F, .zeroPoint = form.inputZero});
        addFilter(form);
        addBias(form);
        add(Datatype::QInt8,
            {form.batch,
             along(form.height + form.padding.top + form.padding.bottom,
                   (form.kernel.height - 1) * form.heightDilation + 1, form.stride.height),
             along(form.width + form.padding.left + form.padding.right, form.kernel.width, form.stride.width),
             form.outputs},
            PerTensorQuantization{.scale = 0.11F, .zeroPoint = form.outputZero});
        payload.values[0].isInput = true;
        payload.values[3].isOutput = true;
        payload.externals = {0, 3};
        payload.nodes.push_back(
            {.traits = nodeKind(static_cast<std::uint8_t>(form.isDepthwise ? NodeKind::DepthwiseConvolution
                                                                           : NodeKind::Convolution)),
             .range = form.range,
             .inputs = {0, 1, form.hasBias ? 2 : noValue},
             .outputs = {3},
             .fields = ConvolutionFields{
                 .padding = form.padding,
                 .kernel = form.kernel,
                 .stride = form.stride,
                 .dilation = {form.heightDilation, 1},
                 .adjustment = {},
                 .groups = form.isDepthwise ? form.inputs : 1,
                 .groupInputChannels = form.isDepthwise ? 1 : form.inputs,
                 .groupOutputChannels = form.isDepthwise ? form.outputs / form.inputs : form.outputs}});
        shapes = exportedShapes(payload);
        EXPECT_TRUE(followShapes(payload, shapes, maxBytes));
        input.resize(numel(0) + XNN_EXTRA_BYTES);
        std::ranges::generate(input, [this] { return byte(); });
    }

    /// Results of the custom kernel and of XNNPACK.
    std::pair<SignedBytes, SignedBytes> run(std::size_t threadCount = 1) {
        const kernels::ThreadPool threads(threadCount);
        const NoData nothing;
        auto constants = ConstantData::find(payload, nothing);
        auto shared = SharedMemory::make();
        EXPECT_TRUE(constants && shared);
        auto library = LibraryRuntime::make(payload, *constants, shapes, *shared, threads, {}, maxBytes);
        EXPECT_TRUE(library && library->reshape(payload, shapes));
        const auto own = makeFasterByteConvolution(
            {.payload = payload, .constants = *constants, .threads = threads, .widenHalf = false},
            payload.nodes[0]);
        SignedBytes ours(numel(3));
        SignedBytes theirs(numel(3) + XNN_EXTRA_BYTES);
        own->reshape(shapes);
        own->run(std::array<void*, 4>{input.data(), nullptr, nullptr, ours.data()});
        EXPECT_TRUE(library->run(std::array<void*, 2>{input.data(), theirs.data()}));
        theirs.resize(numel(3));
        return {std::move(ours), std::move(theirs)};
    }
    [[nodiscard]] bool isFaster() const { return isFasterByteConvolution(payload, payload.nodes[0], shapes); }

    Payload payload;
    Shapes shapes;

  private:
    struct NoData final : executor::NamedDataSource {
        [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override {
            return std::nullopt;
        }
    };
    static constexpr std::uint64_t maxBytes = 1 << 30;

    std::int8_t byte() { return static_cast<std::int8_t>(std::uniform_int_distribution(-128, 127)(random)); }
    [[nodiscard]] std::size_t numel(ValueIndex value) const {
        std::size_t count = 1;
        for (const std::uint32_t size : payload.value(value).sizes) {
            count *= size;
        }
        return count;
    }
    PayloadValue& add(Datatype type, std::vector<std::uint32_t> sizes, Quantization quantization) {
        PayloadValue& value = payload.values.emplace_back();
        value.datatype = type;
        value.sizes = std::move(sizes);
        value.quantization = std::move(quantization);
        return value;
    }
    /// Scales chosen so that outputs fill their range and differ per channel.
    [[nodiscard]] static std::vector<float> scales(const Form& form) {
        std::vector<float> made(form.outputs);
        const std::uint32_t inputs = form.isDepthwise ? 1 : form.inputs;
        const auto taken = static_cast<float>(form.kernel.height * form.kernel.width * inputs);
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = (0.03F + 0.0017F * static_cast<float>(i)) / std::sqrt(taken);
        }
        return made;
    }
    void addFilter(const Form& form) {
        const std::uint32_t channelDim = form.isDepthwise ? 3 : 0;
        const std::vector<std::uint32_t> sizes{form.isDepthwise ? 1 : form.outputs, form.kernel.height,
                                               form.kernel.width,
                                               form.isDepthwise ? form.outputs : form.inputs};
        if (form.isByChannel) {
            add(Datatype::QCInt8, sizes,
                PerChannelQuantization{.channelDim = channelDim, .scales = scales(form)});
        } else {
            add(Datatype::QInt8, sizes, PerTensorQuantization{.scale = scales(form).back(), .zeroPoint = 0});
        }
        SignedBytes numbers(numel(1));
        std::ranges::generate(numbers, [this] { return std::max<std::int8_t>(byte(), -127); });
        keep(1, std::as_bytes(std::span(numbers)));
    }
    void addBias(const Form& form) {
        if (form.isByChannel) {
            std::vector<float> made = scales(form);
            std::ranges::transform(made, made.begin(), [](float scale) { return scale * 0.04F; });
            add(Datatype::QCInt32, {form.outputs},
                PerChannelQuantization{.channelDim = 0, .scales = std::move(made)});
        } else {
            add(Datatype::QInt32, {form.outputs},
                PerTensorQuantization{.scale = scales(form).back() * 0.04F, .zeroPoint = 0});
        }
        std::vector<std::int32_t> numbers(form.outputs);
        std::ranges::generate(numbers, [this] { return std::uniform_int_distribution(-9000, 9000)(random); });
        if (form.isExtreme) {
            numbers.front() = std::numeric_limits<std::int32_t>::min();
            numbers.back() = std::numeric_limits<std::int32_t>::max();
        }
        keep(2, std::as_bytes(std::span(numbers)));
    }
    void keep(ValueIndex value, std::span<const std::byte> bytes) {
        kept.emplace_back(bytes.begin(), bytes.end());
        payload.values[value].constant = static_cast<std::uint32_t>(payload.constants.size());
        payload.constants.push_back({.data = kept.back(), .name = {}});
    }

    std::mt19937 random;
    std::deque<std::vector<std::byte>> kept;
    SignedBytes input;
};

/// Returns forms with all edges, strides, output counts around sixteen, images narrower than a tile, and
/// several images.
std::vector<Form> forms() {
    return {{1, 56, 56, 3, 16, {3, 3}, {2, 2}, {1, 1, 1, 1}},
            {2, 30, 31, 3, 33, {3, 3}, {1, 1}, {1, 1, 1, 1}},
            {1, 49, 10, 1, 64, {10, 4}, {2, 2}, {5, 1, 4, 1}},
            {1, 40, 40, 3, 24, {7, 7}, {2, 2}, {3, 3, 3, 3}},
            {3, 9, 5, 8, 5, {3, 3}, {1, 1}, {1, 1, 1, 1}},
            {1, 17, 29, 2, 16, {2, 5}, {1, 3}, {0, 4, 1, 2}, 3},
            {1, 1, 1, 4, 17, {1, 1}},
            {1, 28, 28, 16, 40, {1, 1}},
            {1, 20, 26, 32, 16, {1, 1}},
            {1, 14, 14, 16, 32, {3, 3}, {1, 1}, {1, 1, 1, 1}}};
}

Form depthwise(Form form) {
    form.outputs = form.inputs;
    form.isDepthwise = true;
    return form;
}

/// Returns forms with full and partial vectors of all widths, and all kernels and strides whose outputs can
/// be read together.
std::vector<Form> depthwiseForms() {
    std::vector<Form> made;
    for (const std::uint32_t channels : {1U, 16U, 21U, 32U, 48U, 64U, 96U, 144U}) {
        made.push_back(depthwise({1, 20, 19, channels, channels, {3, 3}, {1, 1}, {1, 1, 1, 1}}));
        made.push_back(depthwise({2, 15, 18, channels, channels, {3, 3}, {2, 2}, {1, 1, 1, 1}}));
        made.push_back(depthwise({1, 11, 13, channels, channels, {5, 5}, {1, 1}, {2, 2, 2, 2}}));
    }
    for (std::uint32_t kernel = 1; kernel <= 8; ++kernel) {
        for (const std::uint32_t stride : {1U, 2U, 3U, 4U, 7U}) {
            made.push_back(depthwise({1, 12, 16, 20, 20, {2, kernel}, {1, stride}, {0, kernel / 2, 1, 0}}));
        }
    }
    made.push_back(depthwise({2, 17, 9, 33, 33, {4, 3}, {2, 1}, {3, 1, 2, 1}, 3}));
    made.push_back(depthwise({1, 2, 2, 40, 40, {1, 2}}));
    made.push_back(depthwise({1, 30, 30, 24, 24, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, false, false, {0, 6}}));
    // Many outputs of one input channel, which the exporter also labels depthwise.
    made.push_back({.batch = 2,
                    .height = 49,
                    .width = 10,
                    .inputs = 1,
                    .outputs = 64,
                    .kernel = {10, 4},
                    .stride = {2, 2},
                    .padding = {5, 1, 4, 1},
                    .isDepthwise = true});
    made.push_back(made.back());
    made.back().isByChannel = false;
    made.back().outputs = 21;
    return made;
}

class ByteConvolutionTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!kernels::quantized::hasFastByteConvolution()) {
            GTEST_SKIP() << "this processor has no AVX-512 with VNNI";
        }
    }
};

TEST_F(ByteConvolutionTest, MatchesXnnpackBitForBit) {
    for (const Form& form : forms()) {
        ByteConvolutionGraph convolution(form);
        for (const std::size_t threads : {1, 2, 3}) {
            const auto [ours, theirs] = convolution.run(threads);
            EXPECT_EQ(ours, theirs) << form.height << "x" << form.width << " of " << form.inputs
                                    << ", threads: " << threads;
            EXPECT_GT(std::ranges::max(ours) - std::ranges::min(ours), 60) << "they tell something";
        }
    }
}

TEST_F(ByteConvolutionTest, DepthwiseMatchesXnnpackBitForBit) {
    for (const Form& form : depthwiseForms()) {
        ByteConvolutionGraph convolution(form);
        for (const std::size_t threads : {1, 3}) {
            const auto [ours, theirs] = convolution.run(threads);
            EXPECT_EQ(ours, theirs) << form.inputs << " channels, kernel " << form.kernel.width << ", stride "
                                    << form.stride.width << ", threads: " << threads;
        }
    }
}

TEST_F(ByteConvolutionTest, MatchesXnnpackForAnyQuantization) {
    Form form{1, 24, 24, 3, 20, {3, 3}, {2, 2}, {1, 1, 1, 1}};
    for (const std::int32_t inputZero : {-128, 0, 127}) {
        form.isDepthwise = inputZero == 0;
        form.outputs = form.isDepthwise ? form.inputs : 20;
        for (const std::int32_t outputZero : {-128, 0, 127}) {
            for (const bool hasBias : {false, true}) {
                form.inputZero = inputZero;
                form.outputZero = outputZero;
                form.hasBias = hasBias;
                const auto [ours, theirs] = ByteConvolutionGraph(form).run();
                EXPECT_EQ(ours, theirs) << inputZero << ", " << outputZero;
            }
        }
    }
    form.outputs = 20;
    form.isDepthwise = false;
    form.isByChannel = false;
    const auto [ours, theirs] = ByteConvolutionGraph(form).run();
    EXPECT_EQ(ours, theirs) << "one scale for all outputs";
}

TEST_F(ByteConvolutionTest, SumsWrapAroundLikeXnnpack) {
    Form form{1, 24, 24, 3, 20, {3, 3}, {2, 2}, {1, 1, 1, 1}};
    form.isExtreme = true;
    for (const bool isDepthwise : {false, true}) {
        const auto [ours, theirs] = ByteConvolutionGraph(isDepthwise ? depthwise(form) : form).run();
        EXPECT_EQ(ours, theirs) << (isDepthwise ? "depthwise" : "dense");
    }
}

TEST_F(ByteConvolutionTest, ActivationsClampLikeXnnpack) {
    Form form{1, 24, 24, 3, 20, {3, 3}, {2, 2}, {1, 1, 1, 1}};
    for (std::int32_t zero = -128; zero < 128; zero += 17) {
        for (const float bound : {0.0F, 1.0F, 1.155F, 6.0F, 5.94999F, 100.0F}) {
            form.outputZero = zero;
            for (const OutputRange range :
                 {OutputRange{.min = 0, .max = bound}, OutputRange{.min = -bound, .max = 2 * bound + 1}}) {
                form.range = range;
                if (range.min < range.max) {
                    const auto [ours, theirs] = ByteConvolutionGraph(form).run();
                    EXPECT_EQ(ours, theirs) << "zero point " << zero << ", bound " << bound;
                }
            }
        }
    }
}

TEST_F(ByteConvolutionTest, IsUsedForThinImagesWithEnoughWork) {
    const Form form{1, 96, 96, 3, 16, {3, 3}, {2, 2}, {1, 1, 1, 1}};
    ByteConvolutionGraph convolution(form);
    EXPECT_TRUE(convolution.isFaster());
    convolution.payload.nodes[0].flags = XNN_FLAG_TENSORFLOW_SAME_PADDING;
    EXPECT_FALSE(convolution.isFaster()) << "a flag that the library heeds";
    convolution.payload.nodes[0].flags = 0;
    auto& fields = std::get<ConvolutionFields>(convolution.payload.nodes[0].fields);
    fields.dilation.width = 2;
    EXPECT_FALSE(convolution.isFaster()) << "bytes that do not lie beside each other";
    fields.dilation.width = 1;
    fields.groups = 3;
    EXPECT_FALSE(convolution.isFaster()) << "groups";
    fields.groups = 1;
    convolution.payload.values[0].datatype = Datatype::QUInt8;
    EXPECT_FALSE(convolution.isFaster()) << "unsigned bytes";
    Form other = form;
    other.inputs = 64;
    EXPECT_FALSE(ByteConvolutionGraph(other).isFaster()) << "many channels";
    other = form;
    other.height = 4;
    EXPECT_FALSE(ByteConvolutionGraph(other).isFaster()) << "little to do";
    other = form;
    other.inputs = 1;
    other.isDepthwise = true;
    EXPECT_TRUE(ByteConvolutionGraph(other).isFaster()) << "an image of one channel";
    const Form each = depthwise({1, 56, 56, 48, 48, {3, 3}, {1, 1}, {1, 1, 1, 1}});
    EXPECT_TRUE(ByteConvolutionGraph(each).isFaster());
    other = form;
    other.stride = {96, 16};
    other.padding = {1, 1U << 20U, 1, 1U << 20U};
    EXPECT_FALSE(ByteConvolutionGraph(other).isFaster()) << "rows of megabytes of padding";
    other = each;
    other.kernel.width = 9;
    EXPECT_FALSE(ByteConvolutionGraph(other).isFaster()) << "a wide kernel";
}

}  // namespace
}  // namespace et::backends::xnnpack

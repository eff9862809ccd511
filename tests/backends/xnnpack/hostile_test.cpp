// Tests that invalid payloads are rejected with a specific error before XNNPACK sees them, and that XNNPACK
// is not given inputs it handles incorrectly.

#include "backends/xnnpack/delegate/arguments.h"
#include "backends/xnnpack/delegate/delegate.h"
#include "backends/xnnpack/format/cut_payload.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/library/weights_cache.h"
#include "backends/xnnpack/nodes/fusion_hazards.h"
#include "backends/xnnpack/nodes/windows.h"
#include "tests/fuzz/support/sample_payloads.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using testing::HasSubstr;

class NoData final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

/// A delegate and the bytes it was loaded from.
struct Loaded {
    std::vector<std::byte> bytes;
    std::unique_ptr<Delegate> delegate{};
    std::string error{};
};

Loaded load(const Payload& payload, std::uint64_t memoryBytes = 1U << 26U) {
    static const kernels::ThreadPool threads(1);
    static const NoData data;
    Loaded out{.bytes = backends::xnnpack::writePayload(payload)};
    auto made = Delegate::load({.delegate = {.backend = "XnnpackBackend",
                                             .payload = out.bytes,
                                             .segment = std::nullopt,
                                             .compileSpecs = {}},
                                .method = "forward",
                                .namedData = data,
                                .threads = threads,
                                .shared = nullptr,
                                .traced = false,
                                .memoryBytes = memoryBytes});
    if (made) {
        out.delegate = std::move(*made);
    } else {
        out.error = made.error().toString();
    }
    return out;
}

Payload sample(std::string_view name) {
    for (fuzz::SamplePayload& each : fuzz::samplePayloads()) {
        if (each.name == name) {
            return std::move(each.payload);
        }
    }
    ADD_FAILURE() << "no sample " << name;
    return {};
}

/// Returns the error of a sample after a change.
std::string errorOf(std::string_view name, const std::function<void(Payload&)>& change) {
    Payload payload = sample(name);
    change(payload);
    return load(payload).error;
}

template <class Fields>
Fields& fields(Payload& payload, std::size_t node = 0) {
    return std::get<Fields>(payload.nodes[node].fields);
}

float& scale(Payload& payload, ValueIndex value) {
    return std::get<PerTensorQuantization>(payload.values[value].quantization).scale;
}

/// Tensors of these shapes, one per external of a payload whose values are all fp32.
struct Call {
    Call(const Payload& payload, const std::vector<std::vector<std::int64_t>>& shapes) {
        memory.assign(payload.externals.size(), std::vector<float>(4096, 0.5F));
        values.resize(payload.externals.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            auto* bytes = reinterpret_cast<std::byte*>(memory[i].data());
            auto tensor = core::Tensor::make(core::ScalarType::Float, shapes[i], bytes);
            tensor->setMemory(bytes, memory[i].size() * sizeof(float));
            tensor->setShape(core::Tensor::Shape::Bounded);
            values[i].set(*tensor);
            arguments.push_back(&values[i]);
        }
    }
    std::vector<std::vector<float>> memory;
    std::vector<core::Value> values;
    std::vector<core::Value*> arguments;
};

TEST(HostileTest, SamplesLoadOrAreRefusedByName) {
    std::size_t loaded = 0;
    for (const fuzz::SamplePayload& each : fuzz::samplePayloads()) {
        const Loaded done = load(each.payload);
        loaded += done.delegate ? 1 : 0;
        EXPECT_TRUE(done.delegate || done.error.contains("no support") ||
                    done.error.contains("XNNPACK rejected"))
            << each.name << ": " << done.error;
    }
    EXPECT_GT(loaded, 70U);
}

TEST(HostileTest, PayloadRoundTrips) {
    for (const fuzz::SamplePayload& each : fuzz::samplePayloads()) {
        const auto bytes = backends::xnnpack::writePayload(each.payload);
        const auto read = readPayload(bytes);
        ASSERT_TRUE(read) << each.name << ": " << read.error().toString();
        ASSERT_EQ(read->nodes.size(), each.payload.nodes.size());
        for (std::size_t i = 0; i < read->nodes.size(); ++i) {
            EXPECT_EQ(read->nodes[i].traits, each.payload.nodes[i].traits);
            EXPECT_EQ(read->nodes[i].inputs, each.payload.nodes[i].inputs);
        }
        ASSERT_EQ(read->values.size(), each.payload.values.size());
        EXPECT_EQ(backends::xnnpack::writePayload(*read), bytes) << each.name;
    }
}

TEST(HostileTest, PartOfAPayloadRoundTrips) {
    std::size_t taken = 0;
    for (const fuzz::SamplePayload& each : fuzz::samplePayloads()) {
        for (std::size_t node = 0; node < each.payload.nodes.size(); ++node) {
            const std::size_t only[] = {node};
            const auto cut = cutNodes(each.payload, only);
            if (!cut) {
                EXPECT_THAT(cut.error().message, HasSubstr("no tensor can hold")) << each.name;
                continue;
            }
            const auto bytes = writePayload(cut->payload);
            const auto read = readPayload(bytes);
            ASSERT_TRUE(read) << each.name << ": " << read.error().toString();
            EXPECT_EQ(read->nodes.back().traits, each.payload.nodes[node].traits);
            EXPECT_EQ(read->externals.size(), cut->inputs.size() + cut->outputs.size());
            EXPECT_EQ(read->values.size(), cut->origins.size());
            ++taken;
        }
        const std::size_t beyond[] = {each.payload.nodes.size()};
        EXPECT_FALSE(cutNodes(each.payload, beyond)) << each.name;
    }
    EXPECT_GT(taken, 70U);
}

TEST(HostileTest, DatatypesThatXnnpackConfuses) {
    const auto byteOutput = [](Payload& payload) {
        PayloadValue& output = payload.values[payload.nodes[0].outputs[0]];
        output.datatype = Datatype::QInt8;
        output.quantization = PerTensorQuantization{.scale = 0.1F, .zeroPoint = 0};
    };
    for (const char* name : {"XNNSoftmax_fp32", "XNNAvgPooling2d_fp32", "XNNStaticResizeBilinear2D_fp32",
                             "XNNMaxPooling2d_fp32"}) {
        EXPECT_THAT(errorOf(name, byteOutput), HasSubstr("no support for fp32 -> qint8")) << name;
    }
    // Everything in fp16 can be computed as fp32.
    EXPECT_EQ(
        errorOf("XNNSoftmax_fp32", [](Payload& payload) { payload.values.back().datatype = Datatype::Fp16; }),
        "");
    EXPECT_THAT(errorOf("XNNConcatenate2_fp32",
                        [](Payload& payload) {
                            for (PayloadValue& value : payload.values) {
                                value.datatype = Datatype::Int32;
                            }
                        }),
                HasSubstr("no support for int32, int32 -> int32"));
}

TEST(HostileTest, ScalesThatFailXnnpackAssertions) {
    EXPECT_THAT(
        errorOf("XNNLeakyReLU_qint8", [](Payload& payload) { fields<NumberFields>(payload).value = 1e-6F; }),
        HasSubstr("no support for a slope"));
    EXPECT_THAT(errorOf("XNNAdd_qint8",
                        [](Payload& payload) {
                            scale(payload, 0) = 1e-6F;
                            scale(payload, 1) = 1e-6F;
                        }),
                HasSubstr("no support for scales"));
    EXPECT_THAT(errorOf("XNNAdd_qint8", [](Payload& payload) { scale(payload, 0) = 1e6F; }),
                HasSubstr("no support for scales"));
    EXPECT_THAT(errorOf("XNNMultiply_qint8", [](Payload& payload) { scale(payload, 0) = 1e-8F; }),
                HasSubstr("no support for scales"));
    EXPECT_THAT(errorOf("XNNConvert_fp32_qint8_fp32", [](Payload& payload) { scale(payload, 0) = 1e-8F; }),
                HasSubstr("no support for scales"));
    EXPECT_THAT(errorOf("XNNFullyConnected_quint8", [](Payload& payload) { scale(payload, 1) = 1e-30F; }),
                HasSubstr("no support for scales"));
    EXPECT_THAT(
        errorOf("XNNAdd_qint8",
                [](Payload& payload) { scale(payload, 0) = std::numeric_limits<float>::quiet_NaN(); }),
        HasSubstr("do not fit qint8"));
}

TEST(HostileTest, ScalesThatXnnpackReadsOutOfBounds) {
    const auto oneForAll = [](Payload& payload) {
        for (PayloadValue& value : payload.values) {
            if (auto* rows = std::get_if<PerTokenQuantization>(&value.quantization)) {
                rows->nonbatchDims = 2;
            }
        }
    };
    EXPECT_THAT(errorOf("XNNFullyConnected_dynamic_qcint8", oneForAll), HasSubstr("expected a scale for 1"));
    EXPECT_THAT(errorOf("XNNConv2d_dynamic_qcint8", oneForAll), HasSubstr("expected a scale for 3"));
}

TEST(HostileTest, ARangeOfOneNumberIsNotPooled) {
    EXPECT_THAT(
        errorOf("XNNMaxPooling2d_qint8",
                [](Payload& payload) { payload.nodes[0].range = OutputRange{.min = 1000, .max = 2000}; }),
        HasSubstr("is a single number in the output"));
}

TEST(HostileTest, WeightsHaveALimit) {
    WeightsCache cache;
    const xnn_weights_cache_t provider = cache.handle();
    cache.open(1000);
    EXPECT_NE(provider->reserve_space(provider->context, 600), nullptr);
    EXPECT_EQ(provider->reserve_space(provider->context, 401), nullptr);
    cache.open(401);
    EXPECT_NE(provider->reserve_space(provider->context, 401), nullptr);
}

TEST(HostileTest, ClampThatXnnpackMistakesForPadding) {
    const Payload chain = sample("fused_chain");
    EXPECT_FALSE(isFusedRight(chain));
    Payload relu = sample("fused_chain");
    relu.nodes[2].range = OutputRange{.min = 0, .max = 6};
    EXPECT_TRUE(isFusedRight(relu));
    Payload copied = sample("fused_chain");
    std::swap(copied.nodes[2].traits, copied.nodes[3].traits);
    std::swap(copied.nodes[2].range, copied.nodes[3].range);
    EXPECT_FALSE(isFusedRight(copied));

    const Loaded loaded = load(chain);
    ASSERT_TRUE(loaded.delegate) << loaded.error;
    Call call(chain, {{1, 6, 6, 4}, {1, 6, 6, 4}});
    const auto done = loaded.delegate->execute({}, call.arguments);
    ASSERT_TRUE(done) << done.error().toString();
    // 36 products of 0.5 and 0.1 in the middle, 16 in a corner, which is clamped to 1.
    EXPECT_FLOAT_EQ(call.memory[1][0], 1.0F);
    EXPECT_NEAR(call.memory[1][4 * (6 * 2 + 2)], 1.8F, 1e-5F);
}

TEST(HostileTest, AClampThatRequantizesStaysByItself) {
    Payload clamp = sample("XNNClamp_qint8");
    clamp.nodes[0].range = OutputRange{.min = 0, .max = 6};
    EXPECT_TRUE(isFusedRight(clamp));
    scale(clamp, clamp.nodes[0].outputs[0]) = 0.2F;
    EXPECT_FALSE(isFusedRight(clamp));
}

TEST(HostileTest, ALimitOfOneIsWithinTheOther) {
    Payload chain = sample("fused_chain");
    chain.nodes[1].range = OutputRange{.min = 0, .max = 0.5F};
    const Loaded loaded = load(chain);
    ASSERT_TRUE(loaded.delegate) << loaded.error;
    Call call(chain, {{1, 6, 6, 4}, {1, 6, 6, 4}});
    ASSERT_TRUE(loaded.delegate->execute({}, call.arguments));
    EXPECT_FLOAT_EQ(call.memory[1][0], 1.0F);
}

TEST(HostileTest, OtherBatchesOfADynamicallyQuantizedConvolution) {
    const Payload payload = sample("XNNConv2d_dynamic_qcint8");
    const Loaded loaded = load(payload);
    ASSERT_TRUE(loaded.delegate) << loaded.error;
    std::vector<float> first;
    for (const std::int64_t batch : {1, 4, 2, 6, 1}) {
        Call call(payload, {{batch, 6, 6, 4}, {batch, 6, 6, 6}});
        const auto done = loaded.delegate->execute({}, call.arguments);
        ASSERT_TRUE(done) << done.error().toString();
        const std::vector<float> image(call.memory[1].begin(), call.memory[1].begin() + 6 * 6 * 6);
        first = first.empty() ? image : first;
        EXPECT_EQ(image, first) << batch;
    }
}

TEST(HostileTest, OtherChannelsOfAPooling) {
    const Payload payload = sample("XNNMaxPooling2d_fp32");
    const Loaded loaded = load(payload);
    ASSERT_TRUE(loaded.delegate) << loaded.error;
    for (const std::int64_t channels : {4, 9, 2}) {
        Call call(payload, {{1, 6, 6, channels}, {1, 3, 3, channels}});
        std::ranges::generate(call.memory[0], [number = 0.0F]() mutable { return number++; });
        ASSERT_TRUE(loaded.delegate->execute({}, call.arguments));
        // The maximum of the first window: pixel (1, 1).
        EXPECT_EQ(call.memory[1][0], static_cast<float>(7 * channels));
    }
}

TEST(HostileTest, AnEmptyBatchAndThenAFullOne) {
    const Payload payload = sample("XNNFullyConnected_fp32");
    const Loaded loaded = load(payload);
    ASSERT_TRUE(loaded.delegate) << loaded.error;
    for (const std::int64_t rows : {0, 3, 0, 2}) {
        Call call(payload, {{rows, 64}, {rows, 6}});
        const auto done = loaded.delegate->execute({}, call.arguments);
        EXPECT_TRUE(done) << done.error().toString();
    }
}

/// XNNPACK reads a few bytes beyond an input; if these may be unmapped, it gets a copy.
TEST(ArgumentsTest, OnlyInputsAtTheEndOfUnknownMemoryAreCopied) {
    constexpr std::size_t page = 4096;
    Payload payload = sample("XNNAbs_fp32");
    for (PayloadValue& value : payload.values) {
        value.sizes = {1, page / sizeof(float)};
    }
    struct Pages {
        alignas(page) std::array<std::byte, 4 * page> bytes{};
    };
    const auto memory = std::make_unique<Pages>();
    std::vector<core::Value> values(2);
    std::vector<core::Value*> given;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::byte* start = memory->bytes.data() + i * 2 * page;
        auto tensor = core::Tensor::make(core::ScalarType::Float,
                                         std::vector<std::int64_t>{1, page / sizeof(float)}, start);
        tensor->setMemory(start, page);
        values[i].set(*tensor);
        given.push_back(&values[i]);
    }
    Shapes shapes = exportedShapes(payload);
    Arguments arguments(payload, false);
    ASSERT_TRUE(arguments.takeShapes(given, shapes));
    ASSERT_TRUE(arguments.bind(shapes, {}));
    EXPECT_NE(arguments.addresses()[0], memory->bytes.data());
    EXPECT_EQ(arguments.addresses()[1], memory->bytes.data() + 2 * page);
    const core::Bytes planned = core::Bytes(memory->bytes).first(page);
    ASSERT_TRUE(arguments.bind(shapes, std::span(&planned, 1)));
    EXPECT_EQ(arguments.addresses()[0], memory->bytes.data());
}

/// XNNPACK's behaviour for windows entirely in padding, row by row.
TEST(WindowAxisTest, DilatedPoolingReadsBesideTheImage) {
    const WindowAxis usual{.size = 8, .before = 1, .after = 1, .window = 2, .stride = 2, .dilation = 2};
    EXPECT_TRUE(usual.isMaximumInside());
    const WindowAxis wide{.size = 4, .before = 8, .after = 8, .window = 2, .stride = 1, .dilation = 2};
    EXPECT_FALSE(wide.isMaximumInside());
    const WindowAxis edge{.size = 4, .before = 1, .after = 1, .window = 2, .stride = 1, .dilation = 1};
    EXPECT_FALSE(edge.isMaximumInside());
}

TEST(WindowAxisTest, AverageRowsAreFoundAgain) {
    const WindowAxis usual{.size = 6, .before = 1, .after = 1, .window = 3, .stride = 1, .dilation = 1};
    EXPECT_TRUE(usual.isAverageRight());
    const WindowAxis one{.size = 1, .before = 1, .after = 1, .window = 3, .stride = 1, .dilation = 1};
    EXPECT_TRUE(one.isAverageRight());
    const WindowAxis below{.size = 1, .before = 0, .after = 5, .window = 3, .stride = 1, .dilation = 1};
    EXPECT_FALSE(below.isAverageRight());
    const WindowAxis both{.size = 2, .before = 2, .after = 2, .window = 5, .stride = 1, .dilation = 1};
    EXPECT_FALSE(both.isAverageRight());
}

}  // namespace
}  // namespace et::backends::xnnpack

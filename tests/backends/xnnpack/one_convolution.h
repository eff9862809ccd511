#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"

#include <gtest/gtest.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::test {

using namespace backends::xnnpack;  // NOLINT(google-build-using-namespace): its tests' own

using Floats = std::vector<float>;

/// A single convolution with random weights.
class OneConvolution {
  public:
    struct Form {
        std::uint32_t batch, height, width, inputs, outputs;
        HeightWidth kernel;
        HeightWidth stride{1, 1};
        HeightWidth dilation{1, 1};
        ImagePadding padding{};
        bool hasBias = true;
        OutputRange range{};
    };

    OneConvolution(NodeKind kind, const Form& form) {
        payload.constants.emplace_back();
        add({form.batch, form.height, form.width, form.inputs});
        const bool isDepthwise = kind == NodeKind::DepthwiseConvolution;
        addConstant({isDepthwise ? 1 : form.outputs, form.kernel.height, form.kernel.width, form.inputs});
        addConstant({form.outputs});
        const bool isUp = kind == NodeKind::TransposedConvolution;
        const auto along = [isUp](std::uint32_t size, std::uint32_t kernel, std::uint32_t stride,
                                  std::uint32_t dilation, std::uint32_t padding) {
            return isUp ? size * stride : (size + padding - (kernel - 1) * dilation - 1) / stride + 1;
        };
        add({form.batch,
             along(form.height, form.kernel.height, form.stride.height, form.dilation.height,
                   form.padding.top + form.padding.bottom),
             along(form.width, form.kernel.width, form.stride.width, form.dilation.width,
                   form.padding.left + form.padding.right),
             form.outputs});
        payload.values[0].isInput = true;
        payload.values[3].isOutput = true;
        payload.externals = {0, 3};
        payload.nodes.push_back(
            {.traits = nodeKind(static_cast<std::uint8_t>(kind)),
             .range = form.range,
             .inputs = {0, 1, form.hasBias ? 2 : noValue},
             .outputs = {3},
             .fields = ConvolutionFields{.padding = form.padding,
                                         .kernel = form.kernel,
                                         .stride = form.stride,
                                         .dilation = form.dilation,
                                         .adjustment = {},
                                         .groups = isDepthwise ? form.inputs : 1,
                                         .groupInputChannels = isDepthwise ? 1 : form.inputs,
                                         .groupOutputChannels = isDepthwise ? 1 : form.outputs}});
        shapes = exportedShapes(payload);
        EXPECT_TRUE(followShapes(payload, shapes, maxBytes));
        input = random(numel(0) + XNN_EXTRA_BYTES, 3);
    }

    /// Results of the custom kernel and of XNNPACK.
    std::pair<Floats, Floats> run(std::size_t threadCount = 1) {
        const kernels::ThreadPool threads(threadCount);
        const NoData nothing;
        auto constants = ConstantData::find(payload, nothing);
        auto shared = SharedMemory::make();
        EXPECT_TRUE(constants && shared);
        auto own =
            makeOwnNode({.payload = payload, .constants = *constants, .threads = threads, .widenHalf = false},
                        0, NodePath::CustomFaster);
        auto library = LibraryRuntime::make(payload, *constants, shapes, *shared, threads, {}, maxBytes);
        EXPECT_TRUE(own && library && library->reshape(payload, shapes));
        Floats ours(numel(3));
        Floats theirs(numel(3));
        (*own)->reshape(shapes);
        (*own)->run(std::array<void*, 4>{input.data(), nullptr, nullptr, ours.data()});
        EXPECT_TRUE(library->run(std::array<void*, 2>{input.data(), theirs.data()}));
        return {std::move(ours), std::move(theirs)};
    }

    /// Adds a clamp after it, whose output is the delegate's.
    void addClamp(OutputRange range) {
        const ValueIndex clamped = add(payload.value(3).sizes);
        payload.values[3].isOutput = false;
        payload.values[clamped].isOutput = true;
        payload.externals = {0, clamped};
        payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::Clamp)),
                                 .range = range,
                                 .inputs = {3},
                                 .outputs = {clamped}});
        shapes = exportedShapes(payload);
        EXPECT_TRUE(followShapes(payload, shapes, maxBytes));
    }

    /// Runs as a delegate does: returns the elements of all outputs, and the names of the operators.
    std::pair<std::vector<Floats>, std::vector<std::string>> runGraph() {
        const kernels::ThreadPool threads;
        const NoData nothing;
        auto constants = ConstantData::find(payload, nothing);
        auto shared = SharedMemory::make();
        auto graph =
            GraphRuntime::make(payload, *constants, shapes, *shared, threads, {.profiled = true}, maxBytes);
        EXPECT_TRUE(graph && graph->reshape(shapes));
        std::vector<Floats> outputs;
        std::vector<void*> places{input.data()};
        for (std::size_t i = 1; i < payload.externals.size(); ++i) {
            places.push_back(outputs.emplace_back(numel(payload.externals[i]) + XNN_EXTRA_BYTES).data());
        }
        EXPECT_TRUE(graph->run(places));
        return {std::move(outputs), *graph->operatorNames()};
    }

    Payload payload;
    Shapes shapes;
    Floats input;

  private:
    struct NoData final : executor::NamedDataSource {
        [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override {
            return std::nullopt;
        }
    };
    static constexpr std::uint64_t maxBytes = 1 << 30;

    static Floats random(std::size_t count, unsigned seed) {
        std::mt19937 generator(seed);
        std::uniform_real_distribution<float> numbers(-1, 1);
        Floats made(count);
        std::ranges::generate(made, [&] { return numbers(generator); });
        return made;
    }
    [[nodiscard]] std::size_t numel(ValueIndex value) const {
        std::size_t count = 1;
        for (const std::uint32_t size : payload.value(value).sizes) {
            count *= size;
        }
        return count;
    }
    ValueIndex add(const std::vector<std::uint32_t>& sizes) {
        PayloadValue& value = payload.values.emplace_back();
        value.datatype = Datatype::Fp32;
        value.sizes = sizes;
        return static_cast<ValueIndex>(payload.values.size() - 1);
    }
    void addConstant(const std::vector<std::uint32_t>& sizes) {
        const ValueIndex value = add(sizes);
        kept.push_back(random(numel(value) + XNN_EXTRA_BYTES, value));
        payload.values[value].constant = static_cast<std::uint32_t>(payload.constants.size());
        payload.constants.push_back(
            {.data = std::as_bytes(std::span(kept.back()).first(numel(value))), .name = {}});
    }

    std::deque<Floats> kept;
};

/// Returns the bit patterns, so that NaNs are compared too.
inline std::vector<std::uint32_t> bitsOf(const Floats& numbers) {
    std::vector<std::uint32_t> bits(numbers.size());
    std::memcpy(bits.data(), numbers.data(), numbers.size() * sizeof(float));
    return bits;
}

}  // namespace et::test

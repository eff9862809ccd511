#include "backends/xnnpack/nodes/shapes.h"

#include "backends/xnnpack/nodes/shape_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xnnpack.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

static_assert(maxValueDims == XNN_MAX_TENSOR_DIMS);

/// Bytes of a value with the widest supported elements; nothing on overflow.
std::optional<std::uint64_t> bytesOf(const ValueSizes& sizes) {
    std::uint64_t bytes = sizeof(float);
    for (const std::size_t size : sizes) {
        const std::size_t factor = std::max<std::size_t>(size, 1);
        if (bytes > maxElements / factor) {
            return std::nullopt;
        }
        bytes *= factor;
    }
    return bytes;
}

bool isEmpty(const ValueSizes& sizes) {
    return std::ranges::find(sizes, std::size_t{0}) != sizes.end();
}

class MemoryCount {
  public:
    explicit MemoryCount(std::uint64_t memoryBytes) : left(memoryBytes) {}

    Result<> take(std::optional<std::uint64_t> bytes) {
        if (!bytes || *bytes > left) {
            return core::fail(ErrorCode::Limit, "a delegate's values take more memory than allowed");
        }
        left -= *bytes;
        return {};
    }

  private:
    std::uint64_t left;
};

}  // namespace

std::string text(const ValueSizes& sizes) {
    return fmt::format("[{}]", fmt::join(sizes.begin(), sizes.end(), ", "));
}

std::unexpected<core::Error> ShapeStep::fail(std::string message, ErrorCode code) const {
    return core::fail(
        code, std::move(message),
        {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.traits->name), .offset = {}});
}

Result<> ShapeStep::give(const ValueSizes& sizes, std::size_t output) const {
    const ValueIndex target = node.outputs[output];
    if (sizes.size() != payload.value(target).sizes.size()) {
        return fail(fmt::format("expected an output of {} dimensions, got {}", sizes.size(),
                                payload.value(target).sizes.size()));
    }
    shapes[target] = ValueSizes(std::span<const std::size_t>(sizes));
    return {};
}

Result<> ShapeStep::requireImage() const {
    const ValueSizes& sizes = input(0);
    if (sizes.size() != 4 || isEmpty(sizes)) {
        return fail(fmt::format("expected an image of 4 dimensions, got {}", text(sizes)));
    }
    return {};
}

Result<> ShapeStep::requireBias(std::size_t channels) const {
    if (node.inputs[2] == noValue) {
        return {};
    }
    const ValueSizes& bias = input(2);
    const bool isRow = node.traits->form() == NodeForm::FullyConnected && bias.size() == 2 && bias[0] == 1;
    if ((bias.size() != 1 && !isRow) || bias.back() != channels) {
        return fail(fmt::format("expected a bias [{}], got {}", channels, text(bias)));
    }
    return {};
}

Result<> ShapeStep::requireChannelDim(std::uint32_t dim) const {
    const auto* channels = std::get_if<PerChannelQuantization>(&inputValue(1).quantization);
    if (channels != nullptr && channels->channelDim != dim) {
        return fail(fmt::format("expected a scale for each element of dimension {}, got {}", dim,
                                channels->channelDim),
                    ErrorCode::Unsupported);
    }
    return {};
}

std::size_t elementsOf(const ValueSizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

Shapes exportedShapes(const Payload& payload) {
    Shapes shapes(payload.values.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (const std::uint32_t size : payload.values[i].sizes) {
            shapes[i].push_back(size);
        }
    }
    return shapes;
}

bool areOutputsEmpty(const Payload& payload, const Shapes& shapes) {
    return std::ranges::all_of(payload.externals, [&](ValueIndex external) {
        return !payload.value(external).isOutput || isEmpty(shapes[external]);
    });
}

Result<> followShapes(const Payload& payload, Shapes& shapes, std::uint64_t memoryBytes) {
    MemoryCount memory(memoryBytes);
    for (std::size_t i = 0; i < payload.values.size(); ++i) {
        if (payload.values[i].isInput || payload.values[i].constant != 0) {
            ET_TRY(memory.take(bytesOf(shapes[i])));
        }
    }
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        ShapeStep step(payload, i, shapes);
        ET_TRY(payload.nodes[i].traits->functions->shape(step));
        ET_TRY(memory.take(step.bookkeeping));
        for (const ValueIndex output : payload.nodes[i].outputs) {
            ET_TRY(memory.take(bytesOf(shapes[output])));
        }
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        // The library's memory plan does not support empty inner values.
        if (isEmpty(shapes[i]) && !payload.values[i].externalId && !areOutputsEmpty(payload, shapes)) {
            return core::fail(ErrorCode::Unsupported,
                              fmt::format("no support for a value {} inside", text(shapes[i])));
        }
    }
    return {};
}

}  // namespace et::backends::xnnpack

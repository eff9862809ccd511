#include "backends/xnnpack/nodes/shapes.h"

#include "backends/xnnpack/nodes/window_axis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::Result;

/// Of one value, so that sums and products of a few sizes stay below 2^63.
constexpr std::size_t largestElements = std::size_t{1} << 40U;

/// The axes of an image in memory.
enum Axis : std::size_t { Batch, Height, Width, Channels };

std::string text(const ValueSizes& sizes) {
    return fmt::format("[{}]", fmt::join(sizes.begin(), sizes.end(), ", "));
}

/// The library counts the elements of a window in fewer bits.
constexpr std::uint64_t largestWindow = 1U << 24U;
/// Of an image, where the library adds it to that of a convolution.
constexpr std::uint32_t largestPadding = 1U << 23U;
/// The library counts the pixels of what it resizes in fp32.
constexpr std::size_t largestResized = 1U << 24U;

/// One node's step.
class NodeShapes {
  public:
    NodeShapes(const Payload& from, std::size_t nodeIndex, Shapes& all)
        : payload(from), node(from.nodes[nodeIndex]), index(nodeIndex), shapes(all) {}

    /// Bytes beyond the values that the library keeps for the node.
    std::uint64_t bookkeeping = 0;

    Result<> follow() {
        switch (node.facts->form) {
            case NodeForm::Unary:
            case NodeForm::UnaryNumber:
            case NodeForm::Copy:
                return give(input(0));
            case NodeForm::Softmax:
                return input(0).empty() ? fail("expected at least one dimension") : give(input(0));
            case NodeForm::Binary:
                return binary();
            case NodeForm::BatchMatrixMultiply:
                return batchMatrixMultiply();
            case NodeForm::Concatenate:
                return concatenate();
            case NodeForm::FullyConnected:
                return fullyConnected();
            case NodeForm::Convolution:
            case NodeForm::DepthwiseConvolution:
                return convolution();
            case NodeForm::TransposedConvolution:
                return transposedConvolution();
            case NodeForm::AveragePooling:
            case NodeForm::MaxPooling:
            case NodeForm::ArgMaxPooling:
                return pooling();
            case NodeForm::GlobalAveragePooling:
                return globalAveragePooling();
            case NodeForm::Transpose:
                return transpose();
            case NodeForm::Reshape:
                return reshape();
            case NodeForm::Slice:
                return slice();
            case NodeForm::Pad:
                return pad();
            case NodeForm::Resize:
                return resize();
            case NodeForm::Attention:
                return attention();
        }
        return {};
    }

  private:
    [[nodiscard]] std::unexpected<core::Error> fail(std::string message,
                                                    ErrorCode code = ErrorCode::InvalidArgument) const {
        return core::fail(
            code, std::move(message),
            {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.facts->name), .offset = {}});
    }

    [[nodiscard]] const ValueSizes& input(std::size_t i) const { return shapes[node.inputs[i]]; }

    template <class Fields>
    const Fields& fields() const {
        return std::get<Fields>(node.fields);
    }

    Result<> give(const ValueSizes& sizes, std::size_t output = 0) const {
        const ValueIndex target = node.outputs[output];
        if (sizes.size() != payload.value(target).sizes.size()) {
            return fail(fmt::format("expected an output of {} dimensions, got {}", sizes.size(),
                                    payload.value(target).sizes.size()));
        }
        shapes[target] = ValueSizes(std::span<const std::size_t>(sizes));
        return {};
    }

    Result<> wantImage() const {
        const ValueSizes& sizes = input(0);
        if (sizes.size() != 4 || std::ranges::find(sizes, std::size_t{0}) != sizes.end()) {
            return fail(fmt::format("expected an image of 4 dimensions, got {}", text(sizes)));
        }
        return {};
    }

    Result<> binary() const {
        const ValueSizes& a = input(0);
        const ValueSizes& b = input(1);
        ValueSizes out(std::max(a.size(), b.size()), 1);
        for (std::size_t i = 1; i <= out.size(); ++i) {
            const std::size_t x = i <= a.size() ? a[a.size() - i] : 1;
            const std::size_t y = i <= b.size() ? b[b.size() - i] : 1;
            if (x != y && x != 1 && y != 1) {
                return fail(fmt::format("expected shapes that broadcast, got {} and {}", text(a), text(b)));
            }
            out[out.size() - i] = x == 1 ? y : x;
        }
        return give(out);
    }

    Result<> batchMatrixMultiply() const {
        const ValueSizes& a = input(0);
        const ValueSizes& b = input(1);
        const std::size_t rank = a.size();
        const bool transposed = (node.flags & XNN_FLAG_TRANSPOSE_B) != 0;
        if (rank < 3 || b.size() != rank || a[rank - 1] != b[transposed ? rank - 1 : rank - 2]) {
            return fail(fmt::format("expected stacks of matrices that fit, got {} and {}", text(a), text(b)));
        }
        ValueSizes out = a;
        out[rank - 1] = b[transposed ? rank - 2 : rank - 1];
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
                return fail(fmt::format("expected stacks that broadcast, got {} and {}", text(a), text(b)));
            }
            out[i] = a[i] == 1 ? b[i] : a[i];
        }
        ET_TRY(wantOneMatrix(b, transposed ? rank - 2 : rank - 1));
        return give(out);
    }

    /// The library reads a scale for each column of each matrix, and the payload has those of one matrix.
    Result<> wantOneMatrix(const ValueSizes& filter, std::size_t columns) const {
        if (std::holds_alternative<PerChannelQuantization>(payload.value(node.inputs[1]).quantization)) {
            ET_TRY(wantChannelDim(static_cast<std::uint32_t>(columns)));
            if (!std::ranges::all_of(std::span<const std::size_t>(filter).first(filter.size() - 2),
                                     [](std::size_t size) { return size == 1; })) {
                return fail(fmt::format("no support for a stack of quantized matrices {}", text(filter)),
                            ErrorCode::Unsupported);
            }
        }
        return {};
    }

    Result<> concatenate() const {
        ValueSizes out = input(0);
        const std::int64_t rank = static_cast<std::int64_t>(out.size());
        std::int64_t axis = fields<ConcatenateFields>().axis;
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank) {
            return fail(
                fmt::format("expected an axis below {}, got {}", rank, fields<ConcatenateFields>().axis));
        }
        const auto at = static_cast<std::size_t>(axis);
        for (std::size_t i = 1; i < node.inputs.size(); ++i) {
            ValueSizes other = input(i);
            if (other.size() == out.size()) {
                const std::size_t joined = out[at] + other[at];
                out[at] = other[at];
                if (other == out) {
                    out[at] = joined;
                    continue;
                }
            }
            return fail(fmt::format("expected shapes that differ only along axis {}, got {} and {}", at,
                                    text(input(0)), text(other)));
        }
        return give(out);
    }

    Result<> wantBias(std::size_t channels) const {
        if (node.inputs[2] == noValue) {
            return {};
        }
        const ValueSizes& bias = input(2);
        const bool isRow = node.facts->form == NodeForm::FullyConnected && bias.size() == 2 && bias[0] == 1;
        if ((bias.size() != 1 && !isRow) || bias.back() != channels) {
            return fail(fmt::format("expected a bias [{}], got {}", channels, text(bias)));
        }
        return {};
    }

    Result<> fullyConnected() const {
        const bool transposed = (node.flags & XNN_FLAG_TRANSPOSE_WEIGHTS) != 0;
        ValueSizes out = input(0);
        const ValueSizes& filter = input(1);
        if (out.empty() || filter.size() != 2 || filter[0] == 0 || filter[1] == 0 ||
            out.back() != filter[transposed ? 0 : 1]) {
            return fail(fmt::format("expected a filter for inputs {}, got {}", text(input(0)), text(filter)));
        }
        out[out.size() - 1] = filter[transposed ? 1 : 0];
        if (transposed && datatypeFacts(payload.value(node.inputs[1]).datatype)->bits < 8) {
            return fail("no support for transposed filters of 4 bits", ErrorCode::Unsupported);
        }
        ET_TRY(wantBias(out.back()));
        ET_TRY(wantChannelDim(transposed ? 1 : 0));
        return give(out);
    }

    /// The library takes the scales of a filter for those of its output channels.
    Result<> wantChannelDim(std::uint32_t dim) const {
        const auto& quantization = payload.value(node.inputs[1]).quantization;
        if (const auto* channels = std::get_if<PerChannelQuantization>(&quantization)) {
            if (channels->channelDim != dim) {
                return fail(fmt::format("expected a scale for each element of dimension {}, got {}", dim,
                                        channels->channelDim),
                            ErrorCode::Unsupported);
            }
        }
        return {};
    }

    Result<> wantChannels(const ConvolutionFields& from) const {
        const std::array counts{from.groups, from.groupInputChannels, from.groupOutputChannels};
        if (std::ranges::any_of(counts,
                                [](std::uint32_t count) { return count == 0 || count > largestStep; })) {
            return fail(fmt::format("expected groups and channels from 1 to {}, got {}", largestStep,
                                    fmt::join(counts, ", ")));
        }
        const std::size_t inputs = std::size_t{from.groups} * from.groupInputChannels;
        const std::size_t outputs = std::size_t{from.groups} * from.groupOutputChannels;
        const bool depthwise = node.facts->form == NodeForm::DepthwiseConvolution;
        const ValueSizes filter =
            depthwise ? ValueSizes{1, from.kernel.height, from.kernel.width, outputs}
                      : ValueSizes{outputs, from.kernel.height, from.kernel.width, from.groupInputChannels};
        if (input(0)[Channels] != inputs || !(input(1) == filter) ||
            (depthwise && from.groupInputChannels != 1)) {
            return fail(fmt::format("expected {} channels and a filter {}, got inputs {} and a filter {}",
                                    inputs, text(filter), text(input(0)), text(input(1))));
        }
        ET_TRY(wantChannelDim(depthwise ? 3 : 0));
        return wantBias(outputs);
    }

    static std::array<WindowAxis, 2> axes(const ValueSizes& sizes, const ImagePadding& padding,
                                          const HeightWidth& window, const HeightWidth& stride,
                                          const HeightWidth& dilation) {
        return {WindowAxis{sizes[Height], padding.top, padding.bottom, window.height, stride.height,
                           dilation.height},
                WindowAxis{sizes[Width], padding.left, padding.right, window.width, stride.width,
                           dilation.width}};
    }

    /// Sizes after a window goes over an image.
    Result<ValueSizes> slide(const std::array<WindowAxis, 2>& both, std::size_t channels) {
        ValueSizes out = input(0);
        for (std::size_t i = 0; i < both.size(); ++i) {
            const WindowAxis& axis = both[i];
            if (!axis.isSane() || axis.span() > axis.padded()) {
                return fail(fmt::format(
                    "expected a window within the {} padded pixels, got {} with dilation {} and stride {}",
                    axis.padded(), axis.window, axis.dilation, axis.stride));
            }
            out[Height + i] = axis.windows();
        }
        out[Channels] = channels;
        countPointers(out, both);
        return out;
    }

    /// The library keeps a pointer for every element of every window.
    void countPointers(const ValueSizes& out, const std::array<WindowAxis, 2>& both) {
        bookkeeping = std::uint64_t{std::min(out[Height], largestElements) * sizeof(void*)} *
                      std::min<std::uint64_t>(out[Width], largestStep);
        if (__builtin_mul_overflow(bookkeeping, std::uint64_t{both[0].window} * both[1].window,
                                   &bookkeeping)) {
            bookkeeping = std::numeric_limits<std::uint64_t>::max();
        }
    }

    Result<> convolution() {
        const auto& from = fields<ConvolutionFields>();
        ET_TRY(wantImage());
        ET_TRY(wantChannels(from));
        ET_ASSIGN(const ValueSizes out,
                  slide(axes(input(0), from.padding, from.kernel, from.stride, from.dilation),
                        std::size_t{from.groups} * from.groupOutputChannels));
        return give(out);
    }

    Result<> transposedConvolution() {
        const auto& from = fields<ConvolutionFields>();
        ET_TRY(wantImage());
        ET_TRY(wantChannels(from));
        const auto both = axes(input(0), from.padding, from.kernel, from.stride, from.dilation);
        const std::array adjustments{from.adjustment.height, from.adjustment.width};
        ValueSizes out = input(0);
        for (std::size_t i = 0; i < both.size(); ++i) {
            const WindowAxis& axis = both[i];
            const std::size_t whole = axis.stride * (axis.size - 1) + axis.span() + adjustments[i];
            if (!axis.isSane() || adjustments[i] >= axis.stride ||
                whole <= std::size_t{axis.before} + axis.after) {
                return fail(
                    fmt::format("expected a kernel {} with stride {}, adjustment {} and padding {}, {} that "
                                "leave pixels",
                                axis.window, axis.stride, adjustments[i], axis.before, axis.after));
            }
            out[Height + i] = whole - axis.before - axis.after;
        }
        out[Channels] = std::size_t{from.groups} * from.groupOutputChannels;
        countPointers(out, both);
        return give(out);
    }

    Result<> pooling() {
        const auto& from = fields<PoolingFields>();
        ET_TRY(wantImage());
        const HeightWidth dilation =
            node.facts->form == NodeForm::MaxPooling ? from.dilation : HeightWidth{1, 1};
        const auto both = axes(input(0), from.padding, from.window, from.stride, dilation);
        ET_ASSIGN(const ValueSizes out, slide(both, input(0)[Channels]));
        ET_TRY(wantPoolable(both));
        for (std::size_t i = 1; i < node.outputs.size(); ++i) {
            ET_TRY(give(out, i));
        }
        return give(out);
    }

    /// What the library pools without reading beside the image.
    Result<> wantPoolable(const std::array<WindowAxis, 2>& both) const {
        if (std::uint64_t{both[0].window} * both[1].window >= largestWindow) {
            return fail(fmt::format("no support for windows of {} x {}", both[0].window, both[1].window),
                        ErrorCode::Unsupported);
        }
        const bool isDilated = both[0].dilation > 1 || both[1].dilation > 1;
        const bool isPadded = std::ranges::any_of(
            both, [](const WindowAxis& axis) { return axis.before != 0 || axis.after != 0; });
        const bool isRight = node.facts->form == NodeForm::AveragePooling
                                 ? !isPadded || both[0].isAverageRight()
                                 : !isDilated || (both[0].isMaximumInside() && both[1].isMaximumInside());
        if (!isRight) {
            return fail(fmt::format("no support for padding that windows of {} x {} reach on both sides",
                                    both[0].window, both[1].window),
                        ErrorCode::Unsupported);
        }
        return {};
    }

    Result<> globalAveragePooling() const {
        ET_TRY(wantImage());
        const ValueSizes& in = input(0);
        const bool keeps = (node.flags & XNN_FLAG_KEEP_DIMS) != 0;
        return give(keeps ? ValueSizes{in[Batch], 1, 1, in[Channels]} : ValueSizes{in[Batch], in[Channels]});
    }

    Result<> transpose() const {
        const auto& order = fields<TransposeFields>().order;
        const ValueSizes& in = input(0);
        std::vector<std::uint32_t> sorted = order;
        std::ranges::sort(sorted);
        bool isPermutation = sorted.size() == in.size() && !in.empty();
        for (std::uint32_t i = 0; isPermutation && i < sorted.size(); ++i) {
            isPermutation = sorted[i] == i;
        }
        if (!isPermutation) {
            return fail(fmt::format("expected a permutation of {} dimensions, got {}", in.size(),
                                    fmt::join(order, ", ")));
        }
        ValueSizes out = in;
        for (std::size_t i = 0; i < order.size(); ++i) {
            out[i] = in[order[i]];
        }
        return give(out);
    }

    Result<> reshape() const {
        const auto& sizes = fields<ReshapeFields>().sizes;
        std::size_t whole = 1;
        for (const std::size_t size : input(0)) {
            whole *= size;
        }
        std::size_t given = 1;
        for (const std::uint32_t size : sizes) {
            const std::size_t factor = std::max(size, 1U);
            given = given > largestElements / factor ? largestElements + 1 : given * factor;
        }
        const auto open = std::ranges::count(sizes, 0U);
        if (given > largestElements || open > 1 ||
            (open == 1 ? whole == 0 || whole % given != 0 : whole != given)) {
            return fail(
                fmt::format("expected a shape of {} elements, got [{}]", whole, fmt::join(sizes, ", ")));
        }
        ValueSizes out;
        for (const std::uint32_t size : sizes) {
            out.push_back(size == 0 ? whole / given : size);
        }
        return give(out);
    }

    Result<> slice() const {
        const auto& from = fields<SliceFields>();
        const ValueSizes& in = input(0);
        ValueSizes out = in;
        bool fits = from.offsets.size() == in.size() && from.sizes.size() == in.size() && !in.empty();
        for (std::size_t i = 0; fits && i < in.size(); ++i) {
            out[i] = from.sizes[i];
            fits = from.sizes[i] != 0 && std::size_t{from.offsets[i]} + from.sizes[i] <= in[i];
        }
        if (!fits) {
            return fail(fmt::format("expected a part of {}, got [{}] at [{}]", text(in),
                                    fmt::join(from.sizes, ", "), fmt::join(from.offsets, ", ")));
        }
        return give(out);
    }

    Result<> pad() const {
        const auto& from = fields<PadFields>();
        ValueSizes out = input(0);
        if (from.before.size() != out.size() || from.after.size() != out.size() || out.empty()) {
            return fail(fmt::format("expected padding for {} dimensions, got {} and {}", out.size(),
                                    from.before.size(), from.after.size()));
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] += std::size_t{from.before[i]} + from.after[i];
            if (out.size() == 4 && (from.before[i] > largestPadding || from.after[i] > largestPadding)) {
                return fail(fmt::format("expected padding up to {}, got {} and {}", largestPadding,
                                        from.before[i], from.after[i]));
            }
        }
        return give(out);
    }

    Result<> resize() {
        const HeightWidth size = fields<ResizeFields>().size;
        ET_TRY(wantImage());
        if (size.height == 0 || size.width == 0 || size.height > largestStep || size.width > largestStep) {
            return fail(
                fmt::format("expected a size up to {}, got {} x {}", largestStep, size.height, size.width));
        }
        if (std::max(input(0)[Height], input(0)[Width]) >= largestResized) {
            return fail(
                fmt::format("expected less than {} pixels a side, got {}", largestResized, text(input(0))));
        }
        bookkeeping = std::uint64_t{size.height} * size.width * 2 * (2 * sizeof(void*));
        return give({input(0)[Batch], size.height, size.width, input(0)[Channels]});
    }

    Result<> attention() const {
        const ValueSizes& query = input(0);
        const ValueSizes& key = input(1);
        const ValueSizes& value = input(2);
        const auto headed = [&](const ValueSizes& sizes) {
            return sizes.size() == 4 && sizes[0] == query[0] && sizes[1] == query[1];
        };
        if (query.size() != 4 || !headed(key) || !headed(value) || key[3] != query[3] || value[2] != key[2] ||
            !(input(3) == ValueSizes{query[3]}) || !(input(4) == ValueSizes{query[2], key[2]})) {
            return fail(fmt::format(
                "expected queries, keys, values, a scale and a mask that fit, got {}, {}, {}, {}, {}",
                text(query), text(key), text(value), text(input(3)), text(input(4))));
        }
        return give({query[0], query[1], query[2], value[3]});
    }

    const Payload& payload;
    const PayloadNode& node;
    std::size_t index;
    Shapes& shapes;
};

/// Bytes of a value, as the widest elements that it may have here; nothing for too many.
std::optional<std::uint64_t> bytesOf(const ValueSizes& sizes) {
    std::uint64_t bytes = sizeof(float);
    for (const std::size_t size : sizes) {
        const std::size_t factor = std::max<std::size_t>(size, 1);
        if (bytes > largestElements / factor) {
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
        NodeShapes step(payload, i, shapes);
        ET_TRY(step.follow());
        ET_TRY(memory.take(step.bookkeeping));
        for (const ValueIndex output : payload.nodes[i].outputs) {
            ET_TRY(memory.take(bytesOf(shapes[output])));
        }
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        // The library's memory plan has no place for them.
        if (isEmpty(shapes[i]) && !payload.values[i].externalId && !areOutputsEmpty(payload, shapes)) {
            return core::fail(ErrorCode::Unsupported,
                              fmt::format("no support for a value {} inside", text(shapes[i])));
        }
    }
    return {};
}

}  // namespace et::backends::xnnpack

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <algorithm>

// Operators that move parts of a tensor: rolling, block rearrangement, triangles of matrices.
namespace et::kernels {
namespace {

using core::Result;

/// Rolls the dimensions from `dim` on: along each, positions before size - shift move to the end and the rest
/// to the beginning.
Result<> roll(KernelContext& context, const ReadView& from, const WriteView& to, const Sizes& shifts,
              std::size_t dim) {
    while (dim < shifts.size() && shifts[dim] == 0) {
        ++dim;
    }
    if (dim == shifts.size()) {
        return copyElements(context.threads(), from, to);
    }
    const std::int64_t shift = shifts[dim];
    const std::int64_t kept = from.sizes[dim] - shift;
    ReadView head = from;
    WriteView end = to;
    head.narrow(dim, 0, kept);
    end.narrow(dim, shift, kept);
    ET_TRY(roll(context, head, end, shifts, dim + 1));
    ReadView tail = from;
    WriteView beginning = to;
    tail.narrow(dim, kept, shift);
    beginning.narrow(dim, 0, shift);
    return roll(context, tail, beginning, shifts, dim + 1);
}

std::int64_t wrapShift(std::int64_t shift, std::int64_t size) {
    const std::int64_t rest = shift % size;
    return rest < 0 ? rest + size : rest;
}

/// Rolls all elements as one dimension, in row-major order.
Result<> rollFlat(KernelContext& context, const Tensor& self, std::int64_t shift, Tensor& out) {
    const Sizes all{self.numel()};
    const Sizes shifts{wrapShift(shift, self.numel())};
    ET_ASSIGN(const ReadView source, rowMajor(context, viewOf(self)));
    if (out.isContiguous()) {
        return roll(context, reshaped(source, all), reshaped(viewOf(out), all), shifts, 0);
    }
    ET_ASSIGN(const std::span<std::byte> memory, context.scratch<std::byte>(self.bytes()));
    WriteView rolled = reshaped(viewOf(out), all);
    rolled.data = memory.data();
    ET_TRY(roll(context, reshaped(source, all), rolled, shifts, 0));
    return copyReshaped(context, rolled, out);
}

Result<> rollOut(KernelContext& context, const Tensor& self, IntList shifts, IntList dims, Tensor& out) {
    if (shifts.size() != std::max<std::size_t>(dims.size(), 1)) {
        return invalid(
            fmt::format("expected {} shifts, got {}", std::max<std::size_t>(dims.size(), 1), shifts.size()));
    }
    Sizes moves(self.dim(), 0);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        ET_ASSIGN(const Slice all, sliceOf(self.sizes(), dims[i], {}, {}, 1));
        if (self.numel() != 0) {
            // A dimension that is listed twice is rolled twice.
            moves[all.dim] = wrapShift(moves[all.dim] + wrapShift(shifts[i], all.count), all.count);
        }
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(out.resize(self.sizes()));
    if (self.numel() == 0) {
        return {};
    }
    return dims.empty() ? rollFlat(context, self, shifts[0], out)
                        : roll(context, viewOf(self), viewOf(out), moves, 0);
}

/// Views an image [..., C, H * r, W * r] as [..., C, H, r, W, r]; sizes must be divisible by r.
template <class Byte>
StridedView<Byte> imageBlocks(StridedView<Byte> image, std::int64_t r) {
    const std::size_t height = image.dim() - 2;
    const std::size_t width = image.dim() - 1;
    const std::int64_t rowStride = image.strides[height];
    const std::int64_t columnStride = image.strides[width];
    image.sizes[height] /= r;
    image.strides[height] *= r;
    image.sizes[width] /= r;
    image.strides[width] *= r;
    image.sizes.insert(width, r);
    image.strides.insert(width, rowStride);
    image.append(r, columnStride);
    return image;
}

/// Views channels [..., C * r * r, H, W] as [..., C, H, r, W, r].
template <class Byte>
StridedView<Byte> channelBlocks(StridedView<Byte> channels, std::int64_t r) {
    const std::size_t channel = channels.dim() - 3;
    const std::int64_t stride = channels.strides[channel];
    channels.sizes[channel] /= r * r;
    channels.strides[channel] *= r * r;
    channels.sizes.insert(channels.dim() - 1, r);
    channels.strides.insert(channels.strides.size() - 1, stride * r);
    channels.append(r, stride);
    return channels;
}

/// Errors: InvalidArgument (not an image, invalid factor).
Result<> expectImage(const Tensor& self, std::int64_t factor) {
    if (self.dim() < 3) {
        return invalid(fmt::format("expected at least 3 dimensions, got {}", self.dim()));
    }
    ET_TRY(expectRank(self.dim() + 2));
    if (factor < 1) {
        return invalid(fmt::format("expected a factor of at least 1, got {}", factor));
    }
    return {};
}

Result<> pixelShuffleOut(KernelContext& context, const Tensor& self, std::int64_t factor, Tensor& out) {
    ET_TRY(expectImage(self, factor));
    ET_ASSIGN(const std::int64_t block, timesSize(factor, factor));
    Sizes sizes = self.sizes();
    std::int64_t& channels = sizes[sizes.size() - 3];
    if (channels % block != 0) {
        return invalid(fmt::format("expected a multiple of {} channels, got {}", block, channels));
    }
    channels /= block;
    for (const std::size_t dim : {sizes.size() - 2, sizes.size() - 1}) {
        ET_ASSIGN(sizes[dim], timesSize(sizes[dim], factor));
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(out.resize(sizes));
    if (out.numel() == 0) {
        return {};
    }
    return copyElements(context.threads(), channelBlocks(viewOf(self), factor),
                        imageBlocks(viewOf(out), factor));
}

Result<> pixelUnshuffleOut(KernelContext& context, const Tensor& self, std::int64_t factor, Tensor& out) {
    ET_TRY(expectImage(self, factor));
    Sizes sizes = self.sizes();
    for (const std::size_t dim : {sizes.size() - 2, sizes.size() - 1}) {
        if (sizes[dim] % factor != 0) {
            return invalid(fmt::format("expected height and width to be multiples of {}, got {}", factor,
                                       core::sizesText(self.sizes())));
        }
        sizes[dim] /= factor;
        ET_ASSIGN(sizes[sizes.size() - 3], timesSize(sizes[sizes.size() - 3], factor));
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(out.resize(sizes));
    if (out.numel() == 0) {
        return {};
    }
    return copyElements(context.threads(), imageBlocks(viewOf(self), factor),
                        channelBlocks(viewOf(out), factor));
}

/// Copies columns [begin, end) of each matrix row and sets the others to 0.
template <class KeptColumns>
Result<> keepColumns(KernelContext& context, const Tensor& self, const KeptColumns& kept, Tensor& out) {
    if (self.dim() < 2) {
        return invalid(fmt::format("expected at least 2 dimensions, got {}", self.dim()));
    }
    ET_TRY(copyView(context, viewOf(self), out));
    const std::size_t rowDim = self.dim() - 2;
    const std::int64_t columns = self.size(self.dim() - 1);
    for (std::int64_t row = 0; out.numel() != 0 && row < self.size(rowDim); ++row) {
        const auto [begin, end] = kept(row, columns);
        WriteView rows = viewOf(out);
        rows.select(rowDim, row);
        for (const auto& [from, to] : {std::pair(std::int64_t{0}, begin), std::pair(end, columns)}) {
            WriteView zeros = rows;
            zeros.narrow(rowDim, from, to - from);
            ET_TRY(fillElements(context.threads(), std::int64_t{0}, zeros));
        }
    }
    return {};
}

/// Returns the first column right of the diagonal in `row`.
std::int64_t columnAfter(std::int64_t row, std::int64_t diagonal, std::int64_t columns) {
    // Clamped first to avoid overflow.
    return std::clamp<std::int64_t>(row + 1 + std::clamp(diagonal, -row - 1, columns), 0, columns);
}

Result<> trilOut(KernelContext& context, const Tensor& self, std::int64_t diagonal, Tensor& out) {
    return keepColumns(
        context, self,
        [&](std::int64_t row, std::int64_t columns) {
            return std::pair(std::int64_t{0}, columnAfter(row, diagonal, columns));
        },
        out);
}

Result<> triuOut(KernelContext& context, const Tensor& self, std::int64_t diagonal, Tensor& out) {
    return keepColumns(
        context, self,
        [&](std::int64_t row, std::int64_t columns) {
            return std::pair(columnAfter(row - 1, diagonal, columns), columns);
        },
        out);
}

constexpr KernelEntry rearrangeEntries[] = {
    {"aten::roll.out", box<&rollOut>},
    {"aten::pixel_shuffle.out", box<&pixelShuffleOut>},
    {"aten::pixel_unshuffle.out", box<&pixelUnshuffleOut>},
    {"aten::tril.out", box<&trilOut>},
    {"aten::triu.out", box<&triuOut>},
};

}  // namespace

std::span<const KernelEntry> rearrangeKernels() {
    return rearrangeEntries;
}

}  // namespace et::kernels

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <algorithm>

// Operators that pad a tensor: with a constant, with the nearest elements, or mirrored.
namespace et::kernels {
namespace {

using core::Result;

/// Layout of one dimension of the result. Negative padding crops.
struct PaddedDim {
    std::int64_t from = 0;    ///< first input position that is kept
    std::int64_t count = 0;   ///< number of input positions kept
    std::int64_t before = 0;  ///< new positions before them
    std::int64_t after = 0;   ///< and behind
};
using PaddedDims = core::DimVector<PaddedDim>;

Result<PaddedDim> padDim(std::int64_t size, std::int64_t before, std::int64_t after) {
    for (const std::int64_t padding : {before, after}) {
        if (padding < -size) {
            return invalid(fmt::format("expected a padding of at least {}, got {}", -size, padding));
        }
    }
    const std::int64_t count = size + std::min<std::int64_t>(before, 0) + std::min<std::int64_t>(after, 0);
    if (count < 0) {
        return invalid(fmt::format("paddings of {} and {} remove more than the {} existing positions", before,
                                   after, size));
    }
    return PaddedDim{.from = before < 0 ? -before : 0,
                     .count = count,
                     .before = std::max<std::int64_t>(before, 0),
                     .after = std::max<std::int64_t>(after, 0)};
}

/// `padding` has two numbers per dimension, starting with the last dimension.
Result<PaddedDims> padDims(const Sizes& sizes, IntList padding) {
    if (padding.size() % 2 != 0 || padding.size() / 2 > sizes.size()) {
        return invalid(fmt::format("expected 2 paddings for each of at most {} dimensions, got {}",
                                   sizes.size(), padding.size()));
    }
    PaddedDims dims;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        const std::size_t at = 2 * (sizes.size() - 1 - dim);
        const bool padded = at < padding.size();
        ET_ASSIGN(const PaddedDim made,
                  padDim(sizes[dim], padded ? padding[at] : 0, padded ? padding[at + 1] : 0));
        dims.push_back(made);
    }
    return dims;
}

/// Copies the kept part of the input, then calls `fillSides(part, dim, padded)` for each dimension from last
/// to first. `part` of the result has all positions of `dim` and of the later dimensions, which are filled
/// already, and only the input's positions of the earlier ones.
template <class FillSides>
Result<> pad(KernelContext& context, const Tensor& self, const PaddedDims& dims, const FillSides& fillSides,
             Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    Sizes sizes;
    for (const PaddedDim& dim : dims) {
        ET_ASSIGN(const std::int64_t front, plusSize(dim.before, dim.count));
        ET_ASSIGN(const std::int64_t size, plusSize(front, dim.after));
        sizes.push_back(size);
    }
    ET_TRY(out.resize(sizes));
    if (out.numel() == 0) {
        return {};
    }
    ReadView source = viewOf(self);
    WriteView target = viewOf(out);
    for (std::size_t dim = 0; dim < dims.size(); ++dim) {
        source.narrow(dim, dims[dim].from, dims[dim].count);
        target.narrow(dim, dims[dim].before, dims[dim].count);
    }
    ET_TRY(copyElements(context.threads(), source, target));
    for (std::size_t dim = dims.size(); dim-- > 0;) {
        WriteView part = viewOf(out);
        for (std::size_t outer = 0; outer < dim; ++outer) {
            part.narrow(outer, dims[outer].before, dims[outer].count);
        }
        ET_TRY(fillSides(part, dim, dims[dim]));
    }
    return {};
}

Result<> constantPadOut(KernelContext& context, const Tensor& self, IntList padding, Scalar value,
                        Tensor& out) {
    ET_ASSIGN(const PaddedDims dims, padDims(self.sizes(), padding));
    ET_TRY(expectFits(self.dtype(), value, "value"));
    return pad(
        context, self, dims,
        [&](const WriteView& part, std::size_t dim, const PaddedDim& padded) -> Result<> {
            WriteView front = part;
            front.narrow(dim, 0, padded.before);
            ET_TRY(fillElements(context.threads(), value, front));
            WriteView back = part;
            back.narrow(dim, padded.before + padded.count, padded.after);
            return fillElements(context.threads(), value, back);
        },
        out);
}

/// Copies positions [start, start + count) of `part` in reverse order to the positions starting at `to`.
Result<> mirror(KernelContext& context, const WriteView& part, std::size_t dim, std::int64_t start,
                std::int64_t to, std::int64_t count) {
    WriteView source = part;
    source.narrow(dim, start, count);
    source.reverse(dim);
    WriteView target = part;
    target.narrow(dim, to, count);
    return copyElements(context.threads(), source, target);
}

/// Errors: InvalidArgument (wrong number of dimensions or paddings for N-dimensional images).
template <std::size_t dimensions>
Result<> expectImage(const Tensor& self, IntList padding) {
    if (padding.size() != 2 * dimensions || self.dim() < dimensions + 1 || self.dim() > dimensions + 2) {
        return invalid(fmt::format("expected {} paddings for {} or {} dimensions, got {} for {}",
                                   2 * dimensions, dimensions + 1, dimensions + 2, padding.size(),
                                   self.dim()));
    }
    return {};
}

/// True if a dimension grows on one side and shrinks on the other: cropped elements may be new ones, or the
/// source of mirrored ones.
bool growsAndShrinks(IntList padding) {
    for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
        if ((padding[i] < 0) != (padding[i + 1] < 0) && padding[i] != 0 && padding[i + 1] != 0) {
            return true;
        }
    }
    return false;
}

/// Maps a result position to its source, relative to the first element of a dimension of `size` elements;
/// positions outside are padding.
using PaddedFrom = std::int64_t (*)(std::int64_t position, std::int64_t size);

constexpr PaddedFrom mirrored = [](std::int64_t position, std::int64_t size) {
    return position < 0 ? -position : position >= size ? 2 * (size - 1) - position : position;
};
constexpr PaddedFrom nearest = [](std::int64_t position, std::int64_t size) {
    return std::clamp<std::int64_t>(position, 0, size - 1);
};

/// Pads element by element, for paddings that growsAndShrinks(): as if padded first, then cropped.
Result<> padEach(const Tensor& self, IntList padding, PaddedFrom from, Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    Sizes sizes = self.sizes();
    Sizes before(sizes.size(), 0);
    constexpr std::int64_t least = INT64_MIN / 4;
    for (std::size_t i = 0; i < padding.size() / 2; ++i) {
        const std::size_t dim = sizes.size() - 1 - i;
        if (padding[2 * i] < least || padding[2 * i + 1] < least) {
            return invalid(fmt::format("expected a padding of at least {}, got {}", least,
                                       std::min(padding[2 * i], padding[2 * i + 1])));
        }
        before[dim] = padding[2 * i];
        ET_ASSIGN(const std::int64_t grown, plusSize(sizes[dim], std::max<std::int64_t>(0, padding[2 * i])));
        ET_ASSIGN(const std::int64_t size, plusSize(grown, std::max<std::int64_t>(0, padding[2 * i + 1])));
        const std::int64_t cut =
            std::min<std::int64_t>(0, padding[2 * i]) + std::min<std::int64_t>(0, padding[2 * i + 1]);
        if (cut <= -size) {
            return invalid(fmt::format("paddings of {} and {} remove all of {} positions", padding[2 * i],
                                       padding[2 * i + 1], sizes[dim]));
        }
        sizes[dim] = size + cut;
    }
    ET_TRY(out.resize(sizes));
    const MoveRow move = selectMoveRow(out.elementSize());
    const auto width = static_cast<std::int64_t>(out.elementSize());
    Sizes at(sizes.size(), 0);
    for (std::int64_t rest = out.numel(); rest > 0; --rest) {
        std::int64_t source = 0;
        std::int64_t target = 0;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            source += from(at[dim] - before[dim], self.size(dim)) * self.stride(dim);
            target += at[dim] * out.stride(dim);
        }
        move(self.raw() + source * width, 0, out.raw() + target * width, 0, 1);
        for (std::size_t dim = sizes.size(); dim-- > 0;) {
            if (++at[dim] < sizes[dim]) {
                break;
            }
            at[dim] = 0;
        }
    }
    return {};
}

/// Errors: InvalidArgument (padding larger than the dimension allows).
Result<> expectMirrored(const Sizes& sizes, IntList padding) {
    for (std::size_t i = 0; i < padding.size(); ++i) {
        const std::int64_t size = sizes[sizes.size() - 1 - i / 2];
        if (padding[i] != 0 && padding[i] >= size) {
            return invalid(fmt::format("expected paddings of at most {}, got {}", size - 1, padding[i]));
        }
    }
    return {};
}

template <std::size_t dimensions>
Result<> reflectionPadOut(KernelContext& context, const Tensor& self, IntList padding, Tensor& out) {
    ET_TRY(expectImage<dimensions>(self, padding));
    ET_TRY(expectMirrored(self.sizes(), padding));
    if (growsAndShrinks(padding)) {
        return padEach(self, padding, mirrored, out);
    }
    ET_ASSIGN(const PaddedDims dims, padDims(self.sizes(), padding));
    return pad(
        context, self, dims,
        [&](const WriteView& part, std::size_t dim, const PaddedDim& padded) -> Result<> {
            ET_TRY(mirror(context, part, dim, padded.before + 1, 0, padded.before));
            const std::int64_t end = padded.before + padded.count;
            return mirror(context, part, dim, end - 1 - padded.after, end, padded.after);
        },
        out);
}

/// Copies position `start` of `part` to `count` positions starting at `to`.
Result<> spread(KernelContext& context, const WriteView& part, std::size_t dim, std::int64_t start,
                std::int64_t to, std::int64_t count) {
    WriteView source = part;
    source.narrow(dim, start, 1);
    source.sizes[dim] = count;
    WriteView target = part;
    target.narrow(dim, to, count);
    return copyElements(context.threads(), source, target);
}

template <std::size_t dimensions>
Result<> replicationPadOut(KernelContext& context, const Tensor& self, IntList padding, Tensor& out) {
    ET_TRY(expectImage<dimensions>(self, padding));
    for (std::size_t i = 0; i < padding.size(); ++i) {
        if (padding[i] != 0 && self.sizes()[self.dim() - 1 - i / 2] == 0) {
            return invalid("expected elements to repeat, got none");
        }
    }
    if (growsAndShrinks(padding)) {
        return padEach(self, padding, nearest, out);
    }
    ET_ASSIGN(const PaddedDims dims, padDims(self.sizes(), padding));
    return pad(
        context, self, dims,
        [&](const WriteView& part, std::size_t dim, const PaddedDim& padded) -> Result<> {
            ET_TRY(spread(context, part, dim, padded.before, 0, padded.before));
            const std::int64_t end = padded.before + padded.count;
            return spread(context, part, dim, end - 1, end, padded.after);
        },
        out);
}

constexpr KernelEntry paddingEntries[] = {
    {"aten::constant_pad_nd.out", box<&constantPadOut>},
    {"aten::reflection_pad1d.out", box<&reflectionPadOut<1>>},
    {"aten::reflection_pad2d.out", box<&reflectionPadOut<2>>},
    {"aten::reflection_pad3d.out", box<&reflectionPadOut<3>>},
    {"aten::replication_pad1d.out", box<&replicationPadOut<1>>},
    {"aten::replication_pad2d.out", box<&replicationPadOut<2>>},
    {"aten::replication_pad3d.out", box<&replicationPadOut<3>>},
};

}  // namespace

std::span<const KernelEntry> paddingKernels() {
    return paddingEntries;
}

}  // namespace et::kernels

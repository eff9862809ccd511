#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"
#include "runtime/kernels/type_promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

// Operators that concatenate, split or repeat tensors.
namespace et::kernels {
namespace {

using core::Result;

Result<> expectOthers(TensorList tensors, const Tensor& out) {
    if (tensors.empty()) {
        return invalid("expected at least one tensor, got none");
    }
    if (std::ranges::contains(tensors, &out)) {
        return invalid("the result is also one of the tensors");
    }
    return {};
}

Result<> expectCast(const Tensor& tensor, const Tensor& out) {
    if (!canCast(tensor.dtype(), out.dtype())) {
        return invalid(fmt::format("expected a result that can hold {}, got {}",
                                   core::scalarTypeName(tensor.dtype()), core::scalarTypeName(out.dtype())));
    }
    return {};
}

/// A tensor of shape [0], which can be concatenated with every shape for historical reasons.
bool isSkipped(const Tensor* tensor) {
    return tensor->dim() == 1 && tensor->numel() == 0;
}

/// Returns the sizes of tensors concatenated along `dim`.
Result<Sizes> joinedSizes(TensorList tensors, const Tensor& model, std::size_t dim) {
    Sizes sizes = model.sizes();
    sizes[dim] = 0;
    for (const Tensor* tensor : tensors) {
        if (isSkipped(tensor)) {
            continue;
        }
        Sizes expected = model.sizes();
        if (tensor->dim() == model.dim()) {
            expected[dim] = tensor->size(dim);
        }
        if (tensor->sizes() != expected) {
            return invalid(fmt::format("expected sizes like {} except for dimension {}, got {}",
                                       core::sizesText(model.sizes()), dim,
                                       core::sizesText(tensor->sizes())));
        }
        ET_ASSIGN(sizes[dim], plusSize(sizes[dim], tensor->size(dim)));
    }
    return sizes;
}

Result<> catOut(KernelContext& context, TensorList tensors, std::int64_t dim, Tensor& out) {
    ET_TRY(expectOthers(tensors, out));
    for (const Tensor* tensor : tensors) {
        ET_TRY(expectCast(*tensor, out));
        if (tensor->dim() == 0) {
            return invalid("expected tensors with dimensions, got one without");
        }
    }
    const auto found = std::ranges::find_if_not(tensors, isSkipped);
    const Tensor& model = found == tensors.end() ? *tensors.front() : **found;
    ET_ASSIGN(const std::size_t along, wrapDim(dim, model.dim()));
    ET_ASSIGN(const Sizes sizes, joinedSizes(tensors, model, along));
    ET_TRY(out.resize(sizes));
    std::int64_t start = 0;
    for (const Tensor* tensor : tensors) {
        if (!isSkipped(tensor)) {
            WriteView part = viewOf(out);
            part.narrow(along, start, tensor->size(along));
            ET_TRY(copyElements(context.threads(), viewOf(*tensor), part));
            start += tensor->size(along);
        }
    }
    return {};
}

Result<> stackOut(KernelContext& context, TensorList tensors, std::int64_t dim, Tensor& out) {
    ET_TRY(expectOthers(tensors, out));
    Sizes sizes = tensors.front()->sizes();
    for (const Tensor* tensor : tensors) {
        ET_TRY(expectCast(*tensor, out));
        if (tensor->sizes() != sizes) {
            return invalid(fmt::format("expected tensors of {}, got {}", core::sizesText(sizes),
                                       core::sizesText(tensor->sizes())));
        }
    }
    ET_TRY(expectRank(sizes.size() + 1));
    ET_ASSIGN(const std::size_t along, wrapDim(dim, sizes.size() + 1));
    sizes.insert(along, static_cast<std::int64_t>(tensors.size()));
    ET_TRY(out.resize(sizes));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        WriteView part = viewOf(out);
        part.select(along, static_cast<std::int64_t>(i));
        ET_TRY(copyElements(context.threads(), viewOf(*tensors[i]), part));
    }
    return {};
}

/// Errors: InvalidArgument (wrong number of results, or the input is one of them).
Result<> expectParts(const Tensor& self, std::int64_t parts, const OutTensorList& out) {
    if (static_cast<std::uint64_t>(parts) != out.items.size()) {
        return invalid(fmt::format("expected {} results, got {}", parts, out.items.size()));
    }
    if (std::ranges::contains(out.items, &self)) {
        return invalid("the input is also one of the results");
    }
    return {};
}

/// Copies parts of `lengthOf(i)` positions along `dim`, which cover the whole dimension.
template <class LengthOf>
Result<> splitInto(KernelContext& context, const Tensor& self, std::size_t dim, const LengthOf& lengthOf,
                   const OutTensorList& out) {
    std::int64_t start = 0;
    for (std::size_t i = 0; i < out.items.size(); ++i) {
        const std::int64_t length = lengthOf(i, self.size(dim) - start);
        ReadView part = viewOf(self);
        part.narrow(dim, start, length);
        ET_TRY(copyView(context, part, *out.items[i]));
        start += length;
    }
    return {};
}

Result<> splitCopyOut(KernelContext& context, const Tensor& self, std::int64_t splitSize, std::int64_t dim,
                      OutTensorList out) {
    ET_ASSIGN(const Slice all, sliceOf(self.sizes(), dim, {}, {}, 1));
    if (splitSize < 0 || (splitSize == 0 && all.count != 0)) {
        return invalid(fmt::format("expected a split size of at least 1, got {}", splitSize));
    }
    ET_TRY(expectParts(self, all.count == 0 ? 1 : (all.count - 1) / splitSize + 1, out));
    return splitInto(
        context, self, all.dim, [&](std::size_t, std::int64_t rest) { return std::min(splitSize, rest); },
        out);
}

Result<> splitWithSizesCopyOut(KernelContext& context, const Tensor& self, IntList splitSizes,
                               std::int64_t dim, OutTensorList out) {
    ET_ASSIGN(const Slice all, sliceOf(self.sizes(), dim, {}, {}, 1));
    ET_TRY(expectParts(self, static_cast<std::int64_t>(splitSizes.size()), out));
    std::int64_t rest = all.count;
    for (const std::int64_t size : splitSizes) {
        if (size < 0 || size > rest) {
            return invalid(
                fmt::format("expected split sizes of {} positions in total, got one of {}", all.count, size));
        }
        rest -= size;
    }
    if (rest != 0) {
        return invalid(fmt::format("expected split sizes of {} positions in total, got {}", all.count,
                                   all.count - rest));
    }
    return splitInto(context, self, all.dim, [&](std::size_t i, std::int64_t) { return splitSizes[i]; }, out);
}

Result<> unbindCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim, OutTensorList out) {
    ET_ASSIGN(const Slice all, sliceOf(self.sizes(), dim, {}, {}, 1));
    ET_TRY(expectParts(self, all.count, out));
    for (std::size_t i = 0; i < out.items.size(); ++i) {
        ReadView part = viewOf(self);
        part.select(all.dim, static_cast<std::int64_t>(i));
        ET_TRY(copyView(context, part, *out.items[i]));
    }
    return {};
}

/// Repeatedly appends a copy of the filled part along `dim` until the dimension is full.
Result<> repeatAlong(KernelContext& context, WriteView filled, std::size_t dim, std::int64_t total) {
    std::int64_t done = filled.sizes[dim];
    while (done < total) {
        const std::int64_t count = std::min(done, total - done);
        filled.sizes[dim] = count;
        WriteView next = filled;
        next.offset += done * filled.strides[dim];
        ET_TRY(copyElements(context.threads(), filled, next));
        done += count;
    }
    return {};
}

Result<> repeatOut(KernelContext& context, const Tensor& self, IntList repeats, Tensor& out) {
    ET_ASSIGN(const Sizes factors, sizesOf(repeats));
    if (factors.size() < self.dim()) {
        return invalid(fmt::format("expected at least {} repeats, got {}", self.dim(), factors.size()));
    }
    ReadView source = viewOf(self);
    while (source.dim() < factors.size()) {
        source.sizes.insert(0, 1);
        source.strides.insert(0, 0);
    }
    Sizes sizes = source.sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        ET_ASSIGN(sizes[dim], timesSize(sizes[dim], factors[dim]));
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(out.resize(sizes));
    if (out.numel() == 0) {
        return {};
    }
    WriteView filled = viewOf(out);
    filled.sizes = source.sizes;
    ET_TRY(copyElements(context.threads(), source, filled));
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
        ET_TRY(repeatAlong(context, filled, dim, sizes[dim]));
        filled.sizes[dim] = sizes[dim];
    }
    return {};
}

/// Writes each index i repeats[i] times, in order.
template <class T>
Result<> repeatIndices(const ReadView& repeats, std::optional<std::int64_t> outputSize, Tensor& out) {
    const std::span<const T> counts(reinterpret_cast<const T*>(repeats.data),
                                    static_cast<std::size_t>(repeats.sizes[0]));
    std::int64_t total = 0;
    for (const T count : counts) {
        if (count < 0) {
            return invalid(fmt::format("expected repeats of at least 0, got {}", count));
        }
        ET_ASSIGN(total, plusSize(total, count));
    }
    if (outputSize && *outputSize != total) {
        return invalid(
            fmt::format("expected a result of {} (the sum of the repeats), got {}", total, *outputSize));
    }
    ET_TRY(out.resize(Sizes{total}));
    T* next = out.mutableData<T>();
    T* const end = next + total;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        // A hostile program may plan the result into the memory of the repeats, which then change during this
        // loop.
        const auto count = std::clamp<std::int64_t>(counts[i], 0, end - next);
        next = std::fill_n(next, count, static_cast<T>(i));
    }
    return {};
}

Result<> repeatInterleaveOut(KernelContext&, const Tensor& repeats, std::optional<std::int64_t> outputSize,
                             Tensor& out) {
    ET_TRY(expectType(out, repeats.dtype()));
    if (repeats.dim() != 1) {
        return invalid(fmt::format("expected repeats with one dimension, got {}", repeats.dim()));
    }
    switch (repeats.dtype()) {
        case ScalarType::Int:
            return repeatIndices<std::int32_t>(viewOf(repeats), outputSize, out);
        case ScalarType::Long:
            return repeatIndices<std::int64_t>(viewOf(repeats), outputSize, out);
        default:
            return unsupportedType(repeats.dtype());
    }
}

constexpr KernelEntry joinEntries[] = {
    {"aten::cat.out", box<&catOut>},
    {"aten::stack.out", box<&stackOut>},
    {"aten::split_copy.Tensor_out", box<&splitCopyOut>},
    {"aten::split_with_sizes_copy.out", box<&splitWithSizesCopyOut>},
    {"aten::unbind_copy.int_out", box<&unbindCopyOut>},
    {"aten::repeat.out", box<&repeatOut>},
    {"aten::repeat_interleave.Tensor_out", box<&repeatInterleaveOut>},
};

}  // namespace

std::span<const KernelEntry> joinKernels() {
    return joinEntries;
}

}  // namespace et::kernels

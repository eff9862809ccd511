#include "runtime/kernels/prim/memory_views.h"

#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace et::kernels::prim {
namespace {

/// Returns the sizes with -1 resolved for `elements` elements.
core::Result<Sizes> viewSizes(IntList size, std::int64_t elements) {
    if (size.size() > core::maxDims) {
        return core::fail(core::ErrorCode::Limit, fmt::format("{} dimensions", size.size()));
    }
    Sizes sizes(size);
    auto free = std::ranges::find(sizes, -1);
    std::int64_t known = 1;
    for (std::int64_t& dimension : sizes) {
        if (&dimension == free) {
            continue;
        }
        if (dimension < 0) {
            return invalid(fmt::format("expected sizes with at most one -1, got {}", core::sizesText(size)));
        }
        if (__builtin_mul_overflow(known, dimension, &known)) {
            return invalid(fmt::format("a view of {} is too large", core::sizesText(size)));
        }
    }
    if (free != sizes.end()) {
        if (known == 0 || elements % known != 0) {
            return invalid(
                fmt::format("{} elements cannot be viewed as {}", elements, core::sizesText(size)));
        }
        *free = elements / known;
    } else if (known != elements) {
        return invalid(fmt::format("{} elements cannot be viewed as {}", elements, core::sizesText(size)));
    }
    return sizes;
}

/// Returns the tensor in `out` if it may become a view of `self`. A view of a weight is allowed; a weight
/// itself keeps its shape, because kernels rely on that.
core::Result<Tensor*> viewTarget(core::Value& out, const Tensor& self) {
    Tensor* target = out.as<Tensor>();
    if (target == nullptr) {
        return invalid(fmt::format("expected a tensor for the view, got {}", out.kindName()));
    }
    if (target->dtype() != self.dtype()) {
        return invalid(fmt::format("expected a view of {}, got {}", core::scalarTypeName(self.dtype()),
                                   core::scalarTypeName(target->dtype())));
    }
    if (target->isConstant()) {
        const std::less_equal<const std::byte*> notAfter;
        const bool within = notAfter(self.raw(), target->raw()) &&
                            notAfter(target->raw() + target->bytes(), self.raw() + self.bytes());
        if (!self.isConstant() || !within) {
            return invalid("expected a tensor for the view, got a weight");
        }
    }
    return target;
}

/// Makes `target` a view of `self` from `offset` (in elements) on, or a copy if that memory may move.
/// Elements are in row-major order of `sizes`, or as given by `strides`.
core::Result<> place(Tensor& target, const Tensor& self, std::int64_t offset, const Sizes& sizes,
                     const Strides* strides) {
    const bool moves = self.resizable() == Tensor::Shape::Growing;
    std::byte* source =
        self.raw() == nullptr ? nullptr : self.raw() + static_cast<std::size_t>(offset) * self.elementSize();
    Tensor changed = target;
    if (!moves) {
        // The old shape does not match the new memory: only this copy has both until the sizes are set.
        changed.setMemory(source, self.bytes() - static_cast<std::size_t>(offset) * self.elementSize());
        changed.setConstant(self.isConstant());
    }
    ET_TRY(changed.resize(sizes));
    bool sameOrder = changed.isContiguous();
    if (strides != nullptr) {
        sameOrder = true;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            sameOrder = sameOrder && (sizes[i] == 1 || changed.stride(i) == (*strides)[i]);
        }
    }
    if (!sameOrder && changed.numel() > 1) {
        return invalid("the view's dim order differs from that of its tensor");
    }
    if (moves) {
        if (changed.raw() == nullptr && changed.bytes() != 0) {
            return core::fail(core::ErrorCode::Unsupported,
                              "the view has no memory, and its tensor has unbounded size");
        }
        if (changed.bytes() != 0) {
            std::memmove(changed.raw(), source, changed.bytes());
        }
    }
    target = changed;
    return {};
}

/// Resizes `to` and keeps its contents, even if its memory moves.
core::Result<> resizeKeepingRows(KernelContext& context, Tensor& to, const Sizes& sizes) {
    const std::size_t before = to.bytes();
    const std::byte* memory = to.raw();
    if (to.resizable() != Tensor::Shape::Growing || before == 0 || memory == nullptr) {
        return to.resize(sizes);
    }
    ET_ASSIGN(const auto saved, context.scratch<std::byte>(before));
    std::memcpy(saved.data(), memory, before);
    ET_TRY(to.resize(sizes));
    std::memcpy(to.raw(), saved.data(), std::min(before, to.bytes()));
    return {};
}

core::Result<> checkRow(const Tensor& to, const Tensor& from, std::int64_t index) {
    if (to.dtype() != from.dtype()) {
        return invalid(fmt::format("expected a row of {}, got {}", core::scalarTypeName(to.dtype()),
                                   core::scalarTypeName(from.dtype())));
    }
    if (to.dim() != from.dim() + 1) {
        return invalid(fmt::format("expected a row of {} dimensions, got {}",
                                   static_cast<std::int64_t>(to.dim()) - 1, from.dim()));
    }
    if (index < 0 || index == INT64_MAX) {
        return invalid(fmt::format("expected a row of at least 0, got {}", index));
    }
    return {};
}

}  // namespace

core::Result<> view(KernelContext&, const Tensor& self, IntList size, core::Value& out) {
    ET_ASSIGN(Tensor * target, viewTarget(out, self));
    ET_ASSIGN(const Sizes sizes, viewSizes(size, self.numel()));
    const bool sameShape = sizes == self.sizes();
    if (!sameShape && !self.isContiguous()) {
        return invalid("expected a row-major tensor for a view with different sizes");
    }
    return place(*target, self, 0, sizes, sameShape ? &self.strides() : nullptr);
}

core::Result<> select(KernelContext&, const Tensor& self, std::int64_t dim, std::int64_t index,
                      core::Value& out) {
    ET_ASSIGN(Tensor * target, viewTarget(out, self));
    if (self.dim() == 0) {
        return invalid("expected a tensor with at least one dimension to select from");
    }
    ET_ASSIGN(const std::size_t axis, wrapDim(dim, self.dim()));
    const std::int64_t count = self.size(axis);
    if (index < -count || index >= count) {
        return invalid(fmt::format("expected an index from {} to {}, got {}", -count, count - 1, index));
    }
    Sizes sizes;
    Strides strides;
    for (std::size_t i = 0; i < self.dim(); ++i) {
        if (i == axis) {
            continue;
        }
        if (self.size(i) > 1 && self.stride(i) > self.stride(axis)) {
            return invalid(fmt::format("a selection in dimension {} is not contiguous in memory", dim));
        }
        sizes.push_back(self.size(i));
        strides.push_back(self.stride(i));
    }
    return place(*target, self, (index < 0 ? index + count : index) * self.stride(axis), sizes, &strides);
}

core::Result<> copyIndex(KernelContext& context, Tensor& to, const Tensor& from, std::int64_t index) {
    ET_TRY(checkRow(to, from, index));
    const bool resizes = to.resizable() != Tensor::Shape::Fixed;
    Sizes sizes{resizes ? index + 1 : to.size(0)};
    for (const std::int64_t size : from.sizes()) {
        sizes.push_back(size);
    }
    ET_TRY(resizeKeepingRows(context, to, sizes));
    if (index >= to.size(0)) {
        return invalid(fmt::format("expected a row below {}, got {}", to.size(0), index));
    }
    WriteView row = viewOf(to);
    row.select(0, index);
    return copyElements(context.threads(), viewOf(from), row);
}

}  // namespace et::kernels::prim

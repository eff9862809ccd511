#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace et::core {
namespace {

bool isPermutation(std::span<const std::uint8_t> order) {
    std::uint32_t seen = 0;
    for (const std::uint8_t dimension : order) {
        if (dimension >= order.size() || (seen >> dimension & 1U) != 0) {
            return false;
        }
        seen |= 1U << dimension;
    }
    return true;
}

}  // namespace

Result<Tensor> Tensor::make(ScalarType dtype, std::span<const std::int64_t> sizes, std::byte* data,
                            std::span<const std::uint8_t> order) {
    Result<Tensor> tensor;
    if (auto made = tensor->makeHere(dtype, sizes, data, order); !made) {
        tensor = std::unexpected(std::move(made).error());
    }
    return tensor;
}

Result<> Tensor::makeHere(ScalarType dtype, std::span<const std::int64_t> sizes, std::byte* data,
                          std::span<const std::uint8_t> dimOrder) {
    type = dtype;
    elementWidth = static_cast<std::uint8_t>(core::elementBytes(dtype));
    if (elementWidth == 0) {
        return fail(ErrorCode::Unsupported, fmt::format("{} has no element size", scalarTypeName(dtype)));
    }
    ET_TRY(layOut(sizes, dimOrder));
    memory = data;
    capacity = bytes();
    return {};
}

Result<> Tensor::layOut(std::span<const std::int64_t> sizes, std::span<const std::uint8_t> dimOrder) {
    if (sizes.size() > maxDims) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} dimensions exceed the maximum of {}", sizes.size(), maxDims));
    }
    const auto total = tensorBytes(static_cast<std::int64_t>(type), sizes);
    if (!total) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("tensor sizes {} are negative or too large", sizesText(sizes)));
    }
    if (dimOrder.size() != sizes.size()) {
        order.resize(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            order[i] = static_cast<std::uint8_t>(i);
        }
    } else if (!isPermutation(dimOrder)) {
        return fail(ErrorCode::InvalidArgument, "dim order is not a permutation of the dimensions");
    } else {
        order.assign(dimOrder);
    }
    shape.assign(sizes);
    steps.resize(sizes.size());
    std::int64_t step = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        steps[order[i]] = step;
        // Only an empty tensor can have strides beyond 63 bits, and these are never used.
        if (__builtin_mul_overflow(step, std::max<std::int64_t>(shape[order[i]], 1), &step)) {
            step = 0;
        }
    }
    elements = *total / static_cast<std::int64_t>(elementWidth);
    return {};
}

bool Tensor::isContiguous() const {
    std::int64_t step = 1;
    for (std::size_t i = dim(); i-- > 0;) {
        if (shape[i] != 1 && steps[i] != step) {
            return elements == 0;
        }
        step *= shape[i];
    }
    return true;
}

bool Tensor::sameLayout(const Tensor& other) const {
    for (std::size_t i = 0; i < dim(); ++i) {
        if (shape[i] != 1 && steps[i] != other.steps[i]) {
            return elements == 0;
        }
    }
    return true;
}

Result<> Tensor::resize(std::span<const std::int64_t> sizes) {
    if (std::ranges::equal(sizes, shape)) {
        return {};
    }
    if (resizing == Shape::Fixed) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a result of {}, got {}", sizesText(shape), sizesText(sizes)));
    }
    Tensor changed = *this;
    ET_TRY(changed.layOut(sizes, order));
    if (changed.bytes() > capacity) {
        if (resizing == Shape::Bounded) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("expected a result of at most {} bytes (the memory plan), got {} with {} bytes",
                            capacity, sizesText(sizes), changed.bytes()));
        }
        ET_ASSIGN(changed.memory, growing->reserve(changed.bytes()));
        changed.capacity = changed.bytes();
    }
    *this = changed;
    return {};
}

std::string sizesText(std::span<const std::int64_t> sizes) {
    return fmt::format("[{}]", fmt::join(sizes, ", "));
}

std::string describe(const Tensor& tensor) {
    return fmt::format("{} {}", scalarTypeName(tensor.dtype()), sizesText(tensor.sizes()));
}

}  // namespace et::core

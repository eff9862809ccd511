#include "runtime/kernels/strided_copy.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/element_conversion.h"
#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <complex>
#include <cstring>

namespace et::kernels {
namespace {

/// Minimum bytes of work per thread.
constexpr std::int64_t threadBytes = std::int64_t{128} * 1024;
/// Side of the square that is transposed at a time; source and destination fit in the L1 cache.
constexpr std::int64_t tileSide = 32;

template <class Byte, class TensorType>
StridedView<Byte> wholeOf(TensorType& tensor) {
    return {.dtype = tensor.dtype(),
            .elementSize = tensor.elementSize(),
            .data = tensor.raw(),
            .offset = 0,
            .sizes = tensor.sizes(),
            // Strides of an empty tensor may be large enough to overflow in arithmetic.
            .strides = tensor.numel() == 0 ? Strides(tensor.dim(), 0) : tensor.strides()};
}

std::size_t grainOf(std::int64_t itemBytes) {
    return static_cast<std::size_t>(
        std::max<std::int64_t>(threadBytes / std::max<std::int64_t>(itemBytes, 1), 1));
}

template <class Byte>
StridedView<Byte> partOf(StridedView<Byte> view, std::int64_t part) {
    view.dtype = view.dtype == core::ScalarType::ComplexDouble  ? core::ScalarType::Double
                 : view.dtype == core::ScalarType::ComplexFloat ? core::ScalarType::Float
                                                                : core::ScalarType::Half;
    view.elementSize /= 2;
    view.offset = view.offset * 2 + part;
    for (std::int64_t& stride : view.strides) {
        stride *= 2;
    }
    return view;
}

core::Result<> convertReal(const ThreadPool& threads, const ReadView& from, const WriteView& to) {
    ET_ASSIGN(const Conversion conversion, Conversion::between(from.dtype, to.dtype));
    const StridedWalk<2> walk(to.sizes, {to.strides, from.strides});
    const auto fromWidth = static_cast<std::int64_t>(from.elementSize);
    const auto toWidth = static_cast<std::int64_t>(to.elementSize);
    const std::int64_t fromStep = walk.rowStrides()[1] * fromWidth;
    const std::int64_t toStep = walk.rowStrides()[0] * toWidth;
    if (walk.rows() == 1) {
        threads.parallelFor(static_cast<std::size_t>(walk.rowLength()), grainOf(toWidth),
                            [&](std::size_t begin, std::size_t end) {
                                const auto first = static_cast<std::int64_t>(begin);
                                conversion.run(from.first() + first * fromStep, fromStep,
                                               to.first() + first * toStep, toStep,
                                               static_cast<std::int64_t>(end - begin));
                            });
        return {};
    }
    threads.parallelFor(static_cast<std::size_t>(walk.rows()), grainOf(walk.rowLength() * toWidth),
                        [&](std::size_t begin, std::size_t end) {
                            walk.forRows(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end),
                                         [&](const std::array<std::int64_t, 2>& at) {
                                             conversion.run(from.first() + at[1] * fromWidth, fromStep,
                                                            to.first() + at[0] * toWidth, toStep,
                                                            walk.rowLength());
                                         });
                        });
    return {};
}

/// True if the real or the imaginary part is nonzero.
core::Result<> complexToBool(const ThreadPool& threads, const ReadView& from, const WriteView& to) {
    ET_TRY(convertReal(threads, partOf(from, 0), to));
    const ReadView imaginary = partOf(from, 1);
    ET_ASSIGN(const Conversion conversion, Conversion::between(imaginary.dtype, core::ScalarType::Bool));
    const StridedWalk<2> walk(to.sizes, {to.strides, from.strides});
    const auto width = static_cast<std::int64_t>(from.elementSize);
    const std::int64_t fromStep = walk.rowStrides()[1] * width;
    walk.forRows(0, walk.rows(), [&](const std::array<std::int64_t, 2>& at) {
        for (std::int64_t i = 0; i < walk.rowLength(); ++i) {
            std::byte truth{};
            conversion.run(imaginary.first() + at[1] * width + i * fromStep, 0, &truth, 0, 1);
            to.first()[at[0] + i * walk.rowStrides()[0]] |= truth;
        }
    });
    return {};
}

core::Result<> convertElements(const ThreadPool& threads, const ReadView& from, const WriteView& to) {
    const bool toComplex = core::isComplex(to.dtype);
    if (!core::isComplex(from.dtype)) {
        if (!toComplex) {
            return convertReal(threads, from, to);
        }
        ET_TRY(copyElements(threads, from, partOf(to, 0)));
        return fillElements(threads, 0.0, partOf(to, 1));
    }
    if (to.dtype == core::ScalarType::Bool) {
        return complexToBool(threads, from, to);
    }
    // Converting a complex number to real drops its imaginary part.
    ET_TRY(copyElements(threads, partOf(from, 0), toComplex ? partOf(to, 0) : to));
    return toComplex ? copyElements(threads, partOf(from, 1), partOf(to, 1)) : core::Result<>{};
}

}  // namespace

ReadView complexPart(ReadView view, std::int64_t part) {
    return partOf(view, part);
}

WriteView complexPart(WriteView view, std::int64_t part) {
    return partOf(view, part);
}

ReadView viewOf(const core::Tensor& tensor) {
    return wholeOf<const std::byte>(tensor);
}

WriteView viewOf(core::Tensor& tensor) {
    return wholeOf<std::byte>(tensor);
}

core::Result<ReadView> broadcastTo(ReadView view, std::span<const std::int64_t> sizes) {
    bool fits = view.dim() <= sizes.size();
    for (std::size_t back = 1; fits && back <= view.dim(); ++back) {
        const std::int64_t size = view.sizes[view.dim() - back];
        fits = size == 1 || size == sizes[sizes.size() - back];
    }
    if (!fits) {
        return invalid(fmt::format("expected a shape that broadcasts to {}, got {}", core::sizesText(sizes),
                                   core::sizesText(view.sizes)));
    }
    view.strides = broadcastStrides(view.sizes, view.strides, sizes);
    view.sizes.assign(sizes);
    return view;
}

Strides rowMajorStrides(std::span<const std::int64_t> sizes) {
    if (std::ranges::contains(sizes, 0)) {
        return Strides(sizes.size(), 0);
    }
    Strides strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * sizes[i];
    }
    return strides;
}

core::Result<> copyElements(const ThreadPool& threads, const ReadView& from, const WriteView& to) {
    assert(from.sizes == to.sizes);
    if (to.isEmpty()) {
        return {};
    }
    if (from.dtype != to.dtype) {
        return convertElements(threads, from, to);
    }
    CopyPlan(to.elementSize, to.sizes, from.strides, to.strides).run(threads, from.first(), to.first());
    return {};
}

core::Result<> fillElements(const ThreadPool& threads, core::Scalar number, const WriteView& to) {
    ET_ASSIGN(const ElementBytes element, elementOf(to.dtype, number));
    const ReadView everywhere{.dtype = to.dtype,
                              .elementSize = to.elementSize,
                              .data = element.data(),
                              .offset = 0,
                              .sizes = to.sizes,
                              .strides = Strides(to.dim(), 0)};
    return copyElements(threads, everywhere, to);
}

CopyPlan::CopyPlan(std::size_t width, std::span<const std::int64_t> sizes, const Strides& fromStrides,
                   const Strides& toStrides)
    : walk(sizes, {toStrides, fromStrides}),
      elementSize(static_cast<std::int64_t>(width)),
      toStep(walk.rowStrides()[0] * elementSize),
      fromStep(walk.rowStrides()[1] * elementSize),
      items(walk.rows()),
      itemElements(walk.rowLength()) {
    const bool contiguous = itemElements == 1 || (toStep == elementSize && fromStep == elementSize);
    if (!contiguous) {
        moveRow = selectMoveRow(width);
        chooseTranspose();
    }
}

/// If `to` is contiguous along rows and `from` along another dimension, copying row by row would use one
/// element per cache line and reload the line for the next one.
void CopyPlan::chooseTranspose() {
    if (toStep != elementSize || fromStep == 0) {
        return;
    }
    const auto& strides = walk.outerDimStrides()[1];
    const auto* found = std::ranges::find(strides, 1);
    if (found == strides.end()) {
        return;
    }
    const auto dimension = static_cast<std::size_t>(found - strides.begin());
    transposeTile = selectTransposeTile(static_cast<std::size_t>(elementSize));
    countA = walk.outerDims()[dimension];
    stepA = walk.outerDimStrides()[0][dimension] * elementSize;
    stripsA = (countA + tileSide - 1) / tileSide;
    walk = walk.without(dimension);
    items = walk.rows() * stripsA;
    itemElements = walk.rowLength() * std::min(countA, tileSide);
}

void CopyPlan::run(const ThreadPool& threads, const std::byte* from, std::byte* to) const {
    if (items == 1 && moveRow == nullptr) {
        const std::int64_t bytes = itemElements * elementSize;
        threads.parallelFor(
            static_cast<std::size_t>(bytes), threadBytes,
            [&](std::size_t begin, std::size_t end) { std::memmove(to + begin, from + begin, end - begin); });
        return;
    }
    threads.parallelFor(static_cast<std::size_t>(items), grainOf(itemElements * elementSize),
                        [&](std::size_t begin, std::size_t end) {
                            runItems(from, to, static_cast<std::int64_t>(begin),
                                     static_cast<std::int64_t>(end));
                        });
}

void CopyPlan::runItems(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
    if (transposeTile != nullptr) {
        runStrips(from, to, begin, end);
    } else {
        runRows(from, to, begin, end);
    }
}

void CopyPlan::runRows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
    walk.forRows(begin, end, [&](const std::array<std::int64_t, 2>& at) {
        const std::byte* source = from + at[1] * elementSize;
        std::byte* target = to + at[0] * elementSize;
        if (moveRow == nullptr) {
            // A hostile program may plan both into the same memory.
            std::memmove(target, source, static_cast<std::size_t>(itemElements * elementSize));
        } else {
            moveRow(source, fromStep, target, toStep, itemElements);
        }
    });
}

void CopyPlan::runStrips(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
    const std::int64_t countB = walk.rowLength();
    std::int64_t item = begin;
    walk.forRows(begin / stripsA, (end + stripsA - 1) / stripsA, [&](const std::array<std::int64_t, 2>& at) {
        for (std::int64_t strip = item % stripsA; strip < stripsA && item < end; ++strip, ++item) {
            const std::int64_t a = strip * tileSide;
            const std::byte* source = from + (at[1] + a) * elementSize;
            std::byte* target = to + at[0] * elementSize + a * stepA;
            for (std::int64_t b = 0; b < countB; b += tileSide) {
                transposeTile(source + b * fromStep, fromStep, target + b * elementSize, stepA,
                              std::min(tileSide, countA - a), std::min(tileSide, countB - b));
            }
        }
    });
}

}  // namespace et::kernels

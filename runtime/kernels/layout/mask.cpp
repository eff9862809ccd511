#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/index_values.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <algorithm>

// Operators on the elements selected by a mask, in row-major order.
namespace et::kernels {
namespace {

using core::Result;

/// A tensor and a mask, broadcast to a common shape.
struct Masked {
    ReadView elements;
    std::span<const bool> truths;
    std::int64_t count = 0;  ///< of truths
};

Result<Masked> maskedOf(KernelContext& context, const Tensor& self, const Tensor& mask) {
    if (mask.dtype() != ScalarType::Bool && mask.dtype() != ScalarType::Byte) {
        return unsupportedType(mask.dtype());
    }
    Masked masked;
    ET_ASSIGN(const Sizes sizes, broadcastSizes(self.sizes(), mask.sizes()));
    ET_ASSIGN(masked.elements, broadcastTo(viewOf(self), sizes));
    ET_ASSIGN(const ReadView everywhere, broadcastTo(viewOf(mask), sizes));
    ET_ASSIGN(masked.truths, truthsOf(context, everywhere));
    masked.count = std::ranges::count(masked.truths, true);
    return masked;
}

Result<> maskedSelectOut(KernelContext& context, const Tensor& self, const Tensor& mask, Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    ET_ASSIGN(const Masked masked, maskedOf(context, self, mask));
    ET_TRY(out.resize(Sizes{masked.count}));
    const MoveRow move = selectMoveRow(out.elementSize());
    const auto width = static_cast<std::int64_t>(out.elementSize());
    std::byte* next = out.raw();
    forRowMajor(masked.elements.sizes, masked.elements.strides, [&](std::int64_t i, std::int64_t offset) {
        if (masked.truths[static_cast<std::size_t>(i)]) {
            move(masked.elements.data + offset * width, 0, next, 0, 1);
            next += width;
        }
    });
    return {};
}

Result<> maskedScatterOut(KernelContext& context, const Tensor& self, const Tensor& mask,
                          const Tensor& source, Tensor& out) {
    ET_TRY(expectType(source, self.dtype(), "source"));
    ET_ASSIGN(const Masked masked, maskedOf(context, self, mask));
    if (source.numel() < masked.count) {
        return invalid(
            fmt::format("expected a source of at least {} elements, got {}", masked.count, source.numel()));
    }
    ET_TRY(copyView(context, masked.elements, out));
    ET_ASSIGN(const ReadView ordered, rowMajor(context, viewOf(source)));
    const MoveRow move = selectMoveRow(out.elementSize());
    const auto width = static_cast<std::int64_t>(out.elementSize());
    const std::byte* next = ordered.data;
    forRowMajor(out.sizes(), out.strides(), [&](std::int64_t i, std::int64_t offset) {
        if (masked.truths[static_cast<std::size_t>(i)]) {
            move(next, 0, out.raw() + offset * width, 0, 1);
            next += width;
        }
    });
    return {};
}

constexpr KernelEntry maskEntries[] = {
    {"aten::masked_select.out", box<&maskedSelectOut>},
    {"aten::masked_scatter.out", box<&maskedScatterOut>},
};

}  // namespace

std::span<const KernelEntry> maskKernels() {
    return maskEntries;
}

}  // namespace et::kernels

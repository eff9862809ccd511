#include "runtime/core/value.h"
#include "runtime/kernels/dense/fused.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace et::kernels::dense {
namespace {

/// Returns the matrix and the tensor for its transpose, if the arguments are such a pair.
std::optional<std::pair<Tensor*, Tensor*>> matrices(core::Value& from, core::Value& out) {
    auto* const matrix = from.as<Tensor>();
    auto* const result = out.as<Tensor>();
    const bool fits = matrix != nullptr && result != nullptr && matrix->dim() == 2 &&
                      matrix->isContiguous() && matrix->numel() > 0 && !result->isConstant() &&
                      result->dtype() == matrix->dtype();
    return fits ? std::optional(std::pair(matrix, result)) : std::nullopt;
}

bool isDim(std::int64_t given, std::int64_t dim) {
    return given == dim || given == dim - 2;
}

/// Returns the transpose of `matrix` as a tensor over the same memory.
core::Result<Tensor> transposedView(const Tensor& matrix) {
    constexpr std::array<std::uint8_t, 2> columnsFirst{1, 0};
    const std::array sizes{matrix.size(1), matrix.size(0)};
    return Tensor::make(matrix.dtype(), sizes, matrix.raw(), columnsFirst);
}

/// Runs `next` with the transpose of `matrix` as its right operand; `transposed` has no other use.
core::Result<bool> multiplyByTranspose(KernelContext& context, Tensor& matrix, Tensor& transposed,
                                       const FusedTail::Call& next, FusedWork* work) {
    constexpr std::size_t maxArguments = 16;
    std::array<core::Value*, maxArguments> arguments{};
    if (next.arguments.size() > maxArguments || next.arguments.size() < next.kernel.arguments) {
        return false;
    }
    const auto* const out = next.arguments[next.kernel.arguments - 1]->as<Tensor>();
    auto view = transposedView(matrix);
    if (out == nullptr || overlap(*out, matrix) || !view || !transposed.resize(view->sizes())) {
        return false;
    }
    core::Value transpose;
    transpose.setIn(&*view);
    std::ranges::copy(next.arguments, arguments.begin());
    arguments[next.input] = &transpose;
    const auto done = next.kernel.call(context, Arguments(arguments).first(next.arguments.size()));
    if (work != nullptr) {
        *work = {0, 1};  // no transposition is performed
    }
    if (!done && done.error().code == core::ErrorCode::Limit) {
        return std::unexpected(done.error());
    }
    return done.has_value();
}

}  // namespace

core::Result<bool> multiplyPermuted(KernelContext& context, Arguments first,
                                    std::span<const FusedTail::Call> behind, FusedWork* work) {
    const auto found = first.size() < 3 ? std::nullopt : matrices(*first[0], *first[2]);
    const auto dims = found ? first[1]->ints() : std::nullopt;
    if (!dims || dims->size() != 2 || !isDim((*dims)[0], 1) || !isDim((*dims)[1], 0)) {
        return false;
    }
    return multiplyByTranspose(context, *found->first, *found->second, behind.front(), work);
}

core::Result<bool> multiplyTransposed(KernelContext& context, Arguments first,
                                      std::span<const FusedTail::Call> behind, FusedWork* work) {
    const auto found = first.size() < 4 ? std::nullopt : matrices(*first[0], *first[3]);
    if (!found) {
        return false;
    }
    const auto* const dim0 = first[1]->as<std::int64_t>();
    const auto* const dim1 = first[2]->as<std::int64_t>();
    const bool swaps = dim0 != nullptr && dim1 != nullptr &&
                       ((isDim(*dim0, 0) && isDim(*dim1, 1)) || (isDim(*dim0, 1) && isDim(*dim1, 0)));
    return swaps ? multiplyByTranspose(context, *found->first, *found->second, behind.front(), work)
                 : core::Result<bool>(false);
}

core::Result<bool> multiplyT(KernelContext& context, Arguments first, std::span<const FusedTail::Call> behind,
                             FusedWork* work) {
    const auto found = first.size() < 2 ? std::nullopt : matrices(*first[0], *first[1]);
    return found ? multiplyByTranspose(context, *found->first, *found->second, behind.front(), work)
                 : core::Result<bool>(false);
}

}  // namespace et::kernels::dense

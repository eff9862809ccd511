#include "runtime/kernels/llama/hadamard.h"

#include "runtime/kernels/elements.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string_view>

namespace et::kernels::llama {
namespace {

constexpr std::size_t parts = 28;

/// The Hadamard matrix of order 28 (N. J. A. Sloane's had.28.will): Williamson's array of circulant matrices.
constexpr std::array<std::array<bool, parts>, parts> positiveSigns = [] {
    constexpr std::size_t order = 7;
    constexpr std::array<std::string_view, 4> firstRows{"+------", "++----+", "+-+--+-", "+--++--"};
    struct Block {
        std::size_t matrix;
        bool negative;
    };
    constexpr std::array<std::array<Block, 4>, 4> blocks{{{{{0, false}, {1, false}, {2, false}, {3, false}}},
                                                          {{{1, true}, {0, false}, {3, true}, {2, false}}},
                                                          {{{2, true}, {3, false}, {0, false}, {1, true}}},
                                                          {{{3, true}, {2, true}, {1, false}, {0, false}}}}};
    std::array<std::array<bool, parts>, parts> signs{};
    for (std::size_t row = 0; row < parts; ++row) {
        for (std::size_t column = 0; column < parts; ++column) {
            const Block block = blocks[row / order][column / order];
            const char sign = firstRows[block.matrix][(column + order - row % order) % order];
            signs[row][column] = (sign == '+') != block.negative;
        }
    }
    return signs;
}();

/// In place; `count` is a power of two.
template <class F>
void transform(F* numbers, std::size_t count) {
    for (std::size_t step = 1; step < count; step *= 2) {
        for (std::size_t begin = 0; begin < count; begin += 2 * step) {
            F* low = numbers + begin;
            F* high = low + step;
            for (std::size_t i = 0; i < step; ++i) {
                const F sum = low[i] + high[i];
                high[i] = low[i] - high[i];
                low[i] = sum;
            }
        }
    }
    const F scale = 1 / std::sqrt(static_cast<F>(count));
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] *= scale;
    }
}

/// Multiplies by the matrix of order 28 across as many parts of `count` numbers.
template <class F>
void mixParts(F* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::array<F, parts> inputs;
        for (std::size_t part = 0; part < parts; ++part) {
            inputs[part] = numbers[part * count + i];
        }
        for (std::size_t row = 0; row < parts; ++row) {
            F sum = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                sum += positiveSigns[row][part] ? inputs[part] : -inputs[part];
            }
            numbers[row * count + i] = sum;
        }
    }
}

template <class F>
core::Result<> transformRows(KernelContext& context, const Tensor& self, std::size_t length,
                             std::size_t powerOfTwo, Tensor& out) {
    const auto rows = static_cast<std::size_t>(self.numel()) / length;
    ET_ASSIGN(const auto numbers, context.scratch<F>(rows * length));
    elementLoader<F>(self.dtype())(self.raw(), 1, numbers.data(), numbers.size());
    context.threads().parallelFor(rows, (std::size_t{1} << 12) / length + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t row = begin; row < end; ++row) {
                                          F* first = numbers.data() + row * length;
                                          for (std::size_t done = 0; done < length; done += powerOfTwo) {
                                              transform(first + done, powerOfTwo);
                                          }
                                          if (length != powerOfTwo) {
                                              mixParts(first, powerOfTwo);
                                          }
                                      }
                                  });
    elementStorer<F>(out.dtype())(numbers.data(), out.raw(), 1, numbers.size());
    return {};
}

}  // namespace

core::Result<> fastHadamardTransform(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(out.resize(self.sizes()));
    if (out.dtype() != self.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(self.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    if (self.numel() == 0) {
        return {};
    }
    const auto length = static_cast<std::size_t>(self.dim() == 0 ? 1 : self.sizes().back());
    const std::size_t powerOfTwo = length % parts == 0 ? length / parts : length;
    if (!std::has_single_bit(powerOfTwo)) {
        return invalid(fmt::format("expected rows of 2^n or 28 * 2^n elements, got {}", length));
    }
    if (!self.isContiguous() || !out.isContiguous()) {
        return core::fail(core::ErrorCode::Unsupported, "expected row-major tensors");
    }
    return core::ElementTypes<core::Half, float, double>::visit(
        self.dtype(),
        [&]<class T>(std::type_identity<T>) {
            using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
            return transformRows<Compute>(context, self, length, powerOfTwo, out);
        },
        [&] -> core::Result<> { return unsupportedType(self.dtype()); });
}

}  // namespace et::kernels::llama

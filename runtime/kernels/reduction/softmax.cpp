#include "runtime/core/scalar.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"
#include "runtime/kernels/reduction/row_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::kernels::reduction {
namespace {

/// Rounds a sum and its logarithm; null if they are not rounded.
template <class Compute>
using Rounding = Compute (*)(Compute);

/// For log_softmax along the last dimension of half or bfloat16, PyTorch stores sums and their logarithms in
/// that dtype.
template <class Compute>
Rounding<Compute> sumRounding(const Tensor& out, DimSet dims) {
    if (out.dim() == 0 || dims.test(out.dim() - 1)) {
        if (out.dtype() == ScalarType::Half) {
            return [](Compute x) { return static_cast<Compute>(core::convertTo<core::Half>(x)); };
        }
        if (out.dtype() == ScalarType::BFloat16) {
            return [](Compute x) { return static_cast<Compute>(core::convertTo<core::BFloat16>(x)); };
        }
    }
    return nullptr;
}

/// Softmax of lines along one dimension: exp(x - maximum) / sum, or its logarithm x - maximum - log(sum), in
/// three passes over a line: maximum, sum, result. Results that need no conversion reuse the exponentials of
/// the second pass.
template <class Compute, bool logarithm>
class Softmax {
  public:
    Softmax(const ElementReader<Compute>& input, const ElementWriter<Compute>& output, std::int64_t count,
            std::int64_t inputStride, std::int64_t outputStride, Rounding<Compute> rounding)
        : reader(input),
          writer(output),
          length(count),
          fromStride(inputStride),
          toStride(outputStride),
          round(rounding) {}

    void line(std::int64_t from, std::int64_t to) const {
        std::array<Compute, blockSize> in;
        std::array<Compute, blockSize> out;
        Compute maximum = -std::numeric_limits<Compute>::infinity();
        forPieces([&](std::int64_t at, std::size_t count) {
            const Compute max = functions.maximum(read(from, at, count, in), count);
            maximum = max > maximum || std::isnan(max) ? max : maximum;
        });
        const bool keeps = !logarithm && writer.isInPlace(toStride);
        double sum = 0;
        forPieces([&](std::int64_t at, std::size_t count) {
            Compute* y = keeps ? writer.place(to + at * toStride, toStride, out.data()) : out.data();
            sum += static_cast<double>(functions.exponentials(read(from, at, count, in), count, maximum, y));
        });
        const auto factor = static_cast<Compute>(1 / sum);
        const Compute addend = -logarithmOf(sum);
        forPieces([&](std::int64_t at, std::size_t count) {
            Compute* y = writer.place(to + at * toStride, toStride, out.data());
            if constexpr (logarithm) {
                functions.affine(read(from, at, count, in), count, maximum, 1, addend, y);
            } else {
                if (!keeps) {
                    functions.exponentials(read(from, at, count, in), count, maximum, y);
                }
                functions.affine(y, count, 0, factor, 0, y);
            }
            writer.commit(y, to + at * toStride, toStride, count);
        });
    }

    /// The same for adjacent lines.
    void columns(std::int64_t from, std::int64_t to, std::int64_t toColumn, std::size_t count) const {
        std::array<Compute, blockSize> in;
        std::array<Compute, blockSize> out;
        std::array<Compute, blockSize> maxima;
        std::array<Compute, blockSize> sums;
        std::fill_n(maxima.data(), count, -std::numeric_limits<Compute>::infinity());
        std::fill_n(sums.data(), count, Compute{});
        const auto row = [&](std::int64_t i) {
            return reader.read(from + i * fromStride, 1, count, in.data());
        };
        for (std::int64_t i = 0; i < length; ++i) {
            const Compute* x = row(i);
            for (std::size_t k = 0; k < count; ++k) {
                maxima[k] = x[k] > maxima[k] || std::isnan(x[k]) ? x[k] : maxima[k];
            }
        }
        const bool keeps = !logarithm && writer.isInPlace(toColumn);
        for (std::int64_t i = 0; i < length; ++i) {
            Compute* y = keeps ? writer.place(to + i * toStride, toColumn, out.data()) : out.data();
            functions.exponentialsEach(row(i), count, maxima.data(), y, sums.data());
        }
        for (std::size_t k = 0; k < count; ++k) {
            sums[k] = logarithm ? logarithmOf(static_cast<double>(sums[k])) : 1 / sums[k];
        }
        std::array<Compute, blockSize> again{};  // sums, unused
        for (std::int64_t i = 0; i < length; ++i) {
            Compute* y = writer.place(to + i * toStride, toColumn, out.data());
            if constexpr (logarithm) {
                const Compute* x = row(i);
                for (std::size_t k = 0; k < count; ++k) {
                    y[k] = x[k] - maxima[k] - sums[k];
                }
            } else {
                if (!keeps) {
                    functions.exponentialsEach(row(i), count, maxima.data(), y, again.data());
                }
                for (std::size_t k = 0; k < count; ++k) {
                    y[k] *= sums[k];
                }
            }
            writer.commit(y, to + i * toStride, toColumn, count);
        }
    }

  private:
    [[nodiscard]] Compute logarithmOf(double sum) const {
        if (round == nullptr) {
            return static_cast<Compute>(std::log(sum));
        }
        return round(std::log(round(static_cast<Compute>(sum))));
    }

    const Compute* read(std::int64_t from, std::int64_t at, std::size_t count,
                        std::array<Compute, blockSize>& buffer) const {
        return reader.read(from + at * fromStride, fromStride, count, buffer.data());
    }

    template <class Visit>
    void forPieces(const Visit& visit) const {
        for (std::int64_t at = 0; at < length; at += blockSize) {
            visit(at, std::min(static_cast<std::size_t>(length - at), blockSize));
        }
    }

    const RowFunctions<Compute>& functions = rowFunctions<Compute>();
    ElementReader<Compute> reader;
    ElementWriter<Compute> writer;
    std::int64_t length;
    std::int64_t fromStride;  ///< stride along the dimension
    std::int64_t toStride;
    Rounding<Compute> round;
};

template <class Compute, bool logarithm>
Result<> softmax(KernelContext& context, const Tensor& self, DimSet dims, Tensor& out) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
    const ReductionSpace space = reductionSpace(self, dims, true, out, out, WalkOrder::RowMajor);
    const Softmax<Compute, logarithm> lines(reader, writer, space.count, space.reduced.rowStrides()[1],
                                            strideAlong(out, dims), sumRounding<Compute>(out, dims));
    constexpr std::int64_t costOfExp = 8;
    forLines(
        context, space, costOfExp,
        [&](const auto& offsets, std::size_t count) {
            lines.columns(offsets[0], offsets[1], space.kept.rowStrides()[1], count);
        },
        [&](const auto& offsets) { lines.line(offsets[0], offsets[1]); });
    return {};
}

}  // namespace

template <bool logarithm>
Result<> softmaxOut(KernelContext& context, const Tensor& self, std::int64_t dim, bool halfToFloat,
                    Tensor& out) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    ET_TRY(out.resize(self.sizes()));
    ET_TRY(expectType(out, halfToFloat ? ScalarType::Float : self.dtype()));
    if (self.numel() == 0) {
        return {};
    }
    return visitFloatingType(self.dtype(), [&](auto compute) {
        return softmax<typename decltype(compute)::type, logarithm>(context, self, dims, out);
    });
}

template Result<> softmaxOut<true>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&);
template Result<> softmaxOut<false>(KernelContext&, const Tensor&, std::int64_t, bool, Tensor&);

}  // namespace et::kernels::reduction

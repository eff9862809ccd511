#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <array>

namespace et::kernels::reduction {
namespace {

/// One or more adjacent lines along a dimension.
template <class Compute>
struct Lines {
    const ElementReader<Compute>& reader;
    const ElementWriter<Compute>& writer;
    std::int64_t length;
    std::int64_t fromStride;  ///< stride along the dimension
    std::int64_t toStride;

    void sumColumns(std::int64_t from, std::int64_t to, std::int64_t toColumn, std::size_t columns) const {
        Sum<Compute> sums;
        sums.start(0, columns);
        std::array<Compute, blockSize> buffer;
        for (std::int64_t i = 0; i < length; ++i) {
            sums.column(reader.read(from + i * fromStride, 1, columns, buffer.data()), columns, i);
            writeElements(writer, to + i * toStride, toColumn, columns,
                          [&](std::size_t column) { return static_cast<Compute>(sums.result(column)); });
        }
    }

    void sumLine(std::int64_t from, std::int64_t to) const {
        Total<Compute> sum{};
        std::array<Compute, blockSize> buffer;
        for (std::int64_t i = 0; i < length; i += blockSize) {
            const auto count = std::min(static_cast<std::size_t>(length - i), blockSize);
            const Compute* x = reader.read(from + i * fromStride, fromStride, count, buffer.data());
            writeElements(writer, to + i * toStride, toStride, count, [&](std::size_t k) {
                sum += static_cast<Total<Compute>>(x[k]);
                return static_cast<Compute>(sum);
            });
        }
    }
};

template <class Compute>
Result<> cumulativeSum(KernelContext& context, const Tensor& self, DimSet dims, Tensor& out) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self, out.dtype()));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
    const ReductionSpace space = reductionSpace(self, dims, true, out, out, WalkOrder::RowMajor);
    const Lines<Compute> lines{.reader = reader,
                               .writer = writer,
                               .length = space.count,
                               .fromStride = space.reduced.rowStrides()[1],
                               .toStride = strideAlong(out, dims)};
    forLines(
        context, space, 1,
        [&](const auto& offsets, std::size_t count) {
            lines.sumColumns(offsets[0], offsets[1], space.kept.rowStrides()[1], count);
        },
        [&](const auto& offsets) { lines.sumLine(offsets[0], offsets[1]); });
    return {};
}

}  // namespace

Result<> cumsumOut(KernelContext& context, const Tensor& self, std::int64_t dim,
                   std::optional<ScalarType> dtype, Tensor& out) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    ET_TRY(out.resize(self.sizes()));
    ET_TRY(expectType(out, dtype.value_or(out.dtype())));
    if (self.numel() == 0) {
        return {};
    }
    return visitComputeType(out.dtype(), [&](auto compute) {
        return cumulativeSum<typename decltype(compute)::type>(context, self, dims, out);
    });
}

}  // namespace et::kernels::reduction

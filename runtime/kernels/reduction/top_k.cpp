#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace et::kernels::reduction {
namespace {

template <class Compute>
struct Candidate {
    Compute value;
    std::int64_t index;
};

/// Moves the k best to the front, in order if `sorted`; NaN is the largest. Equal values have the order that
/// the standard algorithms produce, which PyTorch uses on a CPU in these cases.
template <bool largest, class Compute>
void selectBest(std::span<Candidate<Compute>> line, std::int64_t k, bool sorted) {
    const auto better = [](const Candidate<Compute>& a, const Candidate<Compute>& b) {
        using Rank = Order<Compute, true>;
        return largest ? Rank::beats(a.value, b.value)
                       : (!Rank::isNan(a.value) && Rank::isNan(b.value)) || a.value < b.value;
    };
    constexpr std::int64_t fewInMany = 64;
    if (k <= static_cast<std::int64_t>(line.size()) / fewInMany) {
        std::partial_sort(line.begin(), line.begin() + k, line.end(), better);
        return;
    }
    std::nth_element(line.begin(), line.begin() + k - 1, line.end(), better);
    if (sorted) {
        std::sort(line.begin(), line.begin() + k - 1, better);
    }
}

struct TopK {
    DimSet dims;
    std::int64_t k;
    bool largest;
    bool sorted;
};

template <class Compute>
Result<> topK(KernelContext& context, const Tensor& self, const TopK& what, Tensor& values, Tensor& indices) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(self));
    ET_ASSIGN(const auto valueWriter, ElementWriter<Compute>::make(values));
    ET_ASSIGN(const auto indexWriter, ElementWriter<std::int64_t>::make(indices));
    const ReductionSpace space = reductionSpace(self, what.dims, true, values, indices, WalkOrder::RowMajor);
    const auto length = static_cast<std::size_t>(space.count);
    ET_ASSIGN(const std::span<Candidate<Compute>> line, context.scratch<Candidate<Compute>>(length));
    ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(length));
    const std::int64_t stride = space.reduced.rowStrides()[1];
    const std::int64_t valueStride = strideAlong(values, what.dims);
    const std::int64_t indexStride = strideAlong(indices, what.dims);
    const auto select = [&](std::int64_t from, std::int64_t valuesAt, std::int64_t indicesAt) {
        const Compute* x = reader.read(from, stride, length, numbers.data());
        for (std::size_t i = 0; i < length; ++i) {
            line[i] = {.value = x[i], .index = static_cast<std::int64_t>(i)};
        }
        what.largest ? selectBest<true>(line, what.k, what.sorted)
                     : selectBest<false>(line, what.k, what.sorted);
        for (std::int64_t i = 0; i < what.k; i += blockSize) {
            const auto count = std::min(static_cast<std::size_t>(what.k - i), blockSize);
            const auto piece = line.subspan(static_cast<std::size_t>(i), count);
            writeElements(valueWriter, valuesAt + i * valueStride, valueStride, count,
                          [&](std::size_t at) { return piece[at].value; });
            writeElements(indexWriter, indicesAt + i * indexStride, indexStride, count,
                          [&](std::size_t at) { return piece[at].index; });
        }
    };
    const auto& strides = space.kept.rowStrides();
    space.kept.forRows(0, space.kept.rows(), [&](const auto& row) {
        for (std::int64_t i = 0; i < space.kept.rowLength(); ++i) {
            select(row[0] + i * strides[0], row[1] + i * strides[1], row[2] + i * strides[2]);
        }
    });
    return {};
}

}  // namespace

Result<> topkValues(KernelContext& context, const Tensor& self, std::int64_t k, std::int64_t dim,
                    bool largest, bool sorted, Tensor& values, Tensor& indices) {
    ET_ASSIGN(const DimSet dims, oneDim(self, dim));
    const std::int64_t length = reducedCount(self, dims);
    if (k < (self.dim() == 0 ? 1 : 0) || k > length) {
        return invalid(fmt::format("expected k from 0 to {}, got {}", length, k));
    }
    Sizes sizes = self.sizes();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i] = dims.test(i) ? k : sizes[i];
    }
    ET_TRY(values.resize(sizes));
    ET_TRY(indices.resize(sizes));
    ET_TRY(expectType(values, self.dtype()));
    ET_TRY(expectType(indices, ScalarType::Long));
    if (self.dtype() == ScalarType::UInt64) {
        return unsupportedType(self.dtype());  // their upper half would be negative
    }
    if (values.numel() == 0) {
        return {};
    }
    const TopK what{.dims = dims, .k = k, .largest = largest, .sorted = sorted};
    return visitComputeType(self.dtype(), [&](auto compute) {
        return topK<typename decltype(compute)::type>(context, self, what, values, indices);
    });
}

}  // namespace et::kernels::reduction

#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <algorithm>
#include <array>

namespace et::kernels::reduction {
namespace {

/// Calls `visit(truths, index)` for blocks of the tensor in row-major order; `index` is that of the first
/// element.
template <class Visit>
void forTruths(const Tensor& self, const TruthReader& reader, const Visit& visit) {
    const ReductionSpace space = reductionSpace(self, allDims(self), false, self, self, WalkOrder::RowMajor);
    const StridedWalk<2>& walk = space.reduced;
    std::array<bool, blockSize> buffer;
    walk.forRows(0, walk.rows(), [&](const auto& row) {
        for (std::int64_t i = 0; i < walk.rowLength(); i += blockSize) {
            const auto count = std::min(static_cast<std::size_t>(walk.rowLength() - i), blockSize);
            const std::int64_t stride = walk.rowStrides()[1];
            visit(std::span(reader.read(row[1] + i * stride, stride, count, buffer.data()), count),
                  row[0] + i);
        }
    });
}

void writeCoordinates(std::int64_t index, const Sizes& sizes, std::int64_t stride, std::int64_t* to) {
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
        to[static_cast<std::int64_t>(dim) * stride] = index % sizes[dim];
        index /= sizes[dim];
    }
}

}  // namespace

Result<> nonzeroOut(KernelContext&, const Tensor& self, Tensor& out) {
    ET_TRY(expectType(out, ScalarType::Long));
    ET_ASSIGN(const auto reader, TruthReader::make(self));
    std::int64_t count = 0;
    forTruths(self, reader,
              [&](std::span<const bool> truths, std::int64_t) { count += std::ranges::count(truths, true); });
    ET_TRY(out.resize(Sizes{count, static_cast<std::int64_t>(self.dim())}));
    auto* to = out.mutableData<std::int64_t>();
    std::int64_t found = 0;
    forTruths(self, reader, [&](std::span<const bool> truths, std::int64_t index) {
        for (const bool truth : truths) {
            // With a damaged memory plan the result may overlap the input, so never write more rows than were
            // counted.
            if (truth && found < count) {
                writeCoordinates(index, self.sizes(), out.stride(1), to + found * out.stride(0));
                ++found;
            }
            ++index;
        }
    });
    return {};
}

}  // namespace et::kernels::reduction

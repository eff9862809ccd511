#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/normalization_arguments.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace et::kernels::reduction {
namespace {

/// Returns the dimensions covered by `normalizedShape`: as many trailing ones. Errors: InvalidArgument.
Result<DimSet> normalizedDims(const Tensor& input, IntList normalizedShape) {
    const std::size_t count = normalizedShape.size();
    if (count == 0 || count > input.dim() ||
        !std::ranges::equal(normalizedShape, std::span(input.sizes()).last(count))) {
        return invalid(fmt::format("expected the normalized shape to match the last sizes of {}, got {}",
                                   core::sizesText(input.sizes()), core::sizesText(normalizedShape)));
    }
    DimSet dims;
    for (std::size_t dim = input.dim() - count; dim < input.dim(); ++dim) {
        dims.set(dim);
    }
    return dims;
}

/// A weight or bias of the normalized shape.
template <class Compute>
struct Parameter {
    std::optional<ElementReader<Compute>> reader;
    Strides strides;

    static Result<Parameter> make(const Tensor* tensor, IntList shape) {
        if (tensor == nullptr) {
            return Parameter{.reader = std::nullopt, .strides = Strides(shape.size(), 0)};
        }
        if (!std::ranges::equal(tensor->sizes(), shape)) {
            return invalid(fmt::format("expected a weight or bias of {}, got {}", core::sizesText(shape),
                                       core::sizesText(tensor->sizes())));
        }
        ET_ASSIGN(auto made, ElementReader<Compute>::make(*tensor));
        return Parameter{.reader = made, .strides = tensor->strides()};
    }

    const Compute* read(std::int64_t offset, std::int64_t stride, std::size_t count, Compute* buffer) const {
        return reader ? reader->read(offset, stride, count, buffer) : nullptr;
    }
};

template <class Compute>
struct LayerNorm {
    ElementReader<Compute> reader;
    ElementWriter<Compute> writer;
    Parameter<Compute> weight;
    Parameter<Compute> bias;
    StridedWalk<4> walk;  ///< input, result, weight, bias
    double eps;

    /// Calls `visit(offsets, count)` for pieces of a group.
    template <class Visit>
    void forPieces(const Visit& visit) const {
        walk.forRows(0, walk.rows(), [&](const auto& row) {
            for (std::int64_t at = 0; at < walk.rowLength(); at += blockSize) {
                auto offsets = row;
                for (std::size_t t = 0; t < offsets.size(); ++t) {
                    offsets[t] += at * walk.rowStrides()[t];
                }
                visit(offsets, std::min(static_cast<std::size_t>(walk.rowLength() - at), blockSize));
            }
        });
    }

    /// Returns mean and 1 / standard deviation.
    std::array<double, 2> run(std::int64_t from, std::int64_t to) const {
        const auto& functions = rowFunctions<Compute>();
        const auto& strides = walk.rowStrides();
        std::array<Compute, blockSize> in;
        std::array<Compute, blockSize> out;
        std::array<Compute, blockSize> factors;
        std::array<Compute, blockSize> addends;
        Moments moments;
        forPieces([&](const auto& offsets, std::size_t count) {
            moments.add(reader.read(from + offsets[0], strides[0], count, in.data()), count);
        });
        const double reciprocal = 1 / std::sqrt(moments.variance(0) + eps);
        forPieces([&](const auto& offsets, std::size_t count) {
            const Compute* x = reader.read(from + offsets[0], strides[0], count, in.data());
            Compute* y = writer.place(to + offsets[1], strides[1], out.data());
            functions.affineWeighted(x, count, static_cast<Compute>(moments.mean),
                                     static_cast<Compute>(reciprocal),
                                     weight.read(offsets[2], strides[2], count, factors.data()),
                                     bias.read(offsets[3], strides[3], count, addends.data()), y);
            writer.commit(y, to + offsets[1], strides[1], count);
        });
        return {moments.mean, reciprocal};
    }
};

template <class Compute>
Result<> layerNorm(KernelContext& context, const Tensor& input, DimSet dims, IntList shape,
                   const Tensor* weight, const Tensor* bias, double eps, const NormResults& results) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(input));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(results.out));
    ET_ASSIGN(const auto meanWriter, ElementWriter<double>::make(results.mean));
    ET_ASSIGN(const auto reciprocalWriter, ElementWriter<double>::make(results.reciprocal));
    ET_ASSIGN(const auto factors, Parameter<Compute>::make(weight, shape));
    ET_ASSIGN(const auto addends, Parameter<Compute>::make(bias, shape));
    if (input.numel() == 0) {
        const Scalar nothing(std::numeric_limits<double>::quiet_NaN());
        ET_TRY(fillElements(context.threads(), nothing, viewOf(results.mean)));
        return fillElements(context.threads(), nothing, viewOf(results.reciprocal));
    }
    const LayerNorm<Compute> norm{.reader = reader,
                                  .writer = writer,
                                  .weight = factors,
                                  .bias = addends,
                                  .walk = StridedWalk<4>(shape, {pickDims(input.strides(), dims, true),
                                                                 pickDims(results.out.strides(), dims, true),
                                                                 factors.strides, addends.strides}),
                                  .eps = eps};
    const StridedWalk<4> groups(
        pickDims(input.sizes(), dims, false),
        {pickDims(input.strides(), dims, false), pickDims(results.out.strides(), dims, false),
         pickDims(results.mean.strides(), dims, false), pickDims(results.reciprocal.strides(), dims, false)});
    const auto& strides = groups.rowStrides();
    forBlocks(context, groups, reducedCount(input, dims) * 2, [&](auto offsets, std::size_t slots) {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const auto [mean, reciprocal] = norm.run(offsets[0], offsets[1]);
            meanWriter.commit(&mean, offsets[2], 0, 1);
            reciprocalWriter.commit(&reciprocal, offsets[3], 0, 1);
            for (std::size_t t = 0; t < offsets.size(); ++t) {
                offsets[t] += strides[t];
            }
        }
    });
    return {};
}

}  // namespace

Result<> nativeLayerNormOut(KernelContext& context, const Tensor& input, IntList normalizedShape,
                            const Tensor* weight, const Tensor* bias, double eps, Tensor& out, Tensor& mean,
                            Tensor& reciprocal) {
    ET_ASSIGN(const DimSet dims, normalizedDims(input, normalizedShape));
    ET_TRY(out.resize(input.sizes()));
    ET_TRY(mean.resize(reducedSizes(input, dims, true)));
    ET_TRY(reciprocal.resize(reducedSizes(input, dims, true)));
    ET_TRY(expectType(out, input.dtype()));
    const NormResults results{.out = out, .mean = mean, .reciprocal = reciprocal};
    return visitFloatingType(input.dtype(), [&](auto compute) {
        return layerNorm<typename decltype(compute)::type>(context, input, dims, normalizedShape, weight,
                                                           bias, eps, results);
    });
}

}  // namespace et::kernels::reduction

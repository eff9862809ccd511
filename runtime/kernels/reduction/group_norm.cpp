#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/normalization_arguments.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace et::kernels::reduction {
namespace {

/// Sizes that the schema passes in addition to the input's own sizes.
struct GroupSizes {
    std::int64_t batch;
    std::int64_t channels;
    std::int64_t pixels;
    std::int64_t groups;

    [[nodiscard]] std::int64_t channelsEach() const { return channels / groups; }
};

Result<> check(const Tensor& input, const GroupSizes& sizes) {
    if (sizes.groups <= 0 || sizes.channels < 0 || sizes.channels % sizes.groups != 0) {
        return invalid(fmt::format("expected a number of groups that divides {} channels, got {}",
                                   sizes.channels, sizes.groups));
    }
    std::int64_t elements = 0;
    if (input.dim() < 2 || input.size(0) != sizes.batch || input.size(1) != sizes.channels ||
        sizes.pixels < 0 || __builtin_mul_overflow(sizes.batch, sizes.channels, &elements) ||
        __builtin_mul_overflow(elements, sizes.pixels, &elements) || elements != input.numel()) {
        return invalid(fmt::format("expected a tensor of [{}, {}] with {} pixels, got {}", sizes.batch,
                                   sizes.channels, sizes.pixels, core::sizesText(input.sizes())));
    }
    return {};
}

/// Returns the weight or bias of every channel; `missing` for all if there is none.
template <class Compute>
Result<std::span<const Compute>> perChannel(KernelContext& context, const Tensor* tensor,
                                            std::int64_t channels, Compute missing) {
    if (tensor != nullptr) {
        return channelNumbers<Compute>(context, *tensor, channels);
    }
    ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(static_cast<std::size_t>(channels)));
    std::ranges::fill(numbers, missing);
    return std::span<const Compute>(numbers);
}

template <class Compute>
struct GroupNorm {
    ElementReader<Compute> reader;
    ElementWriter<Compute> writer;
    std::span<const Compute> weight;
    std::span<const Compute> bias;
    StridedWalk<2> pixels;  ///< walk of one channel: input, result
    std::int64_t channels;  ///< channels per group
    std::int64_t fromChannel;
    std::int64_t toChannel;
    double eps;

    template <class Visit>
    void forPieces(std::int64_t from, std::int64_t to, const Visit& visit) const {
        const auto& strides = pixels.rowStrides();
        pixels.forRows(0, pixels.rows(), [&](const auto& row) {
            for (std::int64_t at = 0; at < pixels.rowLength(); at += blockSize) {
                visit(from + row[0] + at * strides[0], to + row[1] + at * strides[1],
                      std::min(static_cast<std::size_t>(pixels.rowLength() - at), blockSize));
            }
        });
    }

    /// Normalizes the group that starts at these offsets and at `channel`. Returns mean and 1 / standard
    /// deviation.
    std::array<double, 2> run(std::int64_t from, std::int64_t to, std::size_t channel) const {
        const auto& functions = rowFunctions<Compute>();
        const auto& strides = pixels.rowStrides();
        std::array<Compute, blockSize> in;
        std::array<Compute, blockSize> out;
        Moments moments;
        for (std::int64_t c = 0; c < channels; ++c) {
            forPieces(from + c * fromChannel, 0, [&](std::int64_t x, std::int64_t, std::size_t count) {
                moments.add(reader.read(x, strides[0], count, in.data()), count);
            });
        }
        const double reciprocal = 1 / std::sqrt(moments.variance(0) + eps);
        for (std::int64_t c = 0; c < channels; ++c) {
            const std::size_t k = channel + static_cast<std::size_t>(c);
            const auto factor = static_cast<Compute>(reciprocal * static_cast<double>(weight[k]));
            forPieces(from + c * fromChannel, to + c * toChannel,
                      [&](std::int64_t x, std::int64_t y, std::size_t count) {
                          Compute* result = writer.place(y, strides[1], out.data());
                          functions.affine(reader.read(x, strides[0], count, in.data()), count,
                                           static_cast<Compute>(moments.mean), factor, bias[k], result);
                          writer.commit(result, y, strides[1], count);
                      });
        }
        return {moments.mean, reciprocal};
    }
};

template <class Compute>
Result<> groupNorm(KernelContext& context, const Tensor& input, const Tensor* weight, const Tensor* bias,
                   const GroupSizes& sizes, double eps, const NormResults& results) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(input));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(results.out));
    ET_ASSIGN(const auto meanWriter, ElementWriter<double>::make(results.mean));
    ET_ASSIGN(const auto reciprocalWriter, ElementWriter<double>::make(results.reciprocal));
    ET_ASSIGN(const auto factors, perChannel<Compute>(context, weight, sizes.channels, 1));
    ET_ASSIGN(const auto addends, perChannel<Compute>(context, bias, sizes.channels, 0));
    DimSet pixelDims = allDims(input);
    pixelDims.reset(0).reset(1);
    const bool empty = input.numel() == 0;
    const GroupNorm<Compute> norm{
        .reader = reader,
        .writer = writer,
        .weight = factors,
        .bias = addends,
        .pixels = empty ? StridedWalk<2>(Sizes{0}, {Strides{0}, Strides{0}})
                        : StridedWalk<2>(pickDims(input.sizes(), pixelDims, true),
                                         {pickDims(input.strides(), pixelDims, true),
                                          pickDims(results.out.strides(), pixelDims, true)}),
        .channels = empty ? 0 : sizes.channelsEach(),
        .fromChannel = input.stride(1),
        .toChannel = results.out.stride(1),
        .eps = eps};
    const auto groups = static_cast<std::size_t>(sizes.groups);
    const auto cost = static_cast<std::size_t>(empty ? 0 : sizes.channelsEach() * sizes.pixels);
    context.threads().parallelFor(
        static_cast<std::size_t>(results.mean.numel()), cheapElements / (cost + 1) + 1,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto n = static_cast<std::int64_t>(i / groups);
                const auto g = static_cast<std::int64_t>(i % groups);
                const std::int64_t channel = empty ? 0 : g * sizes.channelsEach();
                const auto [mean, reciprocal] = norm.run(n * input.stride(0) + channel * norm.fromChannel,
                                                         n * results.out.stride(0) + channel * norm.toChannel,
                                                         static_cast<std::size_t>(channel));
                const auto at = [&](const Tensor& t) { return n * t.stride(0) + g * t.stride(1); };
                meanWriter.commit(&mean, at(results.mean), 0, 1);
                reciprocalWriter.commit(&reciprocal, at(results.reciprocal), 0, 1);
            }
        });
    return {};
}

}  // namespace

Result<> nativeGroupNormOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                            const Tensor* bias, std::int64_t batch, std::int64_t channels,
                            std::int64_t pixels, std::int64_t groups, double eps, Tensor& out, Tensor& mean,
                            Tensor& reciprocal) {
    const GroupSizes sizes{.batch = batch, .channels = channels, .pixels = pixels, .groups = groups};
    ET_TRY(check(input, sizes));
    ET_TRY(out.resize(input.sizes()));
    ET_TRY(mean.resize(Sizes{batch, groups}));
    ET_TRY(reciprocal.resize(Sizes{batch, groups}));
    ET_TRY(expectType(out, input.dtype()));
    return visitFloatingType(input.dtype(), [&](auto compute) {
        return groupNorm<typename decltype(compute)::type>(
            context, input, weight, bias, sizes, eps, {.out = out, .mean = mean, .reciprocal = reciprocal});
    });
}

}  // namespace et::kernels::reduction

#include "runtime/kernels/fused_tail.h"
#include "runtime/kernels/reduction/accumulators.h"
#include "runtime/kernels/reduction/normalization_arguments.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>

namespace et::kernels::reduction {
namespace {

/// y = (x - center) * factor + addend, with one value each per channel.
template <class Compute>
struct Channels {
    std::span<Compute> centers;
    std::span<Compute> factors;
    std::span<Compute> addends;
};

/// One value each per channel.
struct Statistics {
    std::span<const double> mean;
    std::span<const double> variance;
};

Result<std::int64_t> channelsOf(const Tensor& input) {
    if (input.dim() < 2) {
        return invalid(fmt::format("expected at least 2 dimensions, got {}", core::sizesText(input.sizes())));
    }
    return input.size(1);
}

template <class Compute>
void fold(const Statistics& statistics, std::span<const double> weights, std::span<const double> biases,
          std::span<const double> reciprocals, const Channels<Compute>& channels) {
    for (std::size_t c = 0; c < statistics.mean.size(); ++c) {
        const double factor = weights.empty() ? reciprocals[c] : reciprocals[c] * weights[c];
        channels.centers[c] = static_cast<Compute>(statistics.mean[c]);
        channels.factors[c] = static_cast<Compute>(factor);
        channels.addends[c] = biases.empty() ? Compute{} : static_cast<Compute>(biases[c]);
    }
}

/// Returns one value per channel; empty if there is no tensor.
Result<std::span<const double>> parameter(KernelContext& context, const Tensor* tensor,
                                          std::size_t channels) {
    if (tensor == nullptr) {
        return std::span<const double>();
    }
    ET_ASSIGN(const auto numbers,
              channelNumbers<double>(context, *tensor, static_cast<std::int64_t>(channels)));
    return std::span<const double>(numbers);
}

/// `repeats`: how many times the values of all channels are repeated.
template <class Compute>
Result<Channels<Compute>> channelsFor(KernelContext& context, const Statistics& statistics,
                                      const Tensor* weight, const Tensor* bias, double eps,
                                      std::size_t repeats) {
    const std::size_t count = statistics.mean.size();
    Channels<Compute> channels;
    for (auto* numbers : {&channels.centers, &channels.factors, &channels.addends}) {
        ET_ASSIGN(*numbers, context.scratch<Compute>(count * repeats));
    }
    ET_ASSIGN(const auto weights, parameter(context, weight, count));
    ET_ASSIGN(const auto biases, parameter(context, bias, count));
    ET_ASSIGN(const std::span<double> reciprocals, context.scratch<double>(count));
    rowFunctions<double>().reciprocalRoots(statistics.variance.data(), count, eps, reciprocals.data());
    fold(statistics, weights, biases, reciprocals, channels);
    for (const auto& numbers : {channels.centers, channels.factors, channels.addends}) {
        for (std::size_t i = 1; i < repeats; ++i) {
            std::copy_n(numbers.begin(), count, numbers.subspan(i * count).begin());
        }
    }
    return channels;
}

/// For contiguous channels per pixel, over all elements.
template <class Compute>
void applyToPixels(KernelContext& context, const Compute* x, std::size_t elements,
                   const Channels<Compute>& channels, Compute* y) {
    const auto& functions = rowFunctions<Compute>();
    const std::size_t length = channels.centers.size();
    const std::size_t rows = (elements + length - 1) / length;
    context.threads().parallelFor(rows, cheapElements / length + 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t at = begin * length; at < std::min(end * length, elements); at += length) {
            functions.affineEach(x + at, std::min(length, elements - at), channels.centers.data(),
                                 channels.factors.data(), channels.addends.data(), y + at);
        }
    });
}

template <class Compute>
struct RowNorm {
    const ElementReader<Compute>& reader;
    const ElementWriter<Compute>& writer;
    const Channels<Compute>& channels;

    /// `strides` of input, result and channel: along a row the channel is constant or advances by one.
    void run(const std::array<std::int64_t, 3>& offsets, const std::array<std::int64_t, 3>& strides,
             std::size_t count) const {
        const auto& functions = rowFunctions<Compute>();
        std::array<Compute, blockSize> in;
        std::array<Compute, blockSize> out;
        const std::size_t piece =
            reader.isInPlace(strides[0]) && writer.isInPlace(strides[1]) ? count : blockSize;
        for (std::size_t begin = 0; begin < count; begin += piece) {
            const std::size_t length = std::min(piece, count - begin);
            const auto at = static_cast<std::int64_t>(begin);
            const std::int64_t to = offsets[1] + at * strides[1];
            const Compute* x = reader.read(offsets[0] + at * strides[0], strides[0], length, in.data());
            Compute* y = writer.place(to, strides[1], out.data());
            const auto channel = static_cast<std::size_t>(offsets[2] + at * strides[2]);
            if (strides[2] == 0) {
                functions.affine(x, length, channels.centers[channel], channels.factors[channel],
                                 channels.addends[channel], y);
            } else {
                functions.affineEach(x, length, &channels.centers[channel], &channels.factors[channel],
                                     &channels.addends[channel], y);
            }
            writer.commit(y, to, strides[1], length);
        }
    }
};

template <class Compute>
Result<> applyToRows(KernelContext& context, const Tensor& input, const Channels<Compute>& channels,
                     Tensor& out) {
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(input));
    ET_ASSIGN(const auto writer, ElementWriter<Compute>::make(out));
    Strides channelStrides(input.dim(), 0);
    channelStrides[1] = 1;
    const StridedWalk<3> walk(input.sizes(), {input.strides(), out.strides(), channelStrides});
    const auto length = static_cast<std::size_t>(walk.rowLength());
    const RowNorm<Compute> rows{.reader = reader, .writer = writer, .channels = channels};
    context.threads().parallelFor(
        static_cast<std::size_t>(walk.rows()), cheapElements / length + 1,
        [&](std::size_t begin, std::size_t end) {
            walk.forRows(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end),
                         [&](const auto& offsets) { rows.run(offsets, walk.rowStrides(), length); });
        });
    return {};
}

/// True if the channels of each pixel are contiguous and all elements can be used in place.
template <class Compute>
bool isPixelMatrix(const Tensor& input, const Tensor& out) {
    return input.stride(1) == 1 && input.size(1) > 1 && input.sameLayout(out) &&
           input.dtype() == core::scalarTypeOf<Compute>;
}

Result<> normalize(KernelContext& context, const Tensor& input, const Tensor* weight, const Tensor* bias,
                   const Statistics& statistics, double eps, Tensor& out) {
    // Rows of a matrix with few columns would be too short to be fast, so several are joined.
    constexpr std::size_t longEnough = 256;
    return visitFloatingType(input.dtype(), [&](auto compute) -> Result<> {
        using Compute = typename decltype(compute)::type;
        const bool pixels = isPixelMatrix<Compute>(input, out);
        const std::size_t repeats =
            pixels ? std::max<std::size_t>(longEnough / statistics.mean.size(), 1) : 1;
        ET_ASSIGN(const auto channels, channelsFor<Compute>(context, statistics, weight, bias, eps, repeats));
        if (input.numel() == 0) {
            return {};
        }
        if (!pixels) {
            return applyToRows<Compute>(context, input, channels, out);
        }
        applyToPixels(context, input.data<Compute>(), static_cast<std::size_t>(input.numel()), channels,
                      out.mutableData<Compute>());
        return {};
    });
}

/// Computes mean and variance (divided by n, not n - 1) of each channel.
Result<Statistics> batchStatistics(KernelContext& context, const Tensor& input, std::int64_t channels) {
    ET_ASSIGN(const std::span<double> mean, context.scratch<double>(static_cast<std::size_t>(channels)));
    ET_ASSIGN(const std::span<double> variance, context.scratch<double>(mean.size()));
    DimSet dims = allDims(input);
    dims.reset(1);
    const Sizes sizes{channels};
    const Tensor layout = Tensor::over(mean.data(), std::span<const std::int64_t>(sizes));
    const ReductionSpace space = reductionSpace(input, dims, false, layout, layout, WalkOrder::Memory);
    ET_TRY(visitFloatingType(input.dtype(), [&](auto compute) -> Result<> {
        using Compute = typename decltype(compute)::type;
        ET_ASSIGN(const auto reader, ElementReader<Compute>::make(input));
        reduce<Spread<Compute>>(context, space, reader,
                                [&](const auto& spread, const auto& offsets, std::size_t slots) {
                                    for (std::size_t slot = 0; slot < slots; ++slot) {
                                        const auto channel = static_cast<std::size_t>(offsets[1]) + slot;
                                        const Moments moments = spread.result(slot);
                                        mean[channel] = moments.mean;
                                        variance[channel] = moments.variance(0);
                                    }
                                });
        return {};
    }));
    return Statistics{.mean = mean, .variance = variance};
}

struct Saved {
    Tensor& mean;
    Tensor& reciprocal;

    [[nodiscard]] Result<> resize(std::int64_t count) const {
        ET_TRY(mean.resize(Sizes{count}));
        return reciprocal.resize(Sizes{count});
    }
};

Result<> saveStatistics(const Statistics& statistics, double eps, const Saved& saved) {
    ET_ASSIGN(const auto meanWriter, ElementWriter<double>::make(saved.mean));
    ET_ASSIGN(const auto reciprocalWriter, ElementWriter<double>::make(saved.reciprocal));
    for (std::size_t c = 0; c < statistics.mean.size(); ++c) {
        const double reciprocal = 1 / std::sqrt(statistics.variance[c] + eps);
        meanWriter.commit(&statistics.mean[c], static_cast<std::int64_t>(c), 0, 1);
        reciprocalWriter.commit(&reciprocal, static_cast<std::int64_t>(c), 0, 1);
    }
    return {};
}

/// old * (1 - momentum) + seen * factor * momentum, in place.
Result<> updateRunning(KernelContext& context, Tensor& running, std::span<const double> seen, double factor,
                       double momentum) {
    if (running.isConstant()) {
        return invalid("running statistics are constant, but training mode updates them");
    }
    ET_ASSIGN(const auto numbers,
              channelNumbers<double>(context, running, static_cast<std::int64_t>(seen.size())));
    ET_ASSIGN(const auto writer, ElementWriter<double>::make(running));
    for (std::size_t c = 0; c < seen.size(); ++c) {
        const double updated = numbers[c] * (1 - momentum) + seen[c] * factor * momentum;
        writer.commit(&updated, static_cast<std::int64_t>(c), 0, 1);
    }
    return {};
}

Result<> prepare(const Tensor& input, Tensor& out, const Saved& saved, std::int64_t savedCount) {
    ET_TRY(out.resize(input.sizes()));
    ET_TRY(saved.resize(savedCount));
    return expectType(out, input.dtype());
}

/// Common start of every normalization with running statistics.
Result<Statistics> begin(KernelContext& context, const Tensor& input, const Tensor& runningMean,
                         const Tensor& runningVar, Tensor& out, const Saved& saved) {
    ET_ASSIGN(const std::int64_t channels, channelsOf(input));
    ET_TRY(prepare(input, out, saved, 0));
    Statistics statistics;
    ET_ASSIGN(statistics.mean, channelNumbers<double>(context, runningMean, channels));
    ET_ASSIGN(statistics.variance, channelNumbers<double>(context, runningVar, channels));
    return statistics;
}

}  // namespace

Result<> batchNormNoTrainingOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                                const Tensor* bias, const Tensor& runningMean, const Tensor& runningVar,
                                double /*momentum*/, double eps, Tensor& out, Tensor& saveMean,
                                Tensor& saveReciprocal) {
    ET_ASSIGN(const Statistics statistics, begin(context, input, runningMean, runningVar, out,
                                                 {.mean = saveMean, .reciprocal = saveReciprocal}));
    return normalize(context, input, weight, bias, statistics, eps, out);
}

Result<> batchNormNoTrainingParts(KernelContext& context, const Tensor& input, const Tensor* weight,
                                  const Tensor* bias, const Tensor& runningMean, const Tensor& runningVar,
                                  double /*momentum*/, double eps, Tensor& out, Tensor& saveMean,
                                  Tensor& saveReciprocal) {
    ET_ASSIGN(const Statistics statistics, begin(context, input, runningMean, runningVar, out,
                                                 {.mean = saveMean, .reciprocal = saveReciprocal}));
    ET_TRY(expectType(input, core::ScalarType::Float));
    ET_ASSIGN(const auto channels, channelsFor<float>(context, statistics, weight, bias, eps, 1));
    FusedContext::fusedTailOf(context).add(
        {.kind = ResultStep::Kind::Affine,
         .ofChannels = {channels.centers.data(), channels.factors.data(), channels.addends.data()}},
        out, {weight, bias, &runningMean, &runningVar});
    return {};
}

Result<> batchNormNoStatsOut(KernelContext& context, const Tensor& input, const Tensor* weight,
                             const Tensor* bias, bool /*training: there is nothing else to normalize with*/,
                             double /*momentum*/, double eps, Tensor& out, Tensor& saveMean,
                             Tensor& saveReciprocal) {
    const Saved saved{.mean = saveMean, .reciprocal = saveReciprocal};
    ET_ASSIGN(const std::int64_t channels, channelsOf(input));
    ET_TRY(prepare(input, out, saved, channels));
    ET_ASSIGN(const Statistics statistics, batchStatistics(context, input, channels));
    ET_TRY(saveStatistics(statistics, eps, saved));
    return normalize(context, input, weight, bias, statistics, eps, out);
}

Result<> batchNormOut(KernelContext& context, const Tensor& input, const Tensor* weight, const Tensor* bias,
                      core::Value& runningMean, core::Value& runningVar, bool training, double momentum,
                      double eps, Tensor& out, Tensor& saveMean, Tensor& saveReciprocal) {
    auto* mean = runningMean.as<Tensor>();
    auto* variance = runningVar.as<Tensor>();
    if (mean == nullptr || variance == nullptr) {
        return invalid(fmt::format("expected running statistics as tensors, got {} and {}",
                                   runningMean.kindName(), runningVar.kindName()));
    }
    if (!training) {
        return batchNormNoTrainingOut(context, input, weight, bias, *mean, *variance, momentum, eps, out,
                                      saveMean, saveReciprocal);
    }
    const Saved saved{.mean = saveMean, .reciprocal = saveReciprocal};
    ET_ASSIGN(const std::int64_t channels, channelsOf(input));
    ET_TRY(prepare(input, out, saved, channels));
    ET_ASSIGN(const Statistics statistics, batchStatistics(context, input, channels));
    ET_TRY(saveStatistics(statistics, eps, saved));
    ET_TRY(normalize(context, input, weight, bias, statistics, eps, out));
    const double count =
        channels == 0 ? 0 : static_cast<double>(input.numel()) / static_cast<double>(channels);
    ET_TRY(updateRunning(context, *mean, statistics.mean, 1, momentum));
    return updateRunning(context, *variance, statistics.variance, count / (count - 1), momentum);
}

}  // namespace et::kernels::reduction

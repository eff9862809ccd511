#include "backends/tosa/lower/graph_maker.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

// Pooling of images whose channels are last.
namespace et::backends::tosa {
namespace {

using core::Result;
using core::ScalarType;

struct Pool {
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> padding;  ///< top, bottom, left, right
};

Result<Pool> poolOf(const Operator& from) {
    Pool pool;
    ET_ASSIGN(pool.kernel, numbersField(from, "kernel", 2));
    ET_ASSIGN(pool.stride, numbersField(from, "stride", 2));
    ET_ASSIGN(pool.padding, numbersField(from, "padding", 4));
    return pool;
}

/// The image with its channels first, and with this number around it.
MadeTensor bordered(GraphMaker& maker, const MadeTensor& x, const Pool& pool, double number) {
    const MadeTensor image = maker.permuted(x, channelsFirst);
    const auto& p = pool.padding;
    if (std::ranges::all_of(p, [](std::int64_t each) { return each == 0; })) {
        return image;
    }
    return maker.put(
        "aten.constant_pad_nd.default",
        {tensorArgument(image.name), wholesArgument({p[2], p[3], p[0], p[1]}), realArgument(number)},
        image.dtype);
}

/// int8 and int16 are exact in float32.
Result<MadeTensor> maximumPool(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const Pool pool, poolOf(from));
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    const ScalarType computed = core::isFloating(x.dtype) ? x.dtype : ScalarType::Float;
    const MadeTensor image =
        bordered(maker, maker.cast(x, computed), pool, -std::numeric_limits<double>::infinity());
    const MadeTensor result =
        maker.put("aten.max_pool2d.default",
                  {tensorArgument(image.name), wholesArgument(pool.kernel), wholesArgument(pool.stride),
                   wholesArgument({0, 0}), wholesArgument({1, 1}), truthArgument(false)},
                  computed);
    return maker.permuted(result, channelsLast);
}

/// Positions of a window inside the image, without its padding.
std::int64_t insideOf(std::int64_t at, std::int64_t stride, std::int64_t kernel, std::int64_t before,
                      std::int64_t size) {
    const std::int64_t first = std::max<std::int64_t>(at * stride - before, 0);
    const std::int64_t end = std::min(at * stride - before + kernel, size);
    return std::max<std::int64_t>(end - first, 1);
}

/// Elements that each result averages, row by row. Errors: Format.
Result<std::vector<std::int64_t>> countsOf(const Pool& pool, const Tensor& in, const Tensor& out) {
    constexpr std::size_t dimensions = 4;
    constexpr std::int64_t mostCounts = std::int64_t{1} << 24;
    constexpr std::int64_t mostSize = std::int64_t{1} << 16;
    const auto isSmall = [](std::int64_t number) { return number >= 0 && number <= mostSize; };
    const bool areSmall = std::ranges::all_of(pool.kernel, isSmall) &&
                          std::ranges::all_of(pool.stride, isSmall) &&
                          std::ranges::all_of(pool.padding, isSmall);
    if (!areSmall || in.sizes.size() != dimensions || out.sizes.size() != dimensions ||
        !isSmall(out.sizes[1]) || !isSmall(out.sizes[2]) || out.sizes[1] * out.sizes[2] > mostCounts) {
        return core::fail(core::ErrorCode::Format, "expected an image and a window of at most 65536 rows");
    }
    std::vector<std::int64_t> counts;
    for (std::int64_t y = 0; y < out.sizes[1]; ++y) {
        const std::int64_t rows = insideOf(y, pool.stride[0], pool.kernel[0], pool.padding[0], in.sizes[1]);
        for (std::int64_t x = 0; x < out.sizes[2]; ++x) {
            counts.push_back(rows *
                             insideOf(x, pool.stride[1], pool.kernel[1], pool.padding[2], in.sizes[2]));
        }
    }
    return counts;
}

/// The multiplier and shift that divide by a count, as the specification computes them.
Scales reciprocals(const std::vector<std::int64_t>& counts, std::vector<std::int64_t> sizes) {
    constexpr int precision = 30;
    Scales scales{.sizes = std::move(sizes)};
    for (const std::int64_t count : counts) {
        const int bits = std::bit_width(static_cast<std::uint64_t>(count - 1));
        const std::int64_t numerator = ((std::int64_t{1} << precision) + 1) << bits;
        scales.multipliers.push_back(numerator / count);
        scales.shifts.push_back(precision + bits);
    }
    return scales;
}

/// Averages the elements inside the image.
Result<MadeTensor> averagePool(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const Pool pool, poolOf(from));
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const Tensor* const in, maker.inputType(from, 0));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    ET_ASSIGN(const auto counts, countsOf(pool, *in, *out));
    const std::vector<std::int64_t> sizes{1, out->sizes[1], out->sizes[2], 1};
    const bool isReal = core::isFloating(x.dtype);
    ET_ASSIGN(const std::int64_t inputZero, maker.integer(from, 1));
    MadeTensor image = maker.cast(x, isReal ? ScalarType::Float : ScalarType::Double);
    if (inputZero != 0) {
        image =
            maker.pair("aten.sub.Tensor", image, maker.cast(maker.constant({inputZero}), ScalarType::Double));
    }
    image = bordered(maker, image, pool, 0);
    const MadeTensor pooled =
        maker.put("aten.avg_pool2d.default",
                  {tensorArgument(image.name), wholesArgument(pool.kernel), wholesArgument(pool.stride),
                   wholesArgument({0, 0}), truthArgument(false), truthArgument(true), wholeArgument(1)},
                  image.dtype);
    const MadeTensor sums = maker.permuted(pooled, channelsLast);
    if (isReal) {
        return maker.pair("aten.div.Tensor", sums, maker.cast(maker.constant(counts, sizes), sums.dtype));
    }
    ET_ASSIGN(const std::int64_t outputZero, maker.integer(from, 2));
    ET_ASSIGN(const MadeTensor averages,
              scaled(maker, maker.cast(sums, ScalarType::Long), reciprocals(counts, sizes)));
    return saturated(maker, maker.pair("aten.add.Tensor", averages, maker.constant({outputZero})), x.dtype);
}

}  // namespace

void addPools(Conversions& to) {
    to["AVG_POOL2D"] = averagePool;
    to["MAX_POOL2D"] = maximumPool;
}

}  // namespace et::backends::tosa

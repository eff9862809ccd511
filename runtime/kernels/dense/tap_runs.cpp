#include "runtime/kernels/dense/tap_runs.h"

#include "runtime/kernels/kernel_context.h"

#include <algorithm>

namespace et::kernels::dense {
namespace {

Wide floorDivide(Wide number, Wide divisor) {
    return number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor);
}

/// The run of `tap`, from the side with step 1 ("slow": one position per stride of the other, "fast" side):
/// fast = slow * stride - padding + tap * dilation.
struct SlowRun {
    std::int64_t slow = 0;
    std::int64_t fast = 0;
    std::int64_t count = 0;
};

SlowRun slowRun(const Filter& filter, std::size_t dim, std::int64_t tap, std::int64_t slowSize,
                std::int64_t fastSize) {
    const Wide stride = filter.stride[dim];
    const Wide shift = Wide{tap} * filter.dilation[dim] - filter.padding[dim];
    const Wide first = std::max<Wide>(0, floorDivide(-shift + stride - 1, stride));
    const Wide last = std::min<Wide>(slowSize - 1, floorDivide(fastSize - 1 - shift, stride));
    if (first > last) {
        return {};
    }
    return {.slow = static_cast<std::int64_t>(first),
            .fast = static_cast<std::int64_t>(first * stride + shift),
            .count = static_cast<std::int64_t>(last - first + 1)};
}

}  // namespace

core::Result<TapRuns> TapRuns::make(KernelContext& context, const Convolution& shape) {
    TapRuns result;
    const Filter& filter = shape.filter;
    for (std::size_t dim = 0; dim < spatialDims; ++dim) {
        ET_ASSIGN(result.runs[dim], context.scratch<TapRun>(static_cast<std::size_t>(filter.kernel[dim])));
        const std::int64_t input = shape.input[dim];
        const std::int64_t output = shape.output[dim];
        for (std::int64_t tap = 0; tap < filter.kernel[dim]; ++tap) {
            const SlowRun run = filter.transposed ? slowRun(filter, dim, tap, input, output)
                                                  : slowRun(filter, dim, tap, output, input);
            result.runs[dim][static_cast<std::size_t>(tap)] = {
                .input = filter.transposed ? run.slow : run.fast,
                .output = filter.transposed ? run.fast : run.slow,
                .count = run.count};
        }
        // If the stride exceeds a side, there is no second pair.
        const std::int64_t step = std::min(filter.stride[dim], filter.transposed ? output : input);
        result.inputSteps[dim] = filter.transposed ? 1 : step;
        result.outputSteps[dim] = filter.transposed ? step : 1;
    }
    return result;
}

double TapRuns::pairs() const {
    double product = 1;
    for (const auto& dim : runs) {
        double sum = 0;
        for (const TapRun& run : dim) {
            sum += static_cast<double>(run.count);
        }
        product *= sum;
    }
    return product;
}

}  // namespace et::kernels::dense

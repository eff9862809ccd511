#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Metrics of the difference between two tensors, and statistics of each.
namespace et::inspector {

enum class GapMetric : std::uint8_t { Mse, L1, Snr, Cosine, MaxAbsolute, MaxRelative, Ulp, Psnr };

struct GapMetricInfo {
    GapMetric metric;
    std::string_view name;   ///< used by the command line and JSON: "max_abs"
    std::string_view title;  ///< for people
    bool higherIsBetter;
    std::string_view meaning;
};

/// In the order of GapMetric. MSE, L1 and SNR are those of ExecuTorch's numerical comparators.
inline constexpr std::array gapMetrics{
    GapMetricInfo{GapMetric::Mse, "mse", "MSE", false, "mean of the squared differences"},
    GapMetricInfo{GapMetric::L1, "l1", "L1", false, "sum of the absolute differences"},
    GapMetricInfo{GapMetric::Snr, "snr", "SNR (dB)", true,
                  "10 log10 of the reference's power over the power of the difference"},
    GapMetricInfo{GapMetric::Cosine, "cosine", "cosine", true,
                  "cosine of the angle between the two, as vectors"},
    GapMetricInfo{GapMetric::MaxAbsolute, "max_abs", "max abs", false, "largest absolute difference"},
    GapMetricInfo{GapMetric::MaxRelative, "max_rel", "max rel", false,
                  "largest difference over the reference's absolute value, where that is not 0"},
    GapMetricInfo{GapMetric::Ulp, "ulp", "ULP", false,
                  "largest distance in units in the last place of the runtime's dtype"},
    GapMetricInfo{GapMetric::Psnr, "psnr", "PSNR (dB)", true,
                  "10 log10 of the squared range of the reference over the MSE"},
};
static_assert(gapMetrics.back().metric == GapMetric::Psnr);

[[nodiscard]] inline const GapMetricInfo& traits(GapMetric metric) {
    return gapMetrics[static_cast<std::size_t>(metric)];
}

/// One number per metric. Nothing if undefined (no elements, the cosine of a zero vector). SNR and PSNR of
/// equal tensors are infinite.
struct GapNumbers {
    std::array<std::optional<double>, gapMetrics.size()> values{};

    [[nodiscard]] std::optional<double> operator[](GapMetric metric) const {
        return values[static_cast<std::size_t>(metric)];
    }
    [[nodiscard]] std::optional<double>& operator[](GapMetric metric) {
        return values[static_cast<std::size_t>(metric)];
    }
};

/// Statistics of one side, over the finite elements; 0 if there are none.
struct SideStatistics {
    std::uint64_t elements = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    std::uint64_t zeros = 0;
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double deviation = 0;  ///< population standard deviation
    double p99 = 0;        ///< 99th percentile of the absolute values, interpolated linearly
};

/// Number format of the runtime's dtype, which defines the unit of GapMetric::Ulp.
enum class FloatFormat : std::uint8_t { None, Half, BFloat16, Float, Double };

/// Both spans have the same length. If a number is finite on only one side, or two infinities differ, errors
/// are infinite and SNR and PSNR are -infinity. Otherwise NaN on both sides makes them NaN, and equal
/// infinities make SNR and PSNR NaN and are left out of the other metrics. ULP is over the pairs of finite
/// numbers.
[[nodiscard]] GapNumbers measureGap(std::span<const double> reference, std::span<const double> runtime,
                                    FloatFormat format);

/// As above, for float32 numbers whose runtime dtype is float32.
[[nodiscard]] GapNumbers measureGap(std::span<const float> reference, std::span<const float> runtime);

[[nodiscard]] SideStatistics computeStatistics(std::span<const double> numbers);
[[nodiscard]] SideStatistics computeStatistics(std::span<const float> numbers);

}  // namespace et::inspector

#pragma once

#include <vector>

namespace et::inspector::plot {

/// Smallest number of the form 1, 2 or 5 times a power of ten that is at least `min` (> 0).
[[nodiscard]] double roundStep(double min);

/// The same in bytes, KiB, MiB or larger units, whichever fits `min`.
[[nodiscard]] double roundByteStep(double min);

/// Multiples of `step` in [from, to], ascending.
[[nodiscard]] std::vector<double> multiples(double from, double to, double step);

/// A linear axis: numbers as fractions (0 to 1) of its length.
struct LinearAxis {
    double least = 0;
    double most = 1;

    [[nodiscard]] double placeOf(double value) const { return (value - least) / (most - least); }
};

/// A logarithmic axis: numbers as fractions (0 to 1) of its length, and back.
struct LogAxis {
    double least = 1;  ///< > 0
    double most = 10;

    /// Widens the axis to include a number, with a margin of the factor `room` beyond it.
    void include(double value, double room);
    [[nodiscard]] double placeOf(double value) const;
    [[nodiscard]] double valueAt(double place) const;
};

/// Round numbers in [from, to] for grid lines of a logarithmic axis, ascending: powers of ten; within three
/// decades also 2 and 5 times these; within one decade about four in equal steps.
[[nodiscard]] std::vector<double> logTicks(double from, double to);

}  // namespace et::inspector::plot

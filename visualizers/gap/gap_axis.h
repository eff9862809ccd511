#pragma once

#include "visualizers/gap/gap_quantity.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// The vertical axis of a plot, from 0 (no error) to 1 (worst). A band at the bottom holds equal tensors,
/// which have no logarithm.
class GapAxis {
  public:
    struct Tick {
        double place;
        QString text;
    };

    GapAxis() = default;
    /// Covers the finite numbers representable on the scale, plus a margin: whole powers of ten, or tens of
    /// decibels.
    GapAxis(GapScale kind, std::span<const double> numbers);

    /// Position of a number: 0 for equal, 1 for infinite error, nothing for NaN.
    [[nodiscard]] std::optional<double> placeOf(double number) const;
    /// At most `max` ticks, plus the one for equal tensors.
    [[nodiscard]] std::vector<Tick> ticks(int max) const;

    /// Fraction of the axis below the first number.
    static constexpr double equalBand = 0.08;

  private:
    [[nodiscard]] bool isEqual(double number) const;
    /// In powers of ten, or in negated decibels.
    [[nodiscard]] double levelOf(double number) const;

    GapScale scale = GapScale::Logarithmic;
    double low = -1;  ///< levels
    double high = 0;
};

}  // namespace et::visualizers

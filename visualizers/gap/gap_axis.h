#pragma once

#include "visualizers/gap/gap_quantity.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// The upright axis of a plot: from 0 (no error at all) to 1 (the worst). A band at the bottom is for what is
/// equal, since a logarithm has no place for it.
class GapAxis {
  public:
    struct Tick {
        double place;
        QString text;
    };

    GapAxis() = default;
    /// Spans the finite numbers that the scale has a place for, and some room: whole powers of ten, or tens
    /// of decibels.
    GapAxis(GapScale kind, std::span<const double> numbers);

    /// What is equal is at 0, what is infinitely bad at 1. Nothing for NaN.
    [[nodiscard]] std::optional<double> placeOf(double number) const;
    /// At most `max`, and the one for what is equal.
    [[nodiscard]] std::vector<Tick> ticks(int max) const;

    /// Part of the axis below the first number.
    static constexpr double equalBand = 0.08;

  private:
    [[nodiscard]] bool isEqual(double number) const;
    /// In powers of ten, or in decibels with their sign turned.
    [[nodiscard]] double levelOf(double number) const;

    GapScale scale = GapScale::Logarithmic;
    double low = -1;  ///< levels
    double high = 0;
};

}  // namespace et::visualizers

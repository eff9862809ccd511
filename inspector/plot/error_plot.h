#pragma once

#include "inspector/plot/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::plot {

/// Scale of errors; worse is always higher.
enum class ErrorScale : std::uint8_t {
    Logarithmic,  ///< powers of ten, with 0 at the bottom
    Decibels,     ///< linear and inverted, with infinity (equal tensors) at the bottom
};

/// One of the numbers of each operator.
struct ErrorSeries {
    std::string name{};
    Tone tone = Tone::Inherited;  ///< or Own
};

/// An operator.
struct ErrorRow {
    std::vector<std::optional<double>> numbers{};  ///< by series
    bool isCall = false;                           ///< a whole delegate call: its marks are squares
    bool diverges = false;                         ///< by its own error: its last mark has a ring
    std::string tip{};
};

/// Errors of operators in execution order, a stem with a mark for each number. A band at the bottom holds
/// equal tensors, which have no logarithm.
class ErrorPlot {
  public:
    ErrorPlot() = default;
    ErrorPlot(std::vector<ErrorSeries> series, ErrorScale scale, std::vector<ErrorRow> rows);

    /// Draws a vertical line with a label at a row.
    void setFirstDivergence(std::size_t row, const std::string& name);

    [[nodiscard]] const std::vector<ErrorRow>& rows() const { return operators; }
    /// Position of a mark in the plot; nothing if the row has no number.
    [[nodiscard]] std::optional<Point> placeOf(std::size_t row, std::size_t series) const;
    /// Adds the visible part; its items are the visible operators that have a number, in order. `full`, by
    /// row: whether the row has its full colour; others are pale. Empty: all.
    void addTo(Scene& scene, const Frame& frame, const std::vector<bool>& full = {}) const;

  private:
    [[nodiscard]] double levelOf(double number) const;
    [[nodiscard]] double placeOfLevel(double level) const;
    [[nodiscard]] std::vector<Tick> ticks() const;
    [[nodiscard]] double pitchIn(const Frame& frame) const;
    void addAxes(Scene& scene, const Frame& frame) const;
    void addDivergence(Scene& scene, const Frame& frame) const;
    void addStem(Scene& scene, const Frame& frame, std::size_t row, std::size_t series, bool full) const;
    void addRow(Scene& scene, const Frame& frame, std::size_t row, bool full) const;
    void addLegend(Scene& scene, const Frame& frame) const;

    std::vector<ErrorSeries> shown;
    ErrorScale scale = ErrorScale::Logarithmic;
    std::vector<ErrorRow> operators;
    double low = -1;  ///< levels: powers of ten, or negated decibels
    double high = 0;
    std::optional<std::size_t> divergence;
    std::string divergenceText;
};

}  // namespace et::inspector::plot

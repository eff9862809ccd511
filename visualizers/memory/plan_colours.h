#pragma once

#include "inspector/memory/memory_timeline.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// Meaning of the colour of a tensor's rectangle.
enum class ColourBy : std::uint8_t { Kind, Type, Operator, Lifetime };

/// An entry of the legend.
struct LegendEntry {
    QColor colour;
    QString text;
};

struct PlanColours {
    std::vector<QRgb> tensors{};  ///< by MemoryTimeline::tensors
    std::vector<LegendEntry> legend{};
};

/// `dark`: for a dark background. The legend has at most twelve entries, those with the most bytes first.
[[nodiscard]] PlanColours planColours(const inspector::MemoryTimeline& timeline, ColourBy by, bool dark);

}  // namespace et::visualizers

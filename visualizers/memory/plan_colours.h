#pragma once

#include "inspector/memory/memory_timeline.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// What the colour of a tensor's rectangle says.
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

/// `dark`: on a dark ground. The legend lists at most a dozen entries, those with the most bytes first.
[[nodiscard]] PlanColours planColours(const inspector::MemoryTimeline& timeline, ColourBy by, bool dark);

}  // namespace et::visualizers

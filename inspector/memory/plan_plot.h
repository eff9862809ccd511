#pragma once

#include "inspector/format/palette.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/memory/plan_axis.h"
#include "inspector/plot/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// Okabe and Ito's palette, distinguishable with colour vision deficiency; in the order of TensorKind.
inline constexpr std::array<format::Rgb, 9> tensorKindColours{
    0x56b4e9, 0x009e73, 0xcc79a7, 0xe69f00, 0xf0e442, 0x999999, 0x000000, 0xd55e00, 0x0072b2};

/// A tensor's memory: a byte range of an arena for part of the run.
struct PlanBox {
    std::size_t tensor = 0;  ///< position in MemoryTimeline::tensors
    Step first = 0;
    Step last = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// The tensors of an arena with bytes and a lifetime, largest first; at `offsets` (by tensor) if given,
/// otherwise at the program's offsets.
[[nodiscard]] std::vector<PlanBox> planBoxes(const MemoryTimeline& timeline, const ArenaTimeline& arena,
                                             std::span<const std::uint64_t> offsets = {});
/// End of the highest box in bytes, or of the arena if that is higher; at least 1.
[[nodiscard]] std::uint64_t planExtent(const ArenaTimeline& arena, std::span<const PlanBox> boxes);

/// A plot of an arena: offsets (0 at the bottom) over steps, below a curve of live bytes.
struct PlanPlot {
    const MemoryTimeline& timeline;
    const ArenaTimeline& arena;
    const PlanAxis& axis;
    std::uint64_t extent = 1;  ///< offset at the top, in bytes
    plot::Frame frame{};       ///< of the offsets
    plot::Box curve{};         ///< of the live bytes, as wide as the frame

    [[nodiscard]] plot::Box rectOf(const PlanBox& box) const;

    void addAxes(plot::Scene& scene) const;
    /// Live bytes (the maximum at each point of the axis) and a line at the planned bytes.
    void addCurve(plot::Scene& scene) const;
    /// The value and the writer of a tensor on its rectangle of this colour, if there is space.
    void addLabel(plot::Scene& scene, const PlanBox& box, format::Rgb ground,
                  std::optional<std::size_t> item = std::nullopt) const;
    /// A line at the peak, if it is visible.
    void addPeak(plot::Scene& scene) const;
};

inline constexpr plot::Style plannedStyle{.name = "planned", .stroke = plot::Tone::Error, .dashed = true};
inline constexpr plot::Style peakStyle{.name = "peak", .stroke = plot::Tone::Error};

}  // namespace et::inspector

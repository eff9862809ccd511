#include "inspector/memory/memory_picture.h"

#include "inspector/memory/plan_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

using plot::TextAnchor;

// In points.
constexpr double pictureWidth = 1180;
constexpr double plotLeft = 90;
constexpr double plotWidth = 1060;
constexpr double headHeight = 44;
constexpr double curveHeight = 80;
constexpr double curveGap = 14;
constexpr double plotHeight = 340;
constexpr double axisHeight = 46;
constexpr double panelHeight = headHeight + curveHeight + curveGap + plotHeight + axisHeight;
constexpr double legendHeight = 34;

/// Limit for SVG viewers; the smallest rectangles are dropped.
constexpr std::size_t maxRectangles = 20'000;

plot::Style styleOf(TensorKind kind) {
    return {.name = tensorKindName(kind),
            .fill = plot::Tone::Fixed,
            .stroke = plot::Tone::Ink,
            .width = 0.5,
            .fixed = tensorKindColours[static_cast<std::size_t>(kind)]};
}

void addTensor(plot::Scene& scene, const PlanPlot& plan, const MemoryView& view, const PlanBox& box) {
    const PlannedTensor& tensor = view.timeline.tensors[box.tensor];
    const plot::Style style = styleOf(tensor.kind);
    const std::size_t item = scene.items.size();
    scene.items.push_back({.kind = "tensor", .tip = describe(tensor, view)});
    scene.marks.push_back({.shape = plan.rectOf(box), .style = style, .item = item});
    plan.addLabel(scene, box, style.fixed, item);
}

/// Adds one arena of one method.
void addPanel(plot::Scene& scene, const MemoryView& view, const ArenaTimeline& arena, double top) {
    const MemoryTimeline& timeline = view.timeline;
    std::vector<PlanBox> boxes = planBoxes(timeline, arena);
    const PlanAxis axis(timeline.steps.size());
    const double plotTop = top + headHeight + curveHeight + curveGap;
    const PlanPlot plan{
        .timeline = timeline,
        .arena = arena,
        .axis = axis,
        .extent = planExtent(arena, boxes),
        .frame = {.area = {.x = plotLeft, .y = plotTop, .width = plotWidth, .height = plotHeight}},
        .curve = {.x = plotLeft, .y = top + headHeight, .width = plotWidth, .height = curveHeight}};
    scene.text({.x = plotLeft, .y = top + 16},
               fmt::format("{}, arena {}", timeline.method->name, arena.arena.value), plot::inkStyle);
    scene.text({.x = plotLeft, .y = top + 32}, describe(arena, timeline), plot::faintStyle);
    plan.addAxes(scene);
    scene.text({.x = plotLeft + plotWidth / 2, .y = plan.frame.bottom() + 34}, "instruction",
               plot::faintStyle, TextAnchor::Middle);
    plan.addCurve(scene);
    if (boxes.size() > maxRectangles) {
        scene.text({.x = plan.frame.right(), .y = top + 32},
                   fmt::format("the smallest {} of {} tensors are not drawn", boxes.size() - maxRectangles,
                               boxes.size()),
                   {.name = "warn", .fill = plot::Tone::Error}, TextAnchor::End);
        boxes.resize(maxRectangles);
    }
    for (const PlanBox& box : boxes) {
        addTensor(scene, plan, view, box);
    }
    plan.addPeak(scene);
}

void addLegend(plot::Scene& scene, std::span<const MemoryView> methods) {
    constexpr double square = 11;
    const plot::Frame plain;
    double x = plotLeft;
    const auto addText = [&](double at, const std::string& text) {
        scene.text({.x = at, .y = 22}, text, plot::inkStyle);
        x = at + 20 + plain.textWidth(text);
    };
    for (const TensorKind kind :
         {TensorKind::Input, TensorKind::Output, TensorKind::State, TensorKind::Intermediate,
          TensorKind::Scratch, TensorKind::Loss, TensorKind::Gradient, TensorKind::Parameter}) {
        std::ptrdiff_t count = 0;
        for (const MemoryView& each : methods) {
            count += std::ranges::count_if(each.timeline.tensors, [kind](const PlannedTensor& tensor) {
                return tensor.kind == kind && tensor.bytes > 0;
            });
        }
        if (count > 0) {
            scene.marks.push_back({.shape = plot::Box{.x = x, .y = 12, .width = square, .height = square},
                                   .style = styleOf(kind)});
            addText(x + square + 5, fmt::format("{} ({})", tensorKindName(kind), count));
        }
    }
    scene.line({.x = x, .y = 17.5}, {.x = x + 22, .y = 17.5}, plannedStyle);
    addText(x + 27, "planned bytes");
    scene.line({.x = x, .y = 11}, {.x = x, .y = 24}, peakStyle);
    addText(x + 5, "peak");
}

}  // namespace

std::string memoryPicture(std::span<const MemoryView> methods) {
    plot::Scene scene;
    addLegend(scene, methods);
    double top = legendHeight;
    for (const MemoryView& each : methods) {
        for (const ArenaTimeline& arena : each.timeline.arenas) {
            addPanel(scene, each, arena, top);
            top += panelHeight;
        }
    }
    if (top == legendHeight) {
        scene.text({.x = plotLeft, .y = legendHeight + 20}, "no method plans memory", plot::inkStyle);
        top += panelHeight;
    }
    return plot::svgText(scene, pictureWidth, top);
}

}  // namespace et::inspector

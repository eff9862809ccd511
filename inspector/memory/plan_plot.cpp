#include "inspector/memory/plan_plot.h"

#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "inspector/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace et::inspector {

namespace {

using format::readableBytes;
using plot::TextAnchor;

// In pixels or points.
constexpr double labelWidth = 30;  // minimum width of a label
constexpr double labelMargin = 4;
constexpr double offsetSpacing = 44;  // minimum distance of grid lines
constexpr double stepSpacing = 90;

constexpr plot::Style liveStyle{
    .name = "live-bytes", .fill = plot::Tone::Accent, .stroke = plot::Tone::Accent, .opacity = 0.25};
constexpr plot::Style darkLabel{.name = "tensor-label", .fill = plot::Tone::Fixed, .fixed = 0x000000};
constexpr plot::Style lightLabel{.name = "tensor-label light", .fill = plot::Tone::Fixed, .fixed = 0xffffff};

}  // namespace

std::vector<PlanBox> planBoxes(const MemoryTimeline& timeline, const ArenaTimeline& arena,
                               std::span<const std::uint64_t> offsets) {
    std::vector<PlanBox> boxes;
    for (std::size_t i = 0; i < timeline.tensors.size(); ++i) {
        const PlannedTensor& tensor = timeline.tensors[i];
        if (tensor.arena == arena.arena && tensor.bytes > 0 && tensor.firstStep <= tensor.lastStep) {
            boxes.push_back({.tensor = i,
                             .first = tensor.firstStep,
                             .last = tensor.lastStep,
                             .offset = i < offsets.size() ? offsets[i] : tensor.offset,
                             .bytes = tensor.bytes});
        }
    }
    std::ranges::stable_sort(boxes, std::greater{}, &PlanBox::bytes);
    return boxes;
}

std::uint64_t planExtent(const ArenaTimeline& arena, std::span<const PlanBox> boxes) {
    std::uint64_t extent = std::max<std::uint64_t>(arena.plannedBytes, 1);
    for (const PlanBox& box : boxes) {
        extent = std::max(extent, box.end());
    }
    return extent;
}

plot::Box PlanPlot::rectOf(const PlanBox& box) const {
    const auto whole = static_cast<double>(extent);
    const plot::Point from = frame.onScreen(
        {.x = axis.startOf(box.first) / axis.length(), .y = 1 - static_cast<double>(box.end()) / whole});
    const plot::Point to = frame.onScreen(
        {.x = axis.endOf(box.last) / axis.length(), .y = 1 - static_cast<double>(box.offset) / whole});
    return {.x = from.x, .y = from.y, .width = to.x - from.x, .height = to.y - from.y};
}

void PlanPlot::addAxes(plot::Scene& scene) const {
    const auto whole = static_cast<double>(extent);
    const plot::Box& part = frame.part;
    const double least = whole * part.height * offsetSpacing / frame.area.height;
    std::vector<plot::Tick> offsets;
    for (const double at : plot::multiples(whole * (1 - part.y - part.height), whole * (1 - part.y),
                                           plot::roundByteStep(std::max(least, 1.0)))) {
        offsets.push_back({.place = 1 - at / whole, .label = readableBytes(static_cast<std::uint64_t>(at))});
    }
    addGrid(scene, frame, true, offsets);
    const double from = axis.length() * part.x;
    const double visible = axis.length() * part.width;
    addGrid(scene, frame, false, axis.ticks(from, from + visible, visible * stepSpacing / frame.area.width));
}

void PlanPlot::addCurve(plot::Scene& scene) const {
    const std::uint64_t most = std::max({arena.plannedBytes, arena.peakBytes, std::uint64_t{1}});
    const auto yOf = [&](std::uint64_t bytes) {
        return curve.y + curve.height * (1 - static_cast<double>(bytes) / static_cast<double>(most));
    };
    const double bottom = curve.y + curve.height;
    const double right = curve.x + curve.width;
    const double perPixel = axis.length() * frame.part.width / curve.width;
    const double from = axis.length() * frame.part.x;
    plot::Path line{.points = {{.x = curve.x, .y = bottom}}, .closed = true};
    for (double pixel = 0; pixel < curve.width; ++pixel) {
        const Step last = axis.stepAt(from + (pixel + 0.999) * perPixel);
        std::uint64_t max = 0;
        for (Step at = axis.stepAt(from + pixel * perPixel); at <= last; ++at) {
            max = std::max(max, arena.liveBytes[static_cast<std::size_t>(at + 1)]);
        }
        if (const double y = yOf(max); y != line.points.back().y) {
            line.points.push_back({.x = curve.x + pixel, .y = line.points.back().y});
            line.points.push_back({.x = curve.x + pixel, .y = y});
        }
    }
    line.points.push_back({.x = right, .y = line.points.back().y});
    line.points.push_back({.x = right, .y = bottom});
    scene.marks.push_back({.shape = std::move(line), .style = liveStyle, .item = scene.items.size()});
    scene.items.push_back(
        {.kind = "live", .tip = fmt::format("live bytes; at most {}", readableBytes(arena.peakBytes))});
    const double planned = yOf(arena.plannedBytes);
    scene.marks.push_back(
        {.shape = plot::Path{.points = {{.x = curve.x, .y = planned}, {.x = right, .y = planned}}},
         .style = plannedStyle,
         .item = scene.items.size()});
    scene.items.push_back({.kind = "plan", .tip = fmt::format("planned: {} bytes", arena.plannedBytes)});
    const plot::Point label{.x = curve.x - labelMargin, .y = curve.y + frame.lineHeight};
    scene.text(label, readableBytes(most), plot::faintStyle, TextAnchor::End);
    scene.text({.x = label.x, .y = label.y + frame.lineHeight}, "alive", plot::faintStyle, TextAnchor::End);
}

void PlanPlot::addLabel(plot::Scene& scene, const PlanBox& box, format::Rgb ground,
                        std::optional<std::size_t> item) const {
    const plot::Box rect = rectOf(box);
    const double left = std::max(rect.x, frame.area.x) + labelMargin;
    const double width = std::min(rect.x + rect.width, frame.right()) - labelMargin - left;
    const double top = std::max(rect.y, frame.area.y);
    const double bottom = std::min(rect.y + rect.height, frame.bottom());
    if (width < labelWidth || bottom - top < frame.lineHeight) {
        return;
    }
    const PlannedTensor& tensor = timeline.tensors[box.tensor];
    const std::string text = fmt::format("{} {}", tensor.value.value, readableWriter(tensor));
    scene.marks.push_back(
        {.shape = plot::Text{.at = {.x = left, .y = (top + bottom) / 2 + frame.toBaseline()},
                             .text = frame.fitted(text, width)},
         .style = format::inkOn(ground) == 0 ? darkLabel : lightLabel,
         .item = item});
}

void PlanPlot::addPeak(plot::Scene& scene) const {
    const double place = (axis.startOf(arena.peakStep) + axis.endOf(arena.peakStep)) / 2 / axis.length();
    const double x = frame.onScreen({.x = place, .y = 0}).x;
    if (x < frame.area.x || x > frame.right()) {
        return;
    }
    scene.marks.push_back(
        {.shape = plot::Path{.points = {{.x = x, .y = curve.y}, {.x = x, .y = frame.bottom()}}},
         .style = peakStyle,
         .item = scene.items.size()});
    scene.items.push_back(
        {.kind = "peak-mark", .tip = fmt::format("the peak {}", stepText(timeline, arena.peakStep))});
}

}  // namespace et::inspector

#include "inspector/memory/memory_picture.h"

#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

using format::readableBytes;
using format::SvgBox;
using format::SvgPicture;
using format::TextAnchor;

// In points.
constexpr double pictureWidth = 1180;
constexpr double plotLeft = 90;
constexpr double plotWidth = 1060;
constexpr double headHeight = 44;
constexpr double curveHeight = 80;
constexpr double gap = 14;
constexpr double plotHeight = 340;
constexpr double axisHeight = 46;
constexpr double panelHeight = headHeight + curveHeight + gap + plotHeight + axisHeight;
constexpr double legendHeight = 34;
constexpr double fontSize = 11;

/// Limit for SVG viewers; the smallest rectangles are dropped.
constexpr std::size_t maxRectangles = 20'000;

/// Okabe-Ito palette, distinguishable with colour vision deficiencies.
constexpr std::string_view styles =
    ".input{fill:#56b4e9}.output{fill:#009e73}.state{fill:#cc79a7}.intermediate{fill:#e69f00}.scratch{fill:#"
    "f0e442}"
    ".tensor rect{stroke:#1f2328;stroke-width:.5;stroke-opacity:.55}.tensor text{fill:#111111;font-size:10px}"
    ".tensor:hover rect{stroke-width:2;stroke-opacity:1}"
    ".curve{fill:#0969da;fill-opacity:.25;stroke:#0969da;stroke-width:1}"
    ".planned{stroke:#cf222e;stroke-width:1;stroke-dasharray:5 3}.peak{stroke:#cf222e;stroke-width:1}"
    ".warn{fill:#cf222e}.bold{font-weight:bold}";

constexpr std::array drawnKinds{TensorKind::Input, TensorKind::Output, TensorKind::State,
                                TensorKind::Intermediate, TensorKind::Scratch};

/// One arena of one method.
class Panel {
  public:
    Panel(SvgPicture& to, const MemoryView& from, const ArenaTimeline& which, double top)
        : picture(to),
          view(from),
          timeline(from.timeline),
          arena(which),
          curveTop(top + headHeight),
          plotTop(top + headHeight + curveHeight + gap),
          headTop(top),
          extent(std::max<std::uint64_t>(arena.plannedBytes, 1)) {
        for (const PlannedTensor& tensor : timeline.tensors) {
            if (tensor.arena == arena.arena) {
                extent = std::max(extent, tensor.end());
            }
        }
    }

    void draw() {
        drawHead();
        drawGrid();
        drawCurve();
        drawTensors();
        drawPeak();
    }

  private:
    [[nodiscard]] double x(Step step) const {
        const auto moments = static_cast<double>(timeline.steps.size() + 2);
        return plotLeft + static_cast<double>(step + 1) * plotWidth / moments;
    }
    [[nodiscard]] double y(std::uint64_t offset) const {
        return plotTop + plotHeight * (1 - static_cast<double>(offset) / static_cast<double>(extent));
    }
    [[nodiscard]] double curveY(std::uint64_t live) const {
        return curveTop + curveHeight * (1 - static_cast<double>(live) / static_cast<double>(curveExtent()));
    }
    [[nodiscard]] std::uint64_t curveExtent() const {
        return std::max<std::uint64_t>(std::max(arena.plannedBytes, arena.peakBytes), 1);
    }

    void drawHead() {
        picture.text(plotLeft, headTop + 16,
                     fmt::format("{}, arena {}", timeline.method->name, arena.arena.value), "ink bold");
        picture.text(plotLeft, headTop + 32, describe(arena, timeline), "faint");
    }

    void drawGrid() {
        const double bytes = niceStep(static_cast<double>(extent), 8, 16);
        for (double at = 0; at <= static_cast<double>(extent); at += bytes) {
            const auto offset = static_cast<std::uint64_t>(at);
            picture.line(plotLeft, y(offset), plotLeft + plotWidth, y(offset), "grid");
            picture.text(plotLeft - 6, y(offset) + 4, readableBytes(offset), "faint", TextAnchor::End);
        }
        const auto count = static_cast<double>(timeline.steps.size());
        const auto every = static_cast<Step>(niceStep(count, 16, 10));
        for (Step step = 0; step < static_cast<Step>(timeline.steps.size()); step += every) {
            picture.line(x(step), plotTop, x(step), plotTop + plotHeight + 4, "grid");
            picture.text(x(step), plotTop + plotHeight + 16, fmt::to_string(step), "faint",
                         TextAnchor::Middle);
        }
        picture.text(plotLeft + plotWidth / 2, plotTop + plotHeight + 32, "instruction", "faint",
                     TextAnchor::Middle);
        picture.text(plotLeft - 6, curveTop + 8, "alive", "faint", TextAnchor::End);
        picture.text(plotLeft - 6, curveTop + 22, readableBytes(curveExtent()), "faint", TextAnchor::End);
    }

    void drawCurve() {
        std::string data = fmt::format("M{:.2f} {:.2f}", x(-1), curveTop + curveHeight);
        for (std::size_t i = 0; i < arena.liveBytes.size(); ++i) {
            const auto step = static_cast<Step>(i) - 1;
            data += fmt::format("V{:.2f}H{:.2f}", curveY(arena.liveBytes[i]), x(step + 1));
        }
        data += fmt::format("V{:.2f}Z", curveTop + curveHeight);
        picture.begin("live", fmt::format("live bytes; at most {}", readableBytes(arena.peakBytes)));
        picture.path(data, "curve");
        picture.end();
        const double planned = curveY(arena.plannedBytes);
        picture.begin("plan", fmt::format("planned: {} bytes", arena.plannedBytes));
        picture.line(plotLeft, planned, plotLeft + plotWidth, planned, "planned");
        picture.end();
    }

    void drawTensors() {
        std::vector<const PlannedTensor*> drawn;
        for (const PlannedTensor& tensor : timeline.tensors) {
            if (tensor.arena == arena.arena && tensor.firstStep <= tensor.lastStep && tensor.bytes > 0) {
                drawn.push_back(&tensor);
            }
        }
        std::ranges::stable_sort(drawn, std::ranges::greater{}, &PlannedTensor::bytes);
        if (drawn.size() > maxRectangles) {
            picture.text(plotLeft + plotWidth, headTop + 32,
                         fmt::format("the smallest {} of {} tensors are not drawn",
                                     drawn.size() - maxRectangles, drawn.size()),
                         "warn", TextAnchor::End);
            drawn.resize(maxRectangles);
        }
        for (const PlannedTensor* tensor : drawn) {
            drawTensor(*tensor);
        }
    }

    void drawTensor(const PlannedTensor& tensor) {
        const SvgBox box{.x = x(tensor.firstStep),
                         .y = y(tensor.end()),
                         .width = x(tensor.lastStep + 1) - x(tensor.firstStep),
                         .height = y(tensor.offset) - y(tensor.end())};
        picture.begin("tensor", describe(tensor, view));
        picture.rect(box, tensorKindName(tensor.kind));
        constexpr double margin = 4;
        if (box.height >= fontSize + 1) {
            const std::string label = format::fittedText(
                fmt::format("{} {}", tensor.value.value, readableWriter(tensor)), box.width - 2 * margin, 10);
            picture.text(box.x + margin, box.y + std::min(box.height / 2 + 4, 16.0), label, "label");
        }
        picture.end();
    }

    void drawPeak() {
        const double at = (x(arena.peakStep) + x(arena.peakStep + 1)) / 2;
        picture.begin("peak-mark", fmt::format("the peak {}", stepText(timeline, arena.peakStep)));
        picture.line(at, curveTop, at, plotTop + plotHeight, "peak");
        picture.end();
    }

    SvgPicture& picture;
    const MemoryView& view;
    const MemoryTimeline& timeline;
    const ArenaTimeline& arena;
    double curveTop;
    double plotTop;
    double headTop;
    std::uint64_t extent;
};

void drawLegend(SvgPicture& picture, std::span<const MemoryView> methods) {
    constexpr double square = 11;
    double x = plotLeft;
    for (const TensorKind kind : drawnKinds) {
        std::size_t count = 0;
        for (const MemoryView& each : methods) {
            count += static_cast<std::size_t>(std::ranges::count_if(
                each.timeline.tensors,
                [kind](const PlannedTensor& tensor) { return tensor.kind == kind && tensor.bytes > 0; }));
        }
        if (count == 0) {
            continue;
        }
        const std::string label = fmt::format("{} ({})", tensorKindName(kind), count);
        picture.rect({.x = x, .y = 12, .width = square, .height = square}, tensorKindName(kind));
        picture.text(x + square + 5, 22, label, "ink");
        x += square + 26 + format::textWidth(label, fontSize);
    }
    picture.line(x, 17.5, x + 22, 17.5, "planned");
    picture.text(x + 27, 22, "planned bytes", "ink");
    x += 46 + format::textWidth("planned bytes", fontSize);
    picture.line(x, 11, x, 24, "peak");
    picture.text(x + 5, 22, "peak", "ink");
}

}  // namespace

std::string memoryPicture(std::span<const MemoryView> methods) {
    std::size_t panels = 0;
    for (const MemoryView& each : methods) {
        panels += each.timeline.arenas.size();
    }
    SvgPicture picture(pictureWidth,
                       legendHeight + panelHeight * static_cast<double>(std::max<std::size_t>(panels, 1)),
                       styles);
    drawLegend(picture, methods);
    double top = legendHeight;
    for (const MemoryView& each : methods) {
        for (const ArenaTimeline& arena : each.timeline.arenas) {
            Panel(picture, each, arena, top).draw();
            top += panelHeight;
        }
    }
    if (panels == 0) {
        picture.text(plotLeft, legendHeight + 20, "no method plans memory", "ink");
    }
    return std::move(picture).finish();
}

}  // namespace et::inspector

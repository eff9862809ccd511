#include "app/output/bars/bar_picture.h"

#include "inspector/plot/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::output {
namespace {

namespace plot = inspector::plot;

constexpr double barsWidth = 860;
constexpr double barMargin = 10;
constexpr double barsTop = 26;
constexpr double pitch = 20;
constexpr double thickness = 12;
constexpr double widestLabel = 330;
constexpr double figureWidth = 120;

/// In the order of BarTone. Distinguishable with colour blindness, on both themes.
constexpr std::array barStyles{plot::Style{.name = "plain", .fill = plot::Tone::Fixed, .fixed = 0x0072b2},
                               plot::Style{.name = "good", .fill = plot::Tone::Fixed, .fixed = 0x009e73},
                               plot::Style{.name = "bad", .fill = plot::Tone::Fixed, .fixed = 0xd55e00},
                               plot::Style{.name = "idle", .fill = plot::Tone::Fixed, .fixed = 0x8d96a0}};

/// Adds bars below each other over one axis that includes 0.
class BarPass {
  public:
    BarPass(plot::Scene& to, std::span<const Bar> bars) : scene(to) {
        axis.most = 0;
        for (const Bar& bar : bars) {
            labels = std::clamp(frame.textWidth(bar.label), labels, widestLabel);
            for (const double value : {bar.value, bar.low.value_or(0), bar.high.value_or(0)}) {
                if (std::isfinite(value)) {
                    axis.least = std::min(axis.least, value);
                    axis.most = std::max(axis.most, value);
                }
            }
        }
        axis.most = axis.least == axis.most ? 1 : axis.most;
        const double left = barMargin + labels + 8;
        frame.area = {
            .x = left, .y = barsTop, .width = barsWidth - left - figureWidth - barMargin, .height = pitch};
    }

    void add(const Bar& bar) {
        const std::size_t first = scene.marks.size();
        const double middle = frame.area.y + pitch / 2 + barMargin / 2;
        const double baseline = middle + 4;
        scene.text({.x = barMargin + labels, .y = baseline}, frame.fitted(bar.label, labels), plot::inkStyle,
                   plot::TextAnchor::End);
        double end = x(0);
        if (std::isfinite(bar.value)) {
            const double from = x(std::min(bar.value, 0.0));
            end = x(std::max(bar.value, 0.0));
            scene.marks.push_back(
                {.shape =
                     plot::Box{
                         .x = from, .y = middle - thickness / 2, .width = end - from, .height = thickness},
                 .style = barStyles[static_cast<std::size_t>(bar.tone)]});
            addWhisker(bar, middle);
        }
        if (bar.high && std::isfinite(*bar.high)) {
            end = std::max(end, x(*bar.high));
        }
        scene.text({.x = end + 6, .y = baseline}, frame.fitted(bar.text, figureWidth), plot::faintStyle);
        for (std::size_t mark = first; mark < scene.marks.size(); ++mark) {
            scene.marks[mark].item = scene.items.size();
        }
        scene.items.push_back({.kind = "bar", .tip = bar.label + "\n" + bar.text});
        frame.area.y += pitch;
    }

    /// Adds a line at 0 above the present end of the bars.
    void addZero() {
        scene.line({.x = x(0), .y = barsTop}, {.x = x(0), .y = frame.area.y + barMargin}, plot::ruleStyle);
    }

  private:
    [[nodiscard]] double x(double value) const { return frame.onScreen({.x = axis.placeOf(value)}).x; }

    void addWhisker(const Bar& bar, double middle) {
        if (!bar.low || !bar.high || !std::isfinite(*bar.low) || !std::isfinite(*bar.high)) {
            return;
        }
        constexpr double half = 3;
        const double from = x(*bar.low);
        const double to = x(*bar.high);
        scene.line({.x = from, .y = middle}, {.x = to, .y = middle}, plot::ruleStyle);
        for (const double end : {from, to}) {
            scene.line({.x = end, .y = middle - half}, {.x = end, .y = middle + half}, plot::ruleStyle);
        }
    }

    plot::Scene& scene;
    plot::Frame frame;  ///< of the next bar
    plot::LinearAxis axis;
    double labels = 0;  ///< width
};

}  // namespace

std::string barPicture(const std::string& title, std::span<const Bar> bars) {
    const std::span<const Bar> drawn = bars.first(std::min(bars.size(), maxBars));
    plot::Scene scene;
    scene.text({.x = barMargin, .y = barsTop - 8}, plot::Frame().fitted(title, barsWidth - 2 * barMargin),
               plot::titleStyle);
    BarPass pass(scene, drawn);
    for (const Bar& bar : drawn) {
        pass.add(bar);
    }
    pass.addZero();
    double bottom = barsTop + barMargin + static_cast<double>(drawn.size()) * pitch;
    if (bars.size() > drawn.size()) {
        scene.text({.x = barMargin, .y = bottom + pitch - 6},
                   fmt::format("and {} more", bars.size() - drawn.size()), plot::faintStyle);
        bottom += pitch;
    }
    return plot::svgText(scene, barsWidth, bottom + barMargin);
}

}  // namespace et::output

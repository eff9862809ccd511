#include "app/output/bars/bar_picture.h"

#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

constexpr double pictureWidth = 860;
constexpr double margin = 10;
constexpr double titleHeight = 26;
constexpr double pitch = 20;
constexpr double thickness = 12;
constexpr double letters = 11;
constexpr double widestLabel = 330;
constexpr double figureWidth = 120;

/// Colours that remain distinguishable with colour blindness, on both themes.
constexpr std::string_view barStyles =
    ".plain{fill:#0072b2}.good{fill:#009e73}.bad{fill:#d55e00}.idle{fill:#8d96a0}"
    ".whisker{stroke:#656d76;stroke-width:1.5;fill:none}.title{font-weight:bold}";
constexpr std::array<std::string_view, 4> toneClasses{"plain", "good", "bad", "idle"};

/// Maps numbers to positions on the axis.
class BarScale {
  public:
    BarScale(std::span<const Bar> bars, double start, double length) : left(start), width(length) {
        for (const Bar& bar : bars) {
            include(bar.value);
            include(bar.low.value_or(0));
            include(bar.high.value_or(0));
        }
        if (low == high) {
            high = 1;
        }
    }
    [[nodiscard]] double at(double value) const { return left + width * (value - low) / (high - low); }

  private:
    void include(double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    double left;
    double width;
    double low = 0;
    double high = 0;
};

double labelWidth(std::span<const Bar> bars) {
    double widest = 0;
    for (const Bar& bar : bars) {
        widest = std::max(widest, inspector::format::textWidth(bar.label, letters));
    }
    return std::min(widest, widestLabel);
}

void drawWhisker(SvgPicture& picture, const Bar& bar, const BarScale& scale, double middle) {
    if (!bar.low || !bar.high || !std::isfinite(*bar.low) || !std::isfinite(*bar.high)) {
        return;
    }
    constexpr double half = 3;
    const double from = scale.at(*bar.low);
    const double to = scale.at(*bar.high);
    picture.line(from, middle, to, middle, "whisker");
    picture.line(from, middle - half, from, middle + half, "whisker");
    picture.line(to, middle - half, to, middle + half, "whisker");
}

void drawBar(SvgPicture& picture, const Bar& bar, const BarScale& scale, double labels, double top) {
    picture.begin("bar", bar.label + "\n" + bar.text);
    const double baseline = top + pitch - 6;
    const double middle = top + pitch / 2;
    picture.text(margin + labels, baseline, inspector::format::fittedText(bar.label, labels, letters), "ink",
                 TextAnchor::End);
    double end = scale.at(0);
    if (std::isfinite(bar.value)) {
        const double from = scale.at(std::min(bar.value, 0.0));
        const double to = scale.at(std::max(bar.value, 0.0));
        picture.rect({.x = from, .y = middle - thickness / 2, .width = to - from, .height = thickness},
                     toneClasses[static_cast<std::size_t>(bar.tone)]);
        drawWhisker(picture, bar, scale, middle);
        end = to;
    }
    if (bar.high && std::isfinite(*bar.high)) {
        end = std::max(end, scale.at(*bar.high));
    }
    picture.text(end + 6, baseline, inspector::format::fittedText(bar.text, figureWidth, letters), "faint");
    picture.end();
}

}  // namespace

std::string barPicture(const std::string& title, std::span<const Bar> bars) {
    const std::span<const Bar> drawn = bars.first(std::min(bars.size(), maxBars));
    const std::size_t more = bars.size() - drawn.size();
    const double labels = labelWidth(drawn);
    const double left = margin + labels + 8;
    const BarScale scale(drawn, left, pictureWidth - left - figureWidth - margin);
    const double bottom = titleHeight + margin + static_cast<double>(drawn.size()) * pitch;
    SvgPicture picture(pictureWidth, bottom + (more > 0 ? pitch : 0) + margin, barStyles);
    picture.text(margin, titleHeight - 8,
                 inspector::format::fittedText(title, pictureWidth - 2 * margin, letters), "ink title");
    picture.line(scale.at(0), titleHeight, scale.at(0), bottom, "rule");
    double top = titleHeight + margin / 2;
    for (const Bar& bar : drawn) {
        drawBar(picture, bar, scale, labels, top);
        top += pitch;
    }
    if (more > 0) {
        picture.text(margin, bottom + pitch - 6, fmt::format("and {} more", more), "faint");
    }
    return std::move(picture).finish();
}

}  // namespace et::output

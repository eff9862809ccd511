#include "visualizers/graph/graph_style.h"

#include <QLatin1StringView>

#include <algorithm>

namespace et::visualizers {

GraphStyle GraphStyle::of(const QPalette& palette, const QFont& font) {
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    const auto pick = [dark](QRgb light, QRgb night) { return QColor(dark ? night : light); };
    return {.dark = dark,
            .font = font,
            .ground = palette.color(QPalette::Base),
            .ink = palette.color(QPalette::Text),
            .faint = pick(0xff1f242b, 0xffe0e3e7),
            .plain = pick(0xffeaeef2, 0xff34383e),
            .end = palette.color(QPalette::Base),
            .rule = pick(0xff57606a, 0xff8b929c),
            .line = pick(0xff6e7781, 0xff9198a1),
            .chosen = palette.color(QPalette::Highlight),
            .found = pick(0xffbc4c00, 0xfff0a35e),
            .note = palette.color(QPalette::Link),
            .frame = pick(0xff8c959f, 0xff7d858f),
            .delegate = pick(0xff0969da, 0xff58a6ff),
            .palette = palette};
}

QColor GraphStyle::fill(std::string_view colour) const {
    const QColor given =
        QColor::fromString(QLatin1StringView(colour.data(), static_cast<qsizetype>(colour.size())));
    if (colour.empty() || !given.isValid()) {
        return plain;
    }
    if (!dark) {
        return given;
    }
    // Yellow appears brighter than blue of the same lightness; this is dark enough for text on it.
    constexpr float darkest = 0.18F;
    const float lightness = darkest + (1 - given.lightnessF()) * 0.4F;
    return QColor::fromHslF(std::max(given.hslHueF(), 0.0F), given.hslSaturationF() * 0.62F, lightness);
}

}  // namespace et::visualizers

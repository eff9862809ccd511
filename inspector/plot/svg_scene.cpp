#include "inspector/format/palette.h"
#include "inspector/plot/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace et::inspector::plot {

namespace {

using format::Meaning;
using format::Rgb;
using format::SvgPicture;

/// The colour of a tone on a light and on a dark background. The first four are those of SvgPicture.
std::pair<Rgb, Rgb> coloursOf(Tone tone, const Style& style) {
    const auto of = [](Meaning meaning) {
        const auto& traits = format::infoOf(meaning);
        return std::pair(traits.light, traits.dark);
    };
    switch (tone) {
        case Tone::None:
        case Tone::Page:
            return {0xffffff, 0x0d1117};
        case Tone::Ink:
            return {0x1f2328, 0xe6edf3};
        case Tone::Faint:
            return {0x656d76, 0x8d96a0};
        case Tone::Grid:
            return {0xd0d7de, 0x30363d};
        case Tone::Accent:
        case Tone::Kernel:
            return of(Meaning::Kernel);
        case Tone::Delegate:
            return of(Meaning::Delegate);
        case Tone::Error:
            return of(Meaning::Error);
        case Tone::Good:
            return of(Meaning::Good);
        case Tone::Fixed:
            return {style.fixed, style.fixed};
        case Tone::Own:
            return of(Meaning::Own);
        case Tone::Inherited:
            return of(Meaning::Inherited);
    }
    std::unreachable();
}

std::string colourRule(Tone tone, const Style& style, bool dark) {
    const auto [light, night] = coloursOf(tone, style);
    return tone == Tone::None ? "none" : format::hexText(dark ? night : light);
}

/// Style sheet of the scene; SvgPicture already has the classes of text, rules and grid lines.
std::string styleSheet(const Scene& scene, bool isLight) {
    std::vector<std::string_view> known{inkStyle.name, faintStyle.name, ruleStyle.name, gridStyle.name};
    std::string light;
    std::string dark;
    for (const Mark& mark : scene.marks) {
        const Style& style = mark.style;
        if (std::ranges::contains(known, style.name)) {
            continue;
        }
        known.push_back(style.name);
        std::string selector(style.name);
        std::ranges::replace(selector, ' ', '.');
        fmt::format_to(std::back_inserter(light),
                       ".{}{{fill:{};stroke:{};stroke-width:{};{}-opacity:{}{}{}}}", selector,
                       colourRule(style.fill, style, false), colourRule(style.stroke, style, false),
                       style.width, style.fill == Tone::None ? "stroke" : "fill", style.opacity,
                       style.dashed ? ";stroke-dasharray:5 3" : "", style.bold ? ";font-weight:bold" : "");
        fmt::format_to(std::back_inserter(dark), ".{}{{fill:{};stroke:{}}}", selector,
                       colourRule(style.fill, style, true), colourRule(style.stroke, style, true));
    }
    return dark.empty() || isLight ? light : light + "@media (prefers-color-scheme:dark){" + dark + "}";
}

struct ShapeWriter {
    SvgPicture& picture;
    std::string_view style;

    void operator()(const Box& box) const { picture.rect(box, style); }
    void operator()(const Text& text) const {
        picture.text(text.at.x, text.at.y, text.text, style, text.anchor);
    }
    void operator()(const Circle& circle) const {
        picture.path(
            fmt::format("M{:.1f} {:.1f}a{r:.1f} {r:.1f} 0 1 0 {d:.1f} 0a{r:.1f} {r:.1f} 0 1 0 -{d:.1f} 0z",
                        circle.centre.x - circle.radius, circle.centre.y, fmt::arg("r", circle.radius),
                        fmt::arg("d", 2 * circle.radius)),
            style);
    }
    void operator()(const Dots& dots) const {
        std::string data;
        for (const Point& centre : dots.centres) {
            fmt::format_to(std::back_inserter(data), "M{:.1f} {:.1f}h0", centre.x, centre.y);
        }
        picture.path(data, style, "stroke-linecap=\"round\"");
    }
    void operator()(const Path& path) const {
        if (path.points.size() == 2) {
            const auto& [from, to] = std::pair(path.points.front(), path.points.back());
            picture.line(from.x, from.y, to.x, to.y, style);
            return;
        }
        std::string data;
        for (const Point& point : path.points) {
            fmt::format_to(std::back_inserter(data), "{}{:.1f} {:.1f}", data.empty() ? "M" : "L", point.x,
                           point.y);
        }
        picture.path(data + (path.closed ? "z" : ""), style);
    }
};

}  // namespace

std::string svgText(const Scene& scene, double width, double height, const format::SvgOptions& options) {
    SvgPicture picture(width, height, styleSheet(scene, options.isLight), options);
    std::optional<std::size_t> group;
    const auto openGroup = [&](std::optional<std::size_t> next) {
        if (group == next) {
            return;
        }
        if (group) {
            picture.end();
        }
        if (next) {
            const Item& item = scene.items[*next];
            picture.begin(item.kind, item.tip,
                          item.event ? fmt::format("data-e=\"{}\"", *item.event) : item.attributes);
        }
        group = next;
    };
    for (const Mark& mark : scene.marks) {
        openGroup(mark.item);
        std::visit(ShapeWriter{.picture = picture, .style = mark.style.name}, mark.shape);
    }
    openGroup(std::nullopt);
    return std::move(picture).finish();
}

}  // namespace et::inspector::plot

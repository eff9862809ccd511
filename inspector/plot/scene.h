#pragma once

#include "inspector/format/palette.h"
#include "inspector/format/svg.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Plots as shapes, drawn by the window and written as SVG. x points right and y down.
namespace et::inspector::plot {

using format::TextAnchor;
using Box = format::SvgBox;

struct Point {
    double x = 0;
    double y = 0;

    bool operator==(const Point&) const = default;
};

/// Meaning of a colour; the drawing side selects the colour for its theme. Fixed: Style::fixed in every
/// theme.
enum class Tone : std::uint8_t {
    None,
    Page,
    Ink,
    Faint,
    Grid,
    Accent,
    Kernel,
    Delegate,
    Error,
    Good,
    Own,
    Inherited,
    Fixed
};

/// How a shape is drawn. Text uses `fill` only.
struct Style {
    std::string_view name{};  ///< classes in SVG: "point kernel"; each name has one style. Outlives the scene
    Tone fill = Tone::None;
    Tone stroke = Tone::None;
    double width = 1;    ///< of the stroke
    double opacity = 1;  ///< of the fill, or of the stroke of a shape without fill
    bool dashed = false;
    bool bold = false;  ///< text
    format::Rgb fixed = 0;
};
inline constexpr Style inkStyle{.name = "ink", .fill = Tone::Ink};
inline constexpr Style titleStyle{.name = "title", .fill = Tone::Ink, .bold = true};
inline constexpr Style faintStyle{.name = "faint", .fill = Tone::Faint};
inline constexpr Style ruleStyle{.name = "rule", .stroke = Tone::Faint};
inline constexpr Style gridStyle{.name = "grid", .stroke = Tone::Grid};

struct Path {
    std::vector<Point> points{};
    bool closed = false;
};
struct Circle {
    Point centre{};
    double radius = 0;
};
/// Many small circles, as wide as the stroke of their style.
struct Dots {
    std::vector<Point> centres{};
};
struct Text {
    Point at{};  ///< on the baseline
    std::string text{};
    TextAnchor anchor = TextAnchor::Start;
};
using Shape = std::variant<Path, Box, Circle, Dots, Text>;

struct Mark {
    Shape shape;
    Style style;
    bool clipped = false;               ///< to Scene::area
    std::optional<std::size_t> item{};  ///< the item that it shows
};

/// A thing in a plot that has a tooltip and can be selected.
struct Item {
    std::string_view kind{};  ///< class of its group in SVG
    std::string tip{};        ///< lines of text
    Point at{};
    double radius = 0;
    std::optional<std::size_t> event{};  ///< row of an event in the page that contains the picture
    std::string attributes{};            ///< of its group in SVG, unescaped: "data-i=\"3\""
};

/// A drawn plot. Later marks are in front.
struct Scene {
    Box area{};  ///< between the axes
    std::vector<Mark> marks{};
    std::vector<Item> items{};

    void line(Point from, Point to, const Style& style, bool clipped = false);
    void text(Point at, std::string text, const Style& style, TextAnchor anchor = TextAnchor::Start);
    /// The item within `reach` of a point, by the distance to its edge, then to its centre; of equal ones the
    /// last.
    [[nodiscard]] std::optional<std::size_t> itemAt(Point at, double reach) const;
};

/// The scene as an SVG file.
[[nodiscard]] std::string svgText(const Scene& scene, double width, double height,
                                  const format::SvgOptions& options = {});

}  // namespace et::inspector::plot

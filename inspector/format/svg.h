#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// SVG 1.1 images supported by every viewer: no scripts, no external references. Lengths are in points.
namespace et::inspector::format {

/// Escapes `text` for element content and attributes; characters not allowed in XML (control characters,
/// bytes that are not UTF-8) become U+FFFD.
[[nodiscard]] std::string xmlText(std::string_view text);

/// Width of a line of text at this font size, by the widths of DejaVu Sans: fallback sans-serif fonts are not
/// wider.
[[nodiscard]] double textWidth(std::string_view text, double fontSize);

/// `text`, shortened with an ellipsis if it is wider than `width`; "" if nothing fits.
[[nodiscard]] std::string fittedText(std::string_view text, double width, double fontSize);

/// Position and size of a shape; y points down.
struct SvgBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    bool operator==(const SvgBox&) const = default;
};

enum class TextAnchor : unsigned char { Start, Middle, End };

struct SvgOptions {
    std::string_view title{};  ///< of the whole image; may be empty
    bool isLight = false;      ///< ignores the viewer's theme
};

/// Builds one image. It follows the viewer's light or dark theme: besides the caller's classes, styles has
/// `page` (the background), `ink` and `faint` (text), `rule` and `grid` (lines).
class SvgPicture {
  public:
    /// `styles`: CSS of the caller's classes.
    SvgPicture(double width, double height, std::string_view styles, const SvgOptions& options = {});

    /// Opens a group; `title` is its tooltip. `attributes` as for rect().
    void begin(std::string_view className, std::string_view title = {}, std::string_view attributes = {});
    void end();
    /// `attributes` are written unescaped: `rx="3" fill="#fff"`.
    void rect(const SvgBox& box, std::string_view className, std::string_view attributes = {});
    void line(double x1, double y1, double x2, double y2, std::string_view className);
    void path(std::string_view data, std::string_view className, std::string_view attributes = {});
    void text(double x, double y, std::string_view content, std::string_view className,
              TextAnchor anchor = TextAnchor::Start);

    /// The finished image; nothing may be drawn afterwards.
    [[nodiscard]] std::string finish() &&;

  private:
    std::string out;
};

}  // namespace et::inspector::format

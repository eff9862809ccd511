#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Pictures as SVG 1.1 that every viewer shows: no scripts, no references to anything outside. Lengths are in
/// points of the picture.
namespace et::inspector::report {

/// `text` between tags or quotes: markup escaped; what XML does not allow (control characters, bytes that are
/// not UTF-8) becomes U+FFFD.
[[nodiscard]] std::string xmlText(std::string_view text);

/// How wide a line of text is at this font size, by the widths of DejaVu Sans: other sans-serif fonts that a
/// viewer takes are no wider.
[[nodiscard]] double textWidth(std::string_view text, double fontSize);

/// `text`, or its beginning with an ellipsis where all of it is wider than `width`; "" where nothing fits.
[[nodiscard]] std::string fittedText(std::string_view text, double width, double fontSize);

/// Place and size of something drawn; y goes down.
struct SvgBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

enum class TextAnchor : unsigned char { Start, Middle, End };

/// Builds one picture. It follows the light or dark theme of the viewer: besides the caller's classes, styles
/// has `page` (the background), `ink` and `faint` (text), `rule` and `grid` (lines).
class SvgPicture {
  public:
    /// `styles`: CSS of the caller's own classes.
    SvgPicture(double width, double height, std::string_view styles);

    /// Opens a group; a title is what a viewer shows when the mouse rests on it.
    /// `attributes` are as those of rect().
    void begin(std::string_view className, std::string_view title = {}, std::string_view attributes = {});
    void end();
    /// `attributes` are written as they are: `rx="3" fill="#fff"`.
    void rect(const SvgBox& box, std::string_view className, std::string_view attributes = {});
    void line(double x1, double y1, double x2, double y2, std::string_view className);
    void path(std::string_view data, std::string_view className, std::string_view attributes = {});
    void text(double x, double y, std::string_view content, std::string_view className,
              TextAnchor anchor = TextAnchor::Start);

    /// The whole picture; nothing is drawn after that.
    [[nodiscard]] std::string finish() &&;

  private:
    std::string out;
};

}  // namespace et::inspector::report

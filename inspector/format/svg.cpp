#include "inspector/format/svg.h"

#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace et::inspector::format {
namespace {

/// Advance widths of DejaVu Sans in hundredths of the font size, from the blank to the tilde.
constexpr std::array<std::uint8_t, 95> advances{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
};
constexpr std::uint8_t otherAdvance = 100;
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

double advance(std::string_view character) {
    const auto code = static_cast<unsigned char>(character.front());
    const std::size_t place = std::size_t{code} - 0x20;
    return character.size() == 1 && place < advances.size() ? advances[place] : otherAdvance;
}

/// Length in bytes of the character at the start of `text`; an invalid UTF-8 byte counts as one.
std::size_t characterLength(std::string_view text) {
    return std::max<std::size_t>(core::utf8SequenceLength(text), 1);
}

constexpr std::string_view sharedStyles =
    "text{font-family:\"DejaVu Sans\",Verdana,Helvetica,Arial,sans-serif;font-size:11px}"
    ".page{fill:#ffffff}.ink{fill:#1f2328}.faint{fill:#656d76}"
    ".rule{stroke:#656d76;stroke-width:1;fill:none}.grid{stroke:#d0d7de;stroke-width:1;fill:none}";
constexpr std::string_view darkStyles =
    "@media (prefers-color-scheme:dark){.page{fill:#0d1117}.ink{fill:#e6edf3}.faint{fill:#8d96a0}"
    ".rule{stroke:#8d96a0}.grid{stroke:#30363d}}";

constexpr std::array<std::string_view, 3> anchors{"", " text-anchor=\"middle\"", " text-anchor=\"end\""};

}  // namespace

std::string xmlText(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = core::utf8SequenceLength(text);
        const char first = text.front();
        const auto code = static_cast<unsigned char>(first);
        if (first == '&') {
            out += "&amp;";
        } else if (first == '<') {
            out += "&lt;";
        } else if (first == '>') {
            out += "&gt;";
        } else if (first == '"') {
            out += "&quot;";
        } else if (length == 0 || code == 0x7F || (code < 0x20 && first != '\n' && first != '\t')) {
            out += "\xEF\xBF\xBD";
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

double textWidth(std::string_view text, double fontSize) {
    double width = 0;
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        width += advance(text.substr(0, length));
        text.remove_prefix(length);
    }
    return width * fontSize / 100;
}

std::string fittedText(std::string_view text, double width, double fontSize) {
    const double available = width * 100 / fontSize;
    double used = 0;
    std::size_t fits = 0;  // bytes that fit together with the ellipsis
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterLength(text.substr(at));
        used += advance(text.substr(at, length));
        if (used > available) {
            return fits == 0 ? std::string() : std::string(text.substr(0, fits)) + std::string(ellipsis);
        }
        at += length;
        fits = used + otherAdvance <= available ? at : fits;
    }
    return std::string(text);
}

SvgPicture::SvgPicture(double width, double height, std::string_view styles, const SvgOptions& options) {
    const std::string title =
        options.title.empty() ? std::string() : fmt::format("<title>{}</title>\n", xmlText(options.title));
    out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n{5}<style>{2}{3}{4}</style>\n",
        width, height, sharedStyles, styles, options.isLight ? std::string_view() : darkStyles, title);
    rect({.x = 0, .y = 0, .width = width, .height = height}, "page");
}

void SvgPicture::begin(std::string_view className, std::string_view title, std::string_view attributes) {
    fmt::format_to(std::back_inserter(out), "<g class=\"{}\"{}{}>", className, attributes.empty() ? "" : " ",
                   attributes);
    if (!title.empty()) {
        fmt::format_to(std::back_inserter(out), "<title>{}</title>", xmlText(title));
    }
    out += '\n';
}

void SvgPicture::end() {
    out += "</g>\n";
}

void SvgPicture::rect(const SvgBox& box, std::string_view className, std::string_view attributes) {
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}{}/>\n",
                   className, box.x, box.y, box.width, box.height, attributes.empty() ? "" : " ", attributes);
}

void SvgPicture::line(double x1, double y1, double x2, double y2, std::string_view className) {
    fmt::format_to(std::back_inserter(out),
                   "<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n",
                   className, x1, y1, x2, y2);
}

void SvgPicture::path(std::string_view data, std::string_view className, std::string_view attributes) {
    fmt::format_to(std::back_inserter(out), "<path class=\"{}\" d=\"{}\"{}{}/>\n", className, data,
                   attributes.empty() ? "" : " ", attributes);
}

void SvgPicture::text(double x, double y, std::string_view content, std::string_view className,
                      TextAnchor anchor) {
    if (!content.empty()) {
        fmt::format_to(std::back_inserter(out), "<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>\n",
                       className, x, y, anchors[static_cast<std::size_t>(anchor)], xmlText(content));
    }
}

std::string SvgPicture::finish() && {
    out += "</svg>\n";
    return std::move(out);
}

}  // namespace et::inspector::format

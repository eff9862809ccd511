#pragma once

#include <QByteArray>
#include <QIcon>
#include <QString>

#include <span>
#include <string_view>

namespace et::studio {

/// A built-in icon: lines on a 16x16 grid, drawn in the text colour.
struct IconInfo {
    std::string_view name;  ///< "open"
    std::string_view svg;   ///< content of the <svg> element
};
[[nodiscard]] std::span<const IconInfo> icons();

/// Returns the icon of this name as an SVG file, in a colour ("#1d2129"). Empty if unknown.
[[nodiscard]] QByteArray iconFile(std::string_view name, const QString& colour);

/// Scalable icon in the colours of the application's light or dark theme. Null if the name is unknown.
[[nodiscard]] QIcon icon(std::string_view name);

}  // namespace et::studio

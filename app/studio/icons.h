#pragma once

#include <QByteArray>
#include <QIcon>
#include <QString>

#include <span>
#include <string_view>

namespace et::studio {

/// An icon of ours: lines on a grid of 16 by 16, drawn in the colour of the letters beside it.
struct IconTraits {
    std::string_view name;  ///< "open"
    std::string_view svg;   ///< what stands inside of <svg>
};
[[nodiscard]] std::span<const IconTraits> icons();

/// The icon of this name as an SVG file, in a colour ("#1d2129"). Empty: there is none.
[[nodiscard]] QByteArray iconFile(std::string_view name, const QString& colour);

/// Sharp at every size; light or dark as the application is. Null: there is none of this name.
[[nodiscard]] QIcon icon(std::string_view name);

}  // namespace et::studio

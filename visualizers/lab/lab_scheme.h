#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// How a site is quantized, as `et-inspect quantize --scheme` has it.
enum class LabScheme : std::uint8_t { Static8, Float, Dynamic8, Weights8, Dynamic4, Half };

/// All of them, in the order in which a site goes on from one to the next.
inline constexpr std::array labSchemes{LabScheme::Static8,  LabScheme::Float,    LabScheme::Dynamic8,
                                       LabScheme::Weights8, LabScheme::Dynamic4, LabScheme::Half};

/// "w8a8-static", "float", "w4a8-dynamic:32", …
[[nodiscard]] QString labSchemeName(LabScheme scheme);
/// The scheme of such a name; nothing: the lab has no such scheme.
[[nodiscard]] std::optional<LabScheme> labSchemeOf(const QString& name);
/// Whether the study has figures of it: all others are known by what was measured of programs.
[[nodiscard]] constexpr bool isStudied(LabScheme scheme) {
    return scheme == LabScheme::Static8 || scheme == LabScheme::Float;
}

/// One a site.
using LabChoice = std::vector<LabScheme>;

/// Whether all sites have static scales or are in float.
[[nodiscard]] bool isStudied(const LabChoice& choice);

}  // namespace et::visualizers

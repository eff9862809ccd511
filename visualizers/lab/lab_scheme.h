#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Quantization scheme of a site, as in `et-inspect quantize --scheme`.
enum class LabScheme : std::uint8_t { Static8, Float, Dynamic8, Weights8, Dynamic4, Half };

/// All schemes in the order in which a site cycles through them.
inline constexpr std::array labSchemes{LabScheme::Static8,  LabScheme::Float,    LabScheme::Dynamic8,
                                       LabScheme::Weights8, LabScheme::Dynamic4, LabScheme::Half};

/// "w8a8-static", "float", "w4a8-dynamic:32", …
[[nodiscard]] QString labSchemeName(LabScheme scheme);
/// The scheme with this name; nothing if the lab does not support it.
[[nodiscard]] std::optional<LabScheme> parseLabScheme(const QString& name);
/// True if the study has figures for the scheme; the others are known only from measured programs.
[[nodiscard]] constexpr bool isStudied(LabScheme scheme) {
    return scheme == LabScheme::Static8 || scheme == LabScheme::Float;
}

/// One scheme per site.
using LabChoice = std::vector<LabScheme>;

/// True if all sites have static scales or are in float.
[[nodiscard]] bool isStudied(const LabChoice& choice);

}  // namespace et::visualizers

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Meaning of colours, the same in every view and report. The hues are those of Okabe and Ito ("Color
/// Universal Design", 2008), distinguishable with any kind of colour vision.
namespace et::inspector::format {

enum class Meaning : std::uint8_t {
    Kernel,     ///< operators of the runtime
    Delegate,   ///< run by a delegate
    Copy,       ///< only moves data
    Idle,       ///< between operators: the runtime itself, waiting
    Error,      ///< wrong, slower, over a limit
    Own,        ///< error introduced by an operator itself
    Inherited,  ///< error inherited from its inputs
    Good,       ///< passes, matches
};

/// 0xRRGGBB.
using Rgb = std::uint32_t;

struct MeaningInfo {
    Meaning meaning;
    std::string_view id;  ///< "kernel": class name in style sheets
    Rgb light;            ///< on a light background
    Rgb dark;             ///< on a dark background
};
/// In the order of Meaning.
[[nodiscard]] std::span<const MeaningInfo> meanings();
[[nodiscard]] const MeaningInfo& infoOf(Meaning meaning);

/// Contrast of two colours as defined by WCAG 2.2, 1 to 21.
[[nodiscard]] double contrast(Rgb one, Rgb other);
/// Black or white, whichever has more contrast: at least 4.5.
[[nodiscard]] Rgb inkOn(Rgb ground);
/// "#0072b2".
[[nodiscard]] std::string hexText(Rgb colour);

}  // namespace et::inspector::format

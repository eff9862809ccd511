#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What colours mean, the same in every view and on every page. The hues are those of Okabe and Ito ("Color
/// Universal Design", 2008), which people with any kind of colour vision tell apart.
namespace et::inspector::report {

enum class Meaning : std::uint8_t {
    Kernel,     ///< the runtime's own operators
    Delegate,   ///< what a delegate runs
    Copy,       ///< what only moves data
    Idle,       ///< between operators: the runtime itself, waiting
    Error,      ///< wrong, slower, over a limit
    Own,        ///< the error that an operator makes itself
    Inherited,  ///< the error that comes with its inputs
    Good,       ///< passes, matches
};

/// 0xRRGGBB.
using Rgb = std::uint32_t;

struct MeaningTraits {
    Meaning meaning;
    std::string_view id;  ///< "kernel": classes of style sheets
    Rgb light;            ///< on a light ground
    Rgb dark;             ///< on a dark ground
};
/// In the order of Meaning.
[[nodiscard]] std::span<const MeaningTraits> meanings();
[[nodiscard]] const MeaningTraits& traitsOf(Meaning meaning);

/// The contrast of two colours as WCAG 2.2 defines it, 1 to 21.
[[nodiscard]] double contrast(Rgb one, Rgb other);
/// Black or white, whichever reads better on it: the contrast is at least 4.5.
[[nodiscard]] Rgb inkOn(Rgb ground);
/// "#0072b2".
[[nodiscard]] std::string hexText(Rgb colour);

}  // namespace et::inspector::report

#pragma once

#include "backends/xnnpack/quantize/scheme.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// How a site is quantized; nothing: it stays in float.
using SiteScheme = std::optional<backends::xnnpack::QuantizationScheme>;
/// One a site of a model, in graph order.
using SiteSchemes = std::vector<SiteScheme>;

/// A scheme for the sites that a name stands for: a node, an operator, a module or a site's own.
struct NamedScheme {
    std::string name;
    SiteScheme scheme;
};

/// How the sites of a model are to be quantized.
struct SchemeWish {
    std::vector<std::string> keep{};                 ///< names of what stays in float
    backends::xnnpack::QuantizationScheme scheme{};  ///< of all others
    std::vector<NamedScheme> named{};                ///< but these; of several that fit, the last one counts
    SiteSchemes chosen{};                            ///< by a search, in place of both; empty: there was none

    /// Whether some site may get static scales.
    [[nodiscard]] bool needsCalibration() const;
    /// Whether all are to be Static8 or stay in float.
    [[nodiscard]] bool isStatic() const;
};

/// "float", "w8a8-static", …
[[nodiscard]] std::string siteSchemeName(const SiteScheme& scheme);
/// The scheme of such a name. Errors: InvalidArgument.
[[nodiscard]] core::Result<SiteScheme> parseSiteScheme(std::string_view text);
/// "layers.3=w4a8-dynamic:32", "head=float". Errors: InvalidArgument.
[[nodiscard]] core::Result<NamedScheme> parseNamedScheme(std::string_view text);

}  // namespace et::app

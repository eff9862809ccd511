#pragma once

#include "backends/xnnpack/quantize/scheme.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Scheme of a site; nothing: it stays in float.
using SiteScheme = std::optional<backends::xnnpack::QuantizationScheme>;
/// One scheme per site of a model, in graph order.
using SiteSchemes = std::vector<SiteScheme>;

/// A scheme for the sites that match a name: of a node, an operator, a module or a site.
struct NamedScheme {
    std::string name;
    SiteScheme scheme;
};

/// Requested schemes for the sites of a model.
struct SchemeRequest {
    std::vector<std::string> keep{};                 ///< names of sites to keep in float
    backends::xnnpack::QuantizationScheme scheme{};  ///< for all other sites
    std::vector<NamedScheme> named{};                ///< overrides `scheme`; the last match is used
    SiteSchemes chosen{};  ///< result of a search, which replaces the others; empty: none

    /// True if some site may get static scales.
    [[nodiscard]] bool needsCalibration() const;
    /// True if all sites are to be Static8 or stay in float.
    [[nodiscard]] bool isStatic() const;
};

/// "float", "w8a8-static", …
[[nodiscard]] std::string siteSchemeName(const SiteScheme& scheme);
/// Parses the name of a scheme. Errors: InvalidArgument.
[[nodiscard]] core::Result<SiteScheme> parseSiteScheme(std::string_view text);
/// Parses "layers.3=w4a8-dynamic:32", "head=float". Errors: InvalidArgument.
[[nodiscard]] core::Result<NamedScheme> parseNamedScheme(std::string_view text);

}  // namespace et::tasks

#pragma once

#include "app/tasks/lab/site_schemes.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Rule of sites that are kept in float by name.
inline constexpr std::string_view keptByName = "it is named by --keep";

/// Rule of sites that `--scheme-of NAME=float` selects.
inline constexpr std::string_view floatByName = "--scheme-of selects float";

/// Rule of sites with 4-bit weights that `--except` keeps out of delegates.
inline constexpr std::string_view outsideByName =
    "--except names it, and dynamic 4-bit products have no kernels outside delegates";

/// Rule of sites that a search kept in float.
inline constexpr std::string_view keptBySearch = "the search keeps it in float";

/// A quantization site: an operator at which the quantizer matches a pattern.
struct SiteReport {
    std::string name;    ///< name of the exported operator: "conv2d_1"
    std::string kind;    ///< "conv"
    std::string module;  ///< empty: the root
    std::string line;    ///< "model.py:12"; empty: unknown
    std::vector<std::string> nodes;
    std::string rule;                                ///< why it stays in float; empty: quantized
    backends::xnnpack::QuantizationScheme scheme{};  ///< the scheme that it has, or that it does not support
    std::uint64_t weightBytes = 0;                   ///< size of its float weight; 0: none
    /// Supported schemes, with the default block length; empty: it stays in float.
    std::vector<backends::xnnpack::QuantizationScheme> takes{};
    bool isChosenByName = false;  ///< `--scheme-of` names it
    std::string rangeRule{};   ///< why its numbers do not suit static scales; empty: they do, or are unknown
    std::string staticRule{};  ///< why it has no static scales, found in a calibration; empty: it has them

    /// "add (add), model.py:12: -inf of its constant "mask" does not fit a quantized range", for a site with
    /// a range rule.
    [[nodiscard]] std::string rangeWarning() const;
    /// True if it is in float by choice, although the exporter would quantize it.
    [[nodiscard]] bool isLeftInFloat() const;
};

/// Returns all sites of a model in graph order. Sites that do not support their scheme, and those kept in
/// float by name or by a search, have a rule. Errors: NotFound (a name that matches nothing).
[[nodiscard]] core::Result<std::vector<SiteReport>> siteReports(backends::xnnpack::PreparedModel& model,
                                                                const SchemeRequest& wish);

/// Returns the sites without a rule, as a whole, with their schemes.
[[nodiscard]] std::vector<backends::xnnpack::SiteChoice> choicesOf(const std::vector<SiteReport>& sites);

/// The same sites, where those without static scales stay in float.
[[nodiscard]] std::vector<SiteReport> staticSites(std::vector<SiteReport> sites);
/// Warnings, one for each site without static scales.
[[nodiscard]] std::vector<std::string> staticWarnings(const std::vector<SiteReport>& sites);

/// Returns the selected method: the requested one, the only one, or `forward`. Errors: NotFound.
[[nodiscard]] core::Result<std::string> chosenMethod(const etrecord::Record& record, std::string_view asked);

}  // namespace et::tasks

#pragma once

#include "app/tasks/lab/site_schemes.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// The rule of sites that were named to stay in float.
inline constexpr std::string_view keptByName = "it is named by --keep";

/// The rule of sites that `--scheme-of NAME=float` names.
inline constexpr std::string_view floatByName = "--scheme-of says float";

/// The rule of sites that a search left in float.
inline constexpr std::string_view keptBySearch = "the search keeps it in float";

/// A place where the quantizer anchors a pattern.
struct SiteReport {
    std::string name;    ///< of the exported operator: "conv2d_1"
    std::string kind;    ///< "conv"
    std::string module;  ///< empty: the root
    std::string line;    ///< "model.py:12"; empty: unknown
    std::vector<std::string> nodes;
    std::string rule;                                ///< why it stays in float; empty: it is quantized
    backends::xnnpack::QuantizationScheme scheme{};  ///< that it is quantized with, or cannot be
    std::uint64_t weightBytes = 0;                   ///< of its weight in float; 0: it has none
    /// All that it can be quantized with, blocks of the usual length; empty: it stays in float.
    std::vector<backends::xnnpack::QuantizationScheme> takes{};

    /// Whether it stays in float by choice, where the exporter would quantize it.
    [[nodiscard]] bool isLeftInFloat() const;
};

/// All sites of a model in graph order. Those that their scheme does not quantize, and those that stay in
/// float by a name or a search, have that for a rule. Errors: NotFound (a name that stands for nothing).
[[nodiscard]] core::Result<std::vector<SiteReport>> siteReports(backends::xnnpack::PreparedModel& model,
                                                                const SchemeWish& wish);

/// Whole sites without a rule, with their schemes.
[[nodiscard]] std::vector<backends::xnnpack::SiteChoice> choicesOf(const std::vector<SiteReport>& sites);

/// The method that settings mean: the one that is asked for, the only one, or `forward`. Errors: NotFound.
[[nodiscard]] core::Result<std::string> chosenMethod(const etrecord::Record& record, std::string_view asked);

}  // namespace et::app

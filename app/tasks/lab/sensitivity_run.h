#pragma once

#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/remedy_trials.h"
#include "app/tasks/lab/site_report.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

using SensitivitySettings = VariantSettings;

/// The range of a site's result in the evaluation, and what its channels take of it.
struct OutputRange {
    backends::xnnpack::ValueRange seen{};        ///< in the evaluation
    backends::xnnpack::ValueRange used{};        ///< that is quantized when all sites are
    backends::xnnpack::ValueRange calibrated{};  ///< that the calibration saw
    double clipped = 0;                          ///< share of the numbers outside of that
    std::size_t channels = 0;
    std::size_t outliers = 0;  ///< channels with four times the range of the median one
    double othersShare = 1;    ///< of the range of all, that of the widest channel that is no outlier
};

/// How near the outputs are with one site treated apart.
struct SiteSensitivity {
    SiteReport site;
    std::optional<Closeness> only{};             ///< it alone is quantized; nothing: it cannot be
    std::optional<Closeness> onlyWeights{};      ///< its weight alone; nothing: it has none
    std::optional<Closeness> onlyActivations{};  ///< its operands and result alone
    /// All others are quantized: the mean over calibrations that round activations otherwise, since one that
    /// is left out of many often changes less than rounding does.
    std::optional<Closeness> allBut{};
    std::optional<DecibelRange> allButRange{};  ///< over these; nothing: a record has the ranges
    std::optional<Closeness> oneMoreBit{};      ///< it alone is quantized, to nine bits: an estimate
    std::optional<Closeness> biasRounding{};    ///< its bias alone is rounded; nothing: it has none
    std::optional<OutputRange> output{};
    std::string cause{};  ///< what most of its error comes from, and what to try
};

struct SensitivityResult {
    std::string method;
    std::size_t calibrationCases = 0;
    std::size_t evaluationCases = 0;
    QuantizerSource source{};
    Closeness all;                           ///< all sites are quantized
    std::optional<DecibelRange> allRange{};  ///< with activations that are rounded otherwise, as above
    std::optional<Closeness> allWeights{};   ///< their weights alone; nothing: a record has no others
    Closeness allActivations;                ///< all but their weights
    std::vector<SiteSensitivity> sites;      ///< in graph order
    std::vector<RemedyTrial> remedies{};
    double seconds = 0;
};

/// Measures what quantizing each site does to the outputs: every variant is a graph with quantizers that runs
/// on the evaluation cases, against the float graph's outputs. Of a quantized record the float graph is the
/// one without its quantizers, with weights as their integers say. `progress` is told of variants done, of
/// all. Errors: as quantize(); Cancelled.
[[nodiscard]] core::Result<SensitivityResult> measureSensitivity(
    const SensitivitySettings& settings, const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace et::app

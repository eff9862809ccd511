#pragma once

#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/remedy_trials.h"
#include "app/tasks/lab/site_report.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

using SensitivitySettings = VariantSettings;

/// Adds all options except those of the output.
void addSensitivityOptions(OptionList& options, SensitivitySettings& settings);

/// The range of a site's result in the evaluation, and the channels' shares of it.
struct OutputRange {
    backends::xnnpack::ValueRange seen{};        ///< range in the evaluation
    backends::xnnpack::ValueRange used{};        ///< quantized range, with all sites quantized
    backends::xnnpack::ValueRange calibrated{};  ///< range in the calibration
    double clipped = 0;                          ///< fraction of the numbers outside of `used`
    std::size_t channels = 0;
    std::size_t outliers = 0;  ///< number of channels with four times the range of the median channel
    double othersShare = 1;    ///< range of the widest channel that is not an outlier, relative to the total
                               ///< range
};

/// Errors of the outputs with one site treated separately.
struct SiteSensitivity {
    SiteReport site;
    std::optional<OutputError> only{};             ///< only this site quantized; nothing: not possible
    std::optional<OutputError> onlyWeights{};      ///< only its weight; nothing: it has none
    std::optional<OutputError> onlyActivations{};  ///< only its inputs and result
    /// All other sites quantized: mean over calibrations with different rounding of activations, because the
    /// effect of a single site is often smaller than that of rounding.
    std::optional<OutputError> allBut{};
    std::optional<DecibelRange> allButRange{};  ///< over these calibrations; nothing: the ranges come from a
                                                ///< record
    std::optional<OutputError> oneMoreBit{};    ///< only this site quantized, with nine bits: an estimate
    std::optional<OutputError> biasRounding{};  ///< only its bias rounded; nothing: it has none
    std::optional<OutputRange> output{};
    std::string cause{};  ///< main cause of its error, with a suggestion
};

struct SensitivityResult {
    std::string method;
    std::size_t calibrationCases = 0;
    std::size_t evaluationCases = 0;
    QuantizerSource source{};
    OutputError all;                         ///< all sites quantized
    std::optional<DecibelRange> allRange{};  ///< over calibrations with different rounding of activations
    std::optional<OutputError>
        allWeights{};                    ///< only their weights; nothing: a record only has quantized ones
    OutputError allActivations;          ///< everything except their weights
    std::vector<SiteSensitivity> sites;  ///< in graph order
    std::vector<RemedyTrial> remedies{};
    std::vector<std::string> warnings{};  ///< sites without static scales
    double seconds = 0;
};

/// Measures how quantizing each site affects the outputs: every variant is a graph with quantizers that runs
/// on the evaluation cases, compared with the float graph's outputs. For a quantized record, the float graph
/// is the graph without quantizers, with weights computed from their integers. `progress` is called with the
/// number of variants done and the total. Errors: those of quantize(); Cancelled.
[[nodiscard]] core::Result<SensitivityResult> measureSensitivity(
    const SensitivitySettings& settings, const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace et::tasks

#pragma once

#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/remedies.h"
#include "app/tasks/lab/site_report.h"
#include "app/tasks/lab/site_schemes.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

struct QuantizeSettings {
    std::filesystem::path record;          ///< ETRecord of a float model, with weights
    std::filesystem::path calibration{};   ///< see readCases(); used if the scheme needs calibration
    std::string method{};                  ///< empty: the only method, or `forward`
    std::filesystem::path output{};        ///< program (.pte); empty: not written
    std::filesystem::path recordOutput{};  ///< record of that program; empty: not written
    SchemeRequest sites{};                 ///< scheme of each site
    backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram;
    std::size_t maxCases = 512;         ///< maximum number of cases
    std::vector<std::string> except{};  ///< nodes, operators and modules to keep out of delegates
    backends::xnnpack::PartitionOptions partition{};
    const std::atomic<bool>* cancel = nullptr;
    std::vector<Remedy> remedies{};      ///< remedies to apply, in the order of allRemedies; require that all
                                         ///< sites are Static8
    std::filesystem::path evaluation{};  ///< cases for running the program, see readCases(); empty: not run
};

/// Adds all options.
void addQuantizeOptions(OptionList& options, QuantizeSettings& settings);

/// Result for a site.
struct QuantizedSite {
    SiteReport site;
    std::optional<backends::xnnpack::QuantizationNumbers> output{};
    std::vector<float> weightScales{};
};

/// Values that share a scale.
struct ScaleReport {
    std::vector<std::string> values;
    std::vector<std::string> exported;  ///< their names in the exported program: "relu_1"
    backends::xnnpack::QuantizationNumbers numbers;
    backends::xnnpack::ValueRange range;  ///< quantized range
    backends::xnnpack::ValueRange seen;   ///< range of the values over all cases
};

/// An operator of the exported program that is not quantized.
struct FloatOperator {
    std::string name;    ///< "layer_norm_1"
    std::string target;  ///< "aten.layer_norm.default"
    std::string line;    ///< "model.py:12"; empty: unknown
    std::string rule;
};

struct QuantizeResult {
    std::string method;
    std::size_t cases = 0;
    std::vector<QuantizedSite> sites;
    std::vector<ScaleReport> scales;
    std::vector<FloatOperator> others;  ///< operators in float that are not sites; with Static8 and Half only
    bool halfInDelegate = false;        ///< operators that are not sites are also computed in half precision
    std::optional<RemedyReport> remedies{};
    LowerResult lowered;
    std::vector<std::string> warnings{};   ///< sites whose numbers do not suit static scales
    std::optional<OutputError> outputs{};  ///< of the program run here to those of the float graph
};

/// Quantizes one method of a float record, lowers everything to XNNPACK and writes the files in the settings.
/// Errors: InvalidArgument (no calibration for a scheme that needs it), those of the record and of the cases;
/// NotFound (a name in `keep` that matches no site), those of PreparedModel and lower().
[[nodiscard]] core::Result<QuantizeResult> quantize(const QuantizeSettings& settings);
/// Likewise with an opened record: `settings.record` is only used in errors. `inPieces`: see LowerSettings;
/// only if no cases run the program.
[[nodiscard]] core::Result<QuantizeResult> quantizeOpened(const etrecord::Record& record,
                                                          const QuantizeSettings& settings,
                                                          bool inPieces = false);

}  // namespace et::tasks

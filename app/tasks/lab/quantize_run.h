#pragma once

#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/lower_run.h"
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

namespace et::app {

struct QuantizeSettings {
    std::filesystem::path record;          ///< ETRecord of a float model, with the weights inside
    std::filesystem::path calibration{};   ///< as readCases() takes it; of use where the scheme needs it
    std::string method{};                  ///< empty: the only one, or `forward`
    std::filesystem::path output{};        ///< program (.pte); empty: nothing is written
    std::filesystem::path recordOutput{};  ///< the record of that program; empty: none is written
    SchemeWish sites{};                    ///< how each is quantized
    backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram;
    std::size_t maxCases = 512;         ///< that are run
    std::vector<std::string> except{};  ///< nodes, operators and modules that stay out of delegates
    const std::atomic<bool>* cancel = nullptr;
    std::vector<Remedy> remedies{};  ///< that are applied, in the order of allRemedies; where all is Static8
    std::filesystem::path evaluation{};  ///< as `calibration`: to run the program on; empty: it does not run
};

/// What became of a site.
struct QuantizedSite {
    SiteReport site;
    std::optional<backends::xnnpack::QuantizationNumbers> output{};
    std::vector<float> weightScales{};
};

/// Values that share a scale.
struct ScaleReport {
    std::vector<std::string> values;
    std::vector<std::string> exported;  ///< the same as the exported program calls them: "relu_1"
    backends::xnnpack::QuantizationNumbers numbers;
    backends::xnnpack::ValueRange range;  ///< that is quantized
    backends::xnnpack::ValueRange seen;   ///< that the values had in all cases
};

/// An operator of the exported program that the quantizer leaves alone.
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
    std::vector<FloatOperator> others;  ///< operators in float that are no sites, with Static8 and Half
    bool halfElsewhere = false;         ///< what is no site computes in half precision as well
    std::optional<RemedyReport> remedies{};
    LowerResult lowered;
    std::optional<Closeness> outputs{};  ///< of the program here to those of the float graph
};

/// Quantizes one method of a float record, lowers all to XNNPACK and writes what the settings name. Errors:
/// InvalidArgument (a scheme that needs calibration without one), those of the record and of the cases;
/// NotFound (a name in `keep` that stands for no site), as PreparedModel and lower().
[[nodiscard]] core::Result<QuantizeResult> quantize(const QuantizeSettings& settings);
/// The same with a record that is there already: `settings.record` only stands for it in errors.
[[nodiscard]] core::Result<QuantizeResult> quantizeOpened(const etrecord::Record& record,
                                                          const QuantizeSettings& settings);

}  // namespace et::app

#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/site_report.h"
#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "backends/xnnpack/quantize/removed_quantizers.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/kernels/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// The quantizers of a record, mapped to the graph of a prepared model without quantizers: quantized values
/// and their parameters.
class RecordedQuantizers {
  public:
    using Annotation = backends::xnnpack::Annotation;
    using QuantizationNumbers = backends::xnnpack::QuantizationNumbers;

    /// `removed`: of a record of the same model as `of`, which must outlive this object. Errors: those of
    /// matchingValues() and EdgeMethod::tensor().
    [[nodiscard]] static core::Result<RecordedQuantizers> match(
        const backends::xnnpack::RemovedQuantizers& removed, backends::xnnpack::PreparedModel& of);

    /// Returns the rule of a site that is in float in the record; empty if it is quantized there.
    [[nodiscard]] std::string ruleOf(const backends::xnnpack::QuantizationSite& site) const;
    /// Removes the parts of an annotation that the record does not quantize. `others`: adds the values that
    /// it quantizes outside the sites.
    void restrict(Annotation& annotation, bool others) const;
    /// Returns the quantization parameters of values that share a scale; nothing if other values share one in
    /// the record, so that they are unknown.
    [[nodiscard]] std::optional<QuantizationNumbers> numbersOf(
        std::span<const std::string_view> values) const;
    /// Returns the quantization parameters of one of the values in the record.
    [[nodiscard]] QuantizationNumbers nearestNumbers(std::span<const std::string_view> values) const;
    /// Returns the weights of an annotation, computed from their integers in the record.
    [[nodiscard]] std::vector<backends::xnnpack::ConstantChange> weights(const Annotation& annotation) const;

  private:
    template <class T>
    using ByValue = std::map<std::string, T, std::less<>>;

    backends::xnnpack::PreparedModel* model = nullptr;
    ByValue<QuantizationNumbers> numbers;
    ByValue<backends::reference::ReferenceTensor> constants;
    std::set<std::vector<std::string_view>> shared;  ///< groups of values with a common scale, with all sites
                                                     ///< quantized
    std::vector<std::string_view> strangers;         ///< quantized values outside the sites
};

/// A model for quantization experiments, with its calibration and evaluation data.
struct VariantSettings {
    std::filesystem::path record;  ///< ETRecord with weights, of a float or a quantized model
    /// See readCases(). May be empty for a quantized model, which has its own ranges.
    std::filesystem::path calibration;
    std::filesystem::path evaluation;   ///< see readCases(); empty: the calibration cases
    std::filesystem::path quantized{};  ///< quantized record of the same model whose quantizers are used;
                                        ///< empty: none
    std::string method{};               ///< empty: the only method, or `forward`
    backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram;
    std::vector<std::string> keep{};  ///< sites kept in float in all variants
    std::size_t maxCases = 64;        ///< maximum number of cases of each kind
    const std::atomic<bool>* cancel = nullptr;
    std::size_t threads = 1;  ///< for running cases; 0: one per processor
    bool remedies = false;    ///< measureSensitivity() also tries remedies
};

/// Inputs of a model.
struct VariantCases {
    std::vector<CalibrationCase> calibration;
    std::vector<CalibrationCase> evaluation;
};

/// Source of the variants' quantizers.
enum class QuantizerSource : std::uint8_t {
    Calibration,  ///< the record is of a float model
    Record,  ///< the record is of a quantized model: its own quantizers, removed per site; weights are not
             ///< changed
    Both     ///< a record of a float model, with the quantizers and weights of another record
};

/// Static int8 variants of a model: graphs with quantizers, each with other sites in float, run in the
/// reference interpreter. Ranges of activations depend on the float graph only, so they are computed once for
/// all variants. Not thread-safe.
class QuantizedVariants {
  public:
    using Annotation = backends::xnnpack::Annotation;

    /// `record` must outlive this object. Errors: those of the record, without its name; those of the cases;
    /// NotFound (a name in `keep` that matches nothing).
    [[nodiscard]] static core::Result<std::unique_ptr<QuantizedVariants>> open(
        const etrecord::Record& record, const std::string& method, const VariantSettings& settings);

    [[nodiscard]] backends::xnnpack::PreparedModel& model() const { return *prepared; }
    [[nodiscard]] const std::string& method() const { return methodName; }
    [[nodiscard]] QuantizerSource source() const;
    /// One per site of the model.
    [[nodiscard]] const std::vector<SiteReport>& sites() const { return reports; }
    /// Calibrates all sites once, and finds those whose numbers do not suit static scales, unless the scales
    /// come from a record. Errors: those of calibrate().
    [[nodiscard]] core::Result<> findRangeRules();
    [[nodiscard]] const std::vector<CalibrationCase>& evaluation() const { return cases.evaluation; }
    [[nodiscard]] const std::vector<CalibrationCase>& calibration() const { return cases.calibration; }
    [[nodiscard]] const backends::reference::InterpreterOptions& interpreterOptions() const {
        return options;
    }
    /// The quantized range of values that share a scale, and the range seen in calibration; nothing if
    /// unknown.
    struct Ranges {
        std::optional<backends::xnnpack::ValueRange> used{};
        std::optional<backends::xnnpack::ValueRange> calibrated{};
    };
    [[nodiscard]] Ranges ranges(const std::vector<std::string_view>& values) const;

    /// Runs the float graph on the evaluation cases; must be called once, before measure().
    [[nodiscard]] core::Result<> runFloat(const backends::reference::NodeObserver& observer = {});
    /// The outputs of runFloat().
    [[nodiscard]] const std::vector<CaseOutputs>& reference() const { return floatOutputs; }

    /// `choices`: one per site. `others`: include values that a record quantizes outside its sites.
    [[nodiscard]] Annotation annotate(std::span<const backends::xnnpack::SiteChoice> choices,
                                      bool others = true) const;
    /// Computes ranges that the annotations need and that are not known yet. Errors: those of
    /// Interpreter::run().
    [[nodiscard]] core::Result<> calibrate(std::span<const Annotation> annotations);
    /// Likewise for `draws` different roundings of activations; the ranges of a record have only one. Errors:
    /// those of calibrate().
    [[nodiscard]] core::Result<> calibrateDraws(std::span<const Annotation> annotations, unsigned draws);
    /// Returns a record with the annotated graph; everything that it quantizes must be calibrated. Errors:
    /// those of PreparedModel::numbersOf() and quantized().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> record(
        const Annotation& annotation) const;
    /// Measures the error of its outputs relative to the float graph. Errors: those of record() and
    /// Interpreter::run().
    [[nodiscard]] core::Result<OutputError> measure(const Annotation& annotation) const;
    /// Likewise with the ranges of each draw of calibrateDraws().
    [[nodiscard]] core::Result<std::vector<OutputError>> measureDraws(const Annotation& annotation) const;
    struct Bits {
        int activations = 8;
        int weights = 8;
    };
    /// Likewise with 8 to 16 bits in unchanged ranges: an estimate for precisions without operators here.
    /// Weights known only as a record's integers are not changed.
    [[nodiscard]] core::Result<OutputError> measureBits(const Annotation& annotation, Bits bits) const;
    /// Likewise with these weights instead of its own.
    [[nodiscard]] core::Result<OutputError> measureWeights(
        const Annotation& annotation, std::span<const backends::xnnpack::ConstantChange> weights,
        int activationBits = 8) const;
    /// Likewise for the float graph with other constants. Errors: those of PreparedModel::quantized() and
    /// Interpreter::run().
    [[nodiscard]] core::Result<OutputError> measureWith(
        std::span<const backends::xnnpack::ConstantChange> changes) const;
    /// Likewise for a record of this model. Errors: those of Interpreter::run().
    [[nodiscard]] core::Result<OutputError> measureRecord(const etrecord::Record& variant) const;

  private:
    using Numbers = std::vector<backends::xnnpack::QuantizationNumbers>;

    QuantizedVariants(const VariantSettings& given, std::string of);
    core::Result<> prepare(const etrecord::Record& record);
    [[nodiscard]] core::Result<Numbers> numbersOf(const Annotation& annotation) const;
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
        const Annotation& annotation, std::span<const backends::xnnpack::QuantizationNumbers> numbers,
        std::span<const backends::xnnpack::ConstantChange> changes) const;

    VariantSettings settings;
    std::string methodName;
    kernels::ThreadPool single{1};  ///< for each interpreter
    backends::reference::InterpreterOptions options;
    std::unique_ptr<backends::xnnpack::PreparedModel> prepared;
    std::optional<RecordedQuantizers> recorded;
    std::vector<SiteReport> reports;
    VariantCases cases;
    std::vector<CaseOutputs> floatOutputs;
    backends::xnnpack::Observations observed;
    std::vector<backends::xnnpack::Observations> drawn;
};

}  // namespace et::tasks

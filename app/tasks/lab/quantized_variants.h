#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/recorded_quantizers.h"
#include "app/tasks/lab/site_report.h"
#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"
#include "runtime/kernels/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// A model to quantize in one way after the other, and what it is calibrated and compared on.
struct VariantSettings {
    std::filesystem::path record;  ///< ETRecord with the weights inside: of a float or of a quantized model
    /// As readCases() takes it. A quantized model has its ranges: then it may be empty.
    std::filesystem::path calibration;
    std::filesystem::path evaluation;   ///< likewise; empty: the calibration cases
    std::filesystem::path quantized{};  ///< of the same model: its quantizers count; empty: none
    std::string method{};               ///< empty: the only one, or `forward`
    backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram;
    std::vector<std::string> keep{};  ///< sites that stay in float throughout
    std::size_t maxCases = 64;        ///< of each kind that are run
    const std::atomic<bool>* cancel = nullptr;
    std::size_t threads = 1;  ///< that run cases; 0: one a processor
    bool remedies = false;    ///< measureSensitivity() tries them as well
};

/// Where the quantizers of variants come from.
enum class QuantizerSource : std::uint8_t {
    Calibration,  ///< the record is of a float model
    Record,       ///< of a quantized one: its own, taken out site by site; weights stay as they are
    Both          ///< of a float model, and the quantizers of another record, with its weights
};

/// Static int8 variants of a model: graphs with quantizers, each with its own sites in float, that run
/// in the reference interpreter. Ranges of activations come from the float graph alone, so that they are
/// found once, whatever variants read them. Not for several threads at a time.
class QuantizedVariants {
  public:
    using Annotation = backends::xnnpack::Annotation;

    /// `record` has to live as long. Errors: those of the record, its name not among them; of the cases;
    /// NotFound (a name in `keep` that stands for nothing).
    [[nodiscard]] static core::Result<std::unique_ptr<QuantizedVariants>> open(
        const etrecord::Record& record, const std::string& method, const VariantSettings& settings);

    [[nodiscard]] backends::xnnpack::PreparedModel& model() const { return *prepared; }
    [[nodiscard]] const std::string& method() const { return methodName; }
    [[nodiscard]] QuantizerSource source() const;
    /// One a site of the model.
    [[nodiscard]] const std::vector<SiteReport>& sites() const { return reports; }
    [[nodiscard]] const std::vector<CalibrationCase>& evaluation() const { return evaluationCases; }
    [[nodiscard]] const std::vector<CalibrationCase>& calibration() const { return calibrationCases; }
    [[nodiscard]] const backends::reference::InterpreterOptions& interpreterOptions() const {
        return options;
    }
    /// What is quantized of values that share a scale, and what calibration saw of them; nothing where that
    /// is not known.
    struct Ranges {
        std::optional<backends::xnnpack::ValueRange> used{};
        std::optional<backends::xnnpack::ValueRange> calibrated{};
    };
    [[nodiscard]] Ranges ranges(const std::vector<std::string_view>& values) const;

    /// Runs the float graph on the evaluation cases: to be called once, before measure().
    [[nodiscard]] core::Result<> runFloat(const backends::reference::NodeObserver& observer = {});
    /// The float graph, to be run again.
    [[nodiscard]] core::Result<std::unique_ptr<backends::reference::Interpreter>> floatInterpreter() const;
    /// What runFloat() gave.
    [[nodiscard]] const std::vector<CaseOutputs>& reference() const { return floatOutputs; }

    /// `choices`: one a site. `others`: also what a record quantizes beside its sites.
    [[nodiscard]] Annotation annotate(std::span<const backends::xnnpack::SiteChoice> choices,
                                      bool others = true) const;
    /// Finds the ranges that the annotations need and nobody has needed before. Errors: as
    /// Interpreter::run().
    [[nodiscard]] core::Result<> calibrate(std::span<const Annotation> annotations);
    /// The same for activations that are rounded otherwise, in so many ways; of ranges that a record has
    /// there is one way only. Errors: as calibrate().
    [[nodiscard]] core::Result<> calibrateDraws(std::span<const Annotation> annotations, unsigned draws);
    /// The record with this graph; all that it quantizes has to be calibrated. Errors: as
    /// PreparedModel::numbersOf() and quantized().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> record(
        const Annotation& annotation) const;
    /// How near its outputs are to those of the float graph. Errors: as record() and Interpreter::run().
    [[nodiscard]] core::Result<Closeness> measure(const Annotation& annotation) const;
    /// The same with the ranges of each of calibrateDraws().
    [[nodiscard]] core::Result<std::vector<Closeness>> measureDraws(const Annotation& annotation) const;
    struct Bits {
        int activations = 8;
        int weights = 8;
    };
    /// Likewise with so many bits, 8 to 16, in ranges that stay: an estimate of what has no operators here.
    /// Weights that only a record's integers are known of keep these.
    [[nodiscard]] core::Result<Closeness> measureBits(const Annotation& annotation, Bits bits) const;
    /// Likewise with these weights in place of its own.
    [[nodiscard]] core::Result<Closeness> measureWeights(
        const Annotation& annotation, std::span<const backends::xnnpack::ConstantChange> weights,
        int activationBits = 8) const;
    /// Likewise of the float graph with other constants. Errors: as PreparedModel::quantized() and
    /// Interpreter::run().
    [[nodiscard]] core::Result<Closeness> measureWith(
        std::span<const backends::xnnpack::ConstantChange> changes) const;
    /// Likewise of a record of this model. Errors: as Interpreter::run().
    [[nodiscard]] core::Result<Closeness> measureRecord(const etrecord::Record& variant) const;

  private:
    using Numbers = std::vector<backends::xnnpack::QuantizationNumbers>;

    QuantizedVariants(const VariantSettings& given, std::string of);
    core::Result<> prepare(const etrecord::Record& record);
    core::Result<> readAllCases();
    [[nodiscard]] core::Result<Numbers> numbersOf(const Annotation& annotation) const;
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
        const Annotation& annotation, std::span<const backends::xnnpack::QuantizationNumbers> numbers,
        std::span<const backends::xnnpack::ConstantChange> changes) const;

    VariantSettings settings;
    std::string methodName;
    kernels::ThreadPool single{1};  ///< of each interpreter
    backends::reference::InterpreterOptions options;
    std::unique_ptr<backends::xnnpack::PreparedModel> prepared;
    std::optional<RecordedQuantizers> recorded;
    std::vector<SiteReport> reports;
    std::vector<CalibrationCase> calibrationCases;
    std::vector<CalibrationCase> evaluationCases;
    std::vector<CaseOutputs> floatOutputs;
    backends::xnnpack::Observations observed;
    std::vector<backends::xnnpack::Observations> drawn;
};

}  // namespace et::app

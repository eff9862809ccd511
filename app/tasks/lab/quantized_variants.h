#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/site_report.h"
#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"
#include "runtime/kernels/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// A model to quantize in one way after the other, and what it is calibrated and compared on.
struct VariantSettings {
    std::filesystem::path record;       ///< ETRecord of a float model, with the weights inside
    std::filesystem::path calibration;  ///< as readCases() takes it
    std::filesystem::path evaluation;   ///< likewise; empty: the calibration cases
    std::string method{};               ///< empty: the only one, or `forward`
    backends::xnnpack::ObserverKind observer = backends::xnnpack::ObserverKind::Histogram;
    std::vector<std::string> keep{};  ///< sites that stay in float throughout
    std::size_t maxCases = 64;        ///< of each kind that are run
    const std::atomic<bool>* cancel = nullptr;
    std::size_t threads = 1;  ///< that run cases; 0: one a processor
};

/// Static int8 variants of a float model: graphs with quantizers, each with its own sites in float, that run
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
    /// One a site of the model.
    [[nodiscard]] const std::vector<SiteReport>& sites() const { return reports; }
    [[nodiscard]] const std::vector<CalibrationCase>& evaluation() const { return evaluationCases; }
    [[nodiscard]] std::size_t calibrationCount() const { return calibrationCases.size(); }
    [[nodiscard]] const backends::xnnpack::Observations& observations() const { return observed; }

    /// Runs the float graph on the evaluation cases: to be called once, before measure().
    [[nodiscard]] core::Result<> runFloat(const backends::reference::NodeObserver& observer = {});
    /// The float graph, to be run again.
    [[nodiscard]] core::Result<std::unique_ptr<backends::reference::Interpreter>> floatInterpreter() const;
    /// What runFloat() gave.
    [[nodiscard]] const std::vector<CaseOutputs>& reference() const { return floatOutputs; }

    /// `choices`: one a site.
    [[nodiscard]] Annotation annotate(std::span<const backends::xnnpack::SiteChoice> choices) const;
    /// Finds the ranges that the annotations need and nobody has needed before. Errors: as
    /// Interpreter::run().
    [[nodiscard]] core::Result<> calibrate(std::span<const Annotation> annotations);
    /// The record with this graph; all that it quantizes has to be calibrated. Errors: as
    /// PreparedModel::numbersOf() and quantized().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> record(
        const Annotation& annotation) const;
    /// How near its outputs are to those of the float graph. Errors: as record() and Interpreter::run().
    [[nodiscard]] core::Result<Closeness> measure(const Annotation& annotation) const;

  private:
    QuantizedVariants(const VariantSettings& given, std::string of);

    VariantSettings settings;
    std::string method;
    kernels::ThreadPool single{1};  ///< of each interpreter
    backends::reference::InterpreterOptions options;
    std::unique_ptr<backends::xnnpack::PreparedModel> prepared;
    std::vector<SiteReport> reports;
    std::vector<CalibrationCase> calibrationCases;
    std::vector<CalibrationCase> evaluationCases;
    std::vector<CaseOutputs> floatOutputs;
    backends::xnnpack::Observations observed;
};

}  // namespace et::app

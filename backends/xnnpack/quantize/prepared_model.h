#pragma once

#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/annotation.h"
#include "backends/xnnpack/quantize/batch_norms.h"
#include "backends/xnnpack/quantize/constant_changes.h"
#include "backends/xnnpack/quantize/half_precision.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"
#include "backends/xnnpack/quantize/range_observer.h"
#include "etrecord/record.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Observers of values that share a scale over all runs, by value names.
using Observations = std::map<std::vector<std::string_view>, std::unique_ptr<RangeObserver>>;

/// A method of a float record, prepared for quantization: computed weights stored, batch norms folded, sites
/// found. Immutable except
/// for lazily read tensors; not thread-safe.
class PreparedModel {
  public:
    /// Errors: those of EdgeMethod::open(), storeComputedWeights() and foldBatchNorms(); InvalidArgument (the
    /// graph has quantizers).
    [[nodiscard]] static core::Result<std::unique_ptr<PreparedModel>> make(const etrecord::Record& record,
                                                                           std::string_view method);

    /// The same model with changed constants. Sites, operators and values keep their names and indices.
    /// Errors: those of make().
    [[nodiscard]] core::Result<std::unique_ptr<PreparedModel>> changed(
        std::span<const ConstantChange> changes);

    /// The record with the folded graph.
    [[nodiscard]] const etrecord::Record& record() const { return *folded; }
    [[nodiscard]] lowering::EdgeMethod& method() { return *edge; }
    [[nodiscard]] const lowering::EdgeMethod& method() const { return *edge; }
    [[nodiscard]] const ExportedOperators& operators() const { return *exported; }
    [[nodiscard]] const std::vector<QuantizationSite>& sites() const { return found; }
    /// The Edge nodes of a site in the original record: those of its operator, with computing nodes before
    /// nodes that move elements; a batch norm, a relu.
    [[nodiscard]] std::vector<std::string> nodesOf(const QuantizationSite& site) const;

    /// The module that owns an operator's parameters: that of the batch norm folded into it, otherwise its
    /// own; empty for the root.
    [[nodiscard]] std::string moduleOf(const ExportedOperator& op) const;

    /// Inputs of one call.
    using Case = std::vector<reference::ReferenceValue>;
    /// Runs the float graph and passes every quantized value of the annotations to the observer of its scale,
    /// which is created if missing; `draw`: see makeObserver(). Errors: those of Interpreter::run().
    [[nodiscard]] core::Result<> calibrate(std::span<const Case> cases,
                                           std::span<const Annotation> annotations, ObserverKind kind,
                                           const reference::InterpreterOptions& options,
                                           Observations& observations, unsigned draw = 0);

    /// The numbers that a quantized value held in all calls of calibrate() so far; none for other values.
    [[nodiscard]] ValueNumbers numbersSeen(std::string_view value) const;

    /// Quantization parameters of each of an annotation's scales. Errors: InvalidArgument (a value without
    /// observed numbers; names it).
    [[nodiscard]] static core::Result<std::vector<QuantizationNumbers>> numbersOf(
        const Annotation& annotation, const Observations& observations);

    /// The record with the quantized graph and changed constants, which must not be weights that the
    /// annotation quantizes. `inFloat`: receives operators that were requested in half precision but stay in
    /// float, with the reason; may be null. Errors: those of insertQuantizers() and halved().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> quantized(
        const Annotation& annotation, std::span<const QuantizationNumbers> numbers,
        std::span<const ConstantChange> changes = {}, OperatorRules* inFloat = nullptr);

  private:
    [[nodiscard]] HalfRequest halfWish(const Annotation& annotation) const;
    PreparedModel() = default;
    core::Result<> open(std::string_view method);

    std::shared_ptr<const etrecord::Record> folded;
    std::unique_ptr<lowering::EdgeMethod> edge;
    std::unique_ptr<ExportedOperators> exported;
    std::vector<QuantizationSite> found;
    FoldedNorms norms;
    std::map<std::string_view, ValueNumbers> seenNumbers;  ///< by values of the graph
};

}  // namespace et::backends::xnnpack

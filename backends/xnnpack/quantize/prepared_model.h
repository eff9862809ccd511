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

/// What values that share a scale held in all runs, by their names.
using Observations = std::map<std::vector<std::string_view>, std::unique_ptr<RangeObserver>>;

/// Why operators of the exported program are not as they were to be, by their names.
using OperatorRules = std::map<std::string, std::string, std::less<>>;

/// A method of a float record, ready to be quantized: batch norms folded, sites found. Immutable but for
/// reading tensors; not for several threads at a time.
class PreparedModel {
  public:
    /// Errors: as EdgeMethod::open() and foldBatchNorms(); InvalidArgument (the graph has quantizers).
    [[nodiscard]] static core::Result<std::unique_ptr<PreparedModel>> make(const etrecord::Record& record,
                                                                           std::string_view method);

    /// The same model with other constants. Sites, operators and values keep their names and places. Errors:
    /// as make().
    [[nodiscard]] core::Result<std::unique_ptr<PreparedModel>> changed(
        std::span<const ConstantChange> changes);

    /// The record with the folded graph.
    [[nodiscard]] const etrecord::Record& record() const { return *folded; }
    [[nodiscard]] lowering::EdgeMethod& method() { return *edge; }
    [[nodiscard]] const ExportedOperators& operators() const { return *exported; }
    [[nodiscard]] const std::vector<QuantizationSite>& sites() const { return found; }
    /// The Edge nodes of a site in the record that was given: its operator's, of which what computes comes
    /// before what moves elements; a batch norm, a relu.
    [[nodiscard]] std::vector<std::string> nodesOf(const QuantizationSite& site) const;

    /// The module whose parameters are an operator's: that of the batch norm that was folded into it, else
    /// its own; empty for the root.
    [[nodiscard]] std::string moduleOf(const ExportedOperator& op) const;

    /// One call's inputs.
    using Case = std::vector<reference::ReferenceValue>;
    /// Runs the float graph and shows every quantized value of the annotations to the observer of its scale,
    /// which is made where there is none; `draw` as makeObserver() takes it. Errors: as Interpreter::run().
    [[nodiscard]] core::Result<> calibrate(std::span<const Case> cases,
                                           std::span<const Annotation> annotations, ObserverKind kind,
                                           const reference::InterpreterOptions& options,
                                           Observations& observations, unsigned draw = 0);

    /// Scale and zero point of each of an annotation's scales. Errors: InvalidArgument (a value that held no
    /// number: names it).
    [[nodiscard]] static core::Result<std::vector<QuantizationNumbers>> numbersOf(
        const Annotation& annotation, const Observations& observations);

    /// The record with the quantized graph and other constants, none of them a weight that the annotation
    /// quantizes. `inFloat`: told of operators that were to compute in half precision and do not, and why;
    /// may be null. Errors: as insertQuantizers() and halved().
    [[nodiscard]] core::Result<std::vector<std::byte>> quantized(const Annotation& annotation,
                                                                 std::span<const QuantizationNumbers> numbers,
                                                                 std::span<const ConstantChange> changes = {},
                                                                 OperatorRules* inFloat = nullptr);

  private:
    [[nodiscard]] HalfWish halfWish(const Annotation& annotation) const;
    PreparedModel() = default;
    core::Result<> open(const std::vector<std::byte>& bytes, std::string_view file, std::string_view method);

    std::shared_ptr<const etrecord::Record> folded;
    std::unique_ptr<lowering::EdgeMethod> edge;
    std::unique_ptr<ExportedOperators> exported;
    std::vector<QuantizationSite> found;
    FoldedNorms norms;
};

}  // namespace et::backends::xnnpack

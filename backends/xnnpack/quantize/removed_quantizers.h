#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace et::backends::xnnpack {

/// A quantized graph with its quantizers removed, and their parameters. Names are those of the new graph.
struct RemovedQuantizers {
    template <class T>
    using ByValue = std::map<std::string, T, std::less<>>;

    /// Integer constants are replaced by their dequantized numbers.
    std::shared_ptr<const etrecord::Record> record;
    ByValue<QuantizationNumbers> numbers;          ///< quantization of int8 values with a single scale
    std::set<std::string, std::less<>> constants;  ///< values of constants that were integers
};

/// Removes every pair of quantizing and dequantizing nodes, and every node that dequantizes a constant, from
/// a method's graph. Errors: Unsupported, each naming the node: a scale computed in each run, integers that
/// are not int8 with a single scale or that another operator reads; a value with two scales; those of
/// EdgeMethod::open() and Interpreter::evaluate().
[[nodiscard]] core::Result<RemovedQuantizers> removeQuantizers(const etrecord::Record& record,
                                                               std::string_view method,
                                                               const reference::InterpreterOptions& options);

/// Whether a method's graph has quantizing or dequantizing nodes. Errors: those of EdgeMethod::open().
[[nodiscard]] core::Result<bool> hasQuantizers(const etrecord::Record& record, std::string_view method);

/// A graph and the operators that it was made from.
struct MatchedGraph {
    const lowering::EdgeMethod& method;
    const ExportedOperators& operators;
};

/// Maps values of a quantized graph to those of the float graph of the same model. Nodes that only compute
/// constants may be missing in one, since the exporter folds them, and an operator may be decomposed in one.
/// Errors: Mismatch (names the first two nodes that differ).
[[nodiscard]] core::Result<RemovedQuantizers::ByValue<std::string>> matchingValues(const MatchedGraph& from,
                                                                                   const MatchedGraph& to);

}  // namespace et::backends::xnnpack

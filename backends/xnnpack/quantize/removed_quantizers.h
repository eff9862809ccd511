#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/reference/interpreter.h"
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

/// Maps values of one graph to those of another with the same operators in the same order. Errors: Mismatch
/// (names the first two nodes that differ).
[[nodiscard]] core::Result<RemovedQuantizers::ByValue<std::string>> matchingValues(
    const etrecord::ExportedGraph& from, const etrecord::ExportedGraph& to);

}  // namespace et::backends::xnnpack

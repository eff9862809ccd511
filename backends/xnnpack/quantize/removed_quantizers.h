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

/// A quantized graph without its quantizers, and what these were. Names are those of the graph without.
struct RemovedQuantizers {
    template <class T>
    using ByValue = std::map<std::string, T, std::less<>>;

    /// Its constants that were integers are the numbers that these stand for.
    std::shared_ptr<const etrecord::Record> record;
    ByValue<QuantizationNumbers> numbers;          ///< of values with one scale that are int8
    std::set<std::string, std::less<>> constants;  ///< values of constants that were integers
};

/// Takes every pair that quantizes and dequantizes, and every node that dequantizes a constant, out of a
/// method's graph. Errors: Unsupported, each naming the node: a scale that is found in each run, integers
/// that are not int8 with one scale a tensor or that another operator reads; a value with two scales; as
/// EdgeMethod::open() and Interpreter::evaluate().
[[nodiscard]] core::Result<RemovedQuantizers> removeQuantizers(const etrecord::Record& record,
                                                               std::string_view method,
                                                               const reference::InterpreterOptions& options);

/// Whether a method's graph quantizes or dequantizes anything. Errors: as EdgeMethod::open().
[[nodiscard]] core::Result<bool> hasQuantizers(const etrecord::Record& record, std::string_view method);

/// The values of one graph by those of another of the same operators in the same order. Errors: Mismatch
/// (names the first two nodes that differ).
[[nodiscard]] core::Result<RemovedQuantizers::ByValue<std::string>> matchingValues(
    const etrecord::ExportedGraph& from, const etrecord::ExportedGraph& to);

}  // namespace et::backends::xnnpack

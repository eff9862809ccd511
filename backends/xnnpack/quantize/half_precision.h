#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Nodes to compute in half precision, by name.
struct HalfRequest {
    std::set<std::string, std::less<>> wanted;  ///< converted as far as XNNPACK computes them
    std::set<std::string, std::less<>> kept;    ///< kept in float32
    /// Converts all other nodes too; otherwise only those that only read results in half precision.
    bool elsewhere = false;
};

/// Why an exported operator was not converted as requested.
struct OperatorRule {
    std::string text;
    bool isWarning = false;  ///< it reads a constant that float16 cannot represent
};

/// Such rules by the name of the operator.
using OperatorRules = std::map<std::string, OperatorRule, std::less<>>;

/// A model in which XNNPACK computes some nodes in half precision.
struct HalvedModel {
    std::shared_ptr<const etrecord::Record> record;
    /// Exported operators that were requested in half precision but stay in float.
    OperatorRules inFloat;
};

/// Converts constants, results and operands of these operators to float16. Where they meet float32, inserts
/// the exporter's conversion operator, so that inputs and outputs stay float32. Nodes that no delegate
/// computes stay in float, and so do quantizing nodes and nodes that read constants outside float16's range,
/// with the nodes that read their results, up to one that bounds its result (a mask, up to its softmax).
/// Errors: those of EdgeMethod::open(), tensor() and ModelDraft::record().
[[nodiscard]] core::Result<HalvedModel> halved(const etrecord::Record& record, std::string_view method,
                                               const HalfRequest& wish);

}  // namespace et::backends::xnnpack

#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// What of a graph is to compute in half precision. Nodes by their names.
struct HalfWish {
    std::set<std::string, std::less<>> wanted;  ///< what XNNPACK computes of them does
    std::set<std::string, std::less<>> kept;    ///< they do not
    /// All others do as well; else those do that read results in half precision alone.
    bool elsewhere = false;
};

/// A model that computes some of what XNNPACK computes of it in half precision.
struct HalvedModel {
    std::vector<std::byte> record;
    /// Operators of the exported program that do not where they were to, by name, and why.
    std::map<std::string, std::string, std::less<>> inFloat;
};

/// Constants, results and operands of these operators become float16; where float32 meets them, the
/// exporter's operator for another dtype stands between, so that inputs and outputs stay float32. What no
/// delegate computes stays in float, as what reads constants that float16 does not hold, and nodes that
/// quantize. Errors: as EdgeMethod::open(), tensor() and ModelDraft::record().
[[nodiscard]] core::Result<HalvedModel> halved(const etrecord::Record& record, std::string_view method,
                                               const HalfWish& wish);

}  // namespace et::backends::xnnpack

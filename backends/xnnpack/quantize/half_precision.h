#pragma once

#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A float model that computes in half precision what XNNPACK computes of it.
struct HalvedModel {
    std::vector<std::byte> record;
    std::map<std::size_t, std::string> inFloat;  ///< operators of the exported program that do not, and why
};

/// Constants, results and operands of the operators that XNNPACK takes become float16; where float32 meets
/// them, the exporter's operator for another dtype stands between, so that inputs and outputs stay float32.
/// Sites without a choice stay in float, as what no delegate computes and what reads constants that float16
/// does not hold. Errors: as EdgeMethod::tensor() and ModelDraft::record().
[[nodiscard]] core::Result<HalvedModel> halved(PreparedModel& model, std::span<const SiteChoice> choices);

}  // namespace et::backends::xnnpack

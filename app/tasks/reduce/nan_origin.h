#pragma once

#include "bundled_program/bundle.h"
#include "inspector/numeric_gap/runtime_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Location of the first NaN of a run.
struct NanOrigin {
    std::size_t instruction = 0;
    std::optional<std::uint32_t> inner;  ///< value inside the delegate
    std::string op;                      ///< "native_call_log.out", "XNNDivide"
};

/// Whether any value of a case contains a NaN.
[[nodiscard]] bool hasNan(const std::vector<bundled_program::BundledValue>& values);

/// Finds the first value that contains a NaN, in execution order; nothing if there is none.
[[nodiscard]] std::optional<NanOrigin> firstNan(const inspector::RuntimeValues& values);

}  // namespace et::tasks

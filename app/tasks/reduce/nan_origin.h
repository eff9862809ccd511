#pragma once

#include "bundled_program/bundle.h"
#include "inspector/numeric_gap/runtime_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// Where the first NaN of a run is.
struct NanOrigin {
    std::size_t instruction = 0;
    std::optional<std::uint32_t> inner;  ///< the value inside of its delegate
    std::string op;                      ///< "native_call_log.out", "XNNDivide"
};

/// Whether a NaN is among the values of a case.
[[nodiscard]] bool hasNan(const std::vector<bundled_program::BundledValue>& values);

/// The first value of a run that has one, in the order of execution; nothing where none has.
[[nodiscard]] std::optional<NanOrigin> firstNan(const inspector::RuntimeValues& values);

}  // namespace et::app

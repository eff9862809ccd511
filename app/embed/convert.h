#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <et_inspect/dtype.h>
#include <et_inspect/result.h>

#include <optional>
#include <string>

// Conversion between the types of the library's headers and those of the engine.
namespace et_inspect::detail {

/// The error with its location as text; also passed to the log.
[[nodiscard]] Error errorOf(const et::core::Error& error);
/// Logs and returns an error.
[[nodiscard]] Error failure(ErrorCode code, std::string message);
[[nodiscard]] et::core::Error engineError(const Error& error);

/// A result of the engine without its value.
[[nodiscard]] inline Result<void> resultOf(const et::core::Result<>& result) {
    return result ? Result<void>() : Result<void>(errorOf(result.error()));
}

/// Nothing for a dtype without a number in DType.
[[nodiscard]] std::optional<DType> dtypeOf(et::core::ScalarType dtype);
[[nodiscard]] inline et::core::ScalarType engineType(DType dtype) {
    return static_cast<et::core::ScalarType>(dtype);
}

}  // namespace et_inspect::detail

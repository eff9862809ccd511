#pragma once

#include "runtime/core/release.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// An error code of ExecuTorch's runtime (runtime/core/error.h).
struct ErrorCodeInfo {
    std::uint32_t code;
    std::string_view name;     ///< "OperatorMissing"
    std::string_view meaning;  ///< "the runtime contains no kernel of an operator"
    core::Release since;
};

/// All error codes, ascending.
[[nodiscard]] std::span<const ErrorCodeInfo> errorCodes();

/// "OperatorMissing (0x14)"; the number alone for an unknown code.
[[nodiscard]] std::string errorCodeText(std::uint32_t code);

}  // namespace et::inspector

#pragma once

#include "app/tasks/run/inputs.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace et::app {

/// What --input says for them.
inline constexpr std::string_view recordedInputsWord = "example";

/// The inputs that an ETRecord holds: representative ones, else those that the program was exported with.
/// Errors: those of the record, NotFound (no such method, no inputs), Limit (more than `maxBytes`).
[[nodiscard]] core::Result<InputSet> recordedInputs(const std::filesystem::path& record,
                                                    std::string_view method, std::uint64_t maxBytes);

}  // namespace et::app

#pragma once

#include "app/tasks/model/inputs.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace et::tasks {

/// Keyword of --input for them.
inline constexpr std::string_view recordedInputsWord = "example";
[[nodiscard]] constexpr bool requestsRecorded(std::string_view input) {
    return input == recordedInputsWord || input == "recorded";
}

/// Inputs stored in an ETRecord: the representative ones, otherwise those of the export. Errors: those of the
/// record, NotFound (no such method, no inputs), Limit (more than `maxBytes`).
[[nodiscard]] core::Result<InputSet> recordedInputs(const std::filesystem::path& record,
                                                    std::string_view method, std::uint64_t maxBytes);

/// Copies values of a graph into inputs. Errors: Unsupported (neither a tensor nor a number).
[[nodiscard]] core::Result<InputSet> inputsFrom(std::span<const backends::reference::ReferenceValue> values,
                                                const std::string& source);

}  // namespace et::tasks

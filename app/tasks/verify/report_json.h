#pragma once

#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace et::tasks {

/// Number of files per verdict.
struct VerifySummary {
    std::uint64_t passed = 0;
    std::uint64_t failed = 0;
    std::uint64_t errors = 0;
    std::uint64_t cases = 0;
};
[[nodiscard]] VerifySummary summarize(std::span<const bundled_program::FileReport> reports);

/// Reports in the format of docs/reference/json.md, one object and a line break.
[[nodiscard]] std::string verifyJson(std::span<const bundled_program::FileReport> reports);

/// Reads the first file of such a text, written by another process. Errors: Format.
[[nodiscard]] core::Result<bundled_program::FileReport> readVerifyJson(std::string_view text);

}  // namespace et::tasks

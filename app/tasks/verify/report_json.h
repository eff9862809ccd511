#pragma once

#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <span>
#include <string>
#include <string_view>

namespace et::tasks {

/// Reports in the format of docs/reference/json.md, one object and a line break.
[[nodiscard]] std::string verifyJson(std::span<const bundled_program::FileReport> reports);

/// Reads the first file of such a text, written by another process. Errors: Format.
[[nodiscard]] core::Result<bundled_program::FileReport> readVerifyJson(std::string_view text);

}  // namespace et::tasks

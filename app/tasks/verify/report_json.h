#pragma once

#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <span>
#include <string>
#include <string_view>

namespace et::app {

/// The reports as docs/json.md describes them, one object and a line break.
[[nodiscard]] std::string verifyJson(std::span<const bundled_program::FileReport> reports);

/// The first file of such a text, as another process wrote it. Errors: Format.
[[nodiscard]] core::Result<bundled_program::FileReport> readVerifyJson(std::string_view text);

}  // namespace et::app

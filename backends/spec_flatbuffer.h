#pragma once

#include "backends/compile_spec_rules.h"
#include "backends/compile_specs.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

namespace et::backends {

/// Decodes a flatbuffer without generated code: all fields that `schemas` describe, those that it leaves out
/// with their defaults. Errors: Format (damaged, or of no schema), Limit (over 1024 settings).
[[nodiscard]] core::Result<SpecValue> decodeFlatbuffer(core::Bytes bytes,
                                                       std::span<const FlatTable* const> schemas);

}  // namespace et::backends

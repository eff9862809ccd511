#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Decodes compile specs, the settings that an exporter passes to a backend. The formats are tables of
// compile_spec_rules.h, one per backend.
namespace et::backends {

/// A setting in a compile spec with several.
struct SpecSetting {
    std::string name;  ///< "backend_options.htp_options.precision"
    std::string value;
    bool isDefault = false;  ///< the spec leaves it out
};

/// The value of a compile spec.
struct SpecValue {
    std::string text;  ///< one line; of several settings, those that are not left out: "a=1, b=true"
    std::vector<SpecSetting> settings;  ///< empty: a single value, which is `text`
    /// Bytes that no setting describes: fields that a later version of a schema added.
    std::uint64_t opaqueBytes = 0;
};

/// Errors: Unsupported (the format of this spec is unknown), Format (it has another format than its backend
/// writes), Limit (too many settings).
[[nodiscard]] core::Result<SpecValue> decodeSpec(std::string_view backend, const program::CompileSpec& spec);

/// The decoded value in one line; if that is not possible, the spec's text, else its first bytes in
/// hexadecimal.
[[nodiscard]] std::string specLine(std::string_view backend, const program::CompileSpec& spec);

}  // namespace et::backends

#pragma once

#include "inspector/format/table.h"

#include <string>
#include <string_view>

/// Writing JSON (RFC 8259). The output is valid UTF-8 whatever the input.
namespace et::inspector::report {

/// Appends `text` as a JSON string: bytes that are not UTF-8 become U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

/// Appends a value: numbers with the shortest digits that read back the same, NaN and infinities as null.
void appendJson(std::string& out, const Cell& value);

}  // namespace et::inspector::report

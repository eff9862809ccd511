#pragma once

#include "inspector/format/table.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Python's formatting and parsing of values, used to match the reference's output. Sources: the Python
/// language reference (repr, format specification mini-language, float(), int(), str.strip, str.splitlines).
namespace et::inspector::format {

/// repr(value): the shortest digits that read back as `value`; "1e-05", "0.1", "2.0", "inf", "nan".
[[nodiscard]] std::string pythonFloat(double value);

/// format(value, "g"): six significant digits without trailing zeros.
[[nodiscard]] std::string pythonG(double value);

/// repr(text): in single quotes unless it contains some and no double quotes; unprintable characters are
/// escaped.
[[nodiscard]] std::string pythonString(std::string_view text);

/// str(value): texts unchanged, texts within lists and dictionaries by repr; "None" for no value.
[[nodiscard]] std::string pythonValue(const Cell& value);

/// float(text), including special values; empty if Python raises.
[[nodiscard]] std::optional<double> pythonParseFloat(std::string_view text);
/// Whether int(text) is valid.
[[nodiscard]] bool isPythonInt(std::string_view text);

/// text.strip()
[[nodiscard]] std::string_view pythonStrip(std::string_view text);
/// text.splitlines()
[[nodiscard]] std::vector<std::string_view> pythonLines(std::string_view text);

}  // namespace et::inspector::format

#pragma once

#include "inspector/format/table.h"
#include "runtime/core/json_writer.h"

#include <cstdint>
#include <string>

/// Cells as JSON, by core::JsonWriter.
namespace et::inspector::format {

/// Writes one value: lists as arrays, dictionaries as objects, no value as null.
void writeJson(core::JsonWriter& out, const Cell& value);

/// Appends one value to a text.
void appendJson(std::string& out, const Cell& value);

/// One value on a line, ending in a newline.
[[nodiscard]] std::string jsonLine(const Cell& value);

/// A whole document: one object on a line, "schema" first.
[[nodiscard]] std::string jsonDocument(std::int64_t schema, Dict content);

}  // namespace et::inspector::format

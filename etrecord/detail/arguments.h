#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/archive/json.h"
#include "runtime/core/json_writer.h"

#include <string_view>
#include <vector>

namespace et::etrecord::detail {

/// Reads an argument from its union: an object with one non-null member, named by the kind. Files of 2023
/// list all other kinds as null.
[[nodiscard]] core::Result<Argument> readArgument(const archive::JsonValue& json);
void writeArgument(core::JsonWriter& out, const Argument& argument);

/// A list of unnamed arguments (graph inputs, node outputs).
[[nodiscard]] core::Result<std::vector<Argument>> readArguments(const archive::JsonValue& json);
void writeArguments(core::JsonWriter& out, const std::vector<Argument>& arguments);

/// A node's inputs: [{"name": "self", "arg": {…}}].
[[nodiscard]] core::Result<std::vector<Argument>> readNamedArguments(const archive::JsonValue& json);
void writeNamedArguments(core::JsonWriter& out, const std::vector<Argument>& arguments);

/// Name of the value that an argument references; empty for plain values and lists.
[[nodiscard]] std::string_view valueName(const Argument& argument);

}  // namespace et::etrecord::detail

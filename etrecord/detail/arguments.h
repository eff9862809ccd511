#pragma once

#include "etrecord/detail/json.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/json_writer.h"

#include <string_view>
#include <vector>

namespace et::etrecord::detail {

/// One argument from its union: an object with one member that is not null, named by the kind. Files of 2023
/// spell out all other kinds as null.
[[nodiscard]] core::Result<Argument> readArgument(const JsonValue& json);
void writeArgument(core::JsonWriter& out, const Argument& argument);

/// A list of arguments without names (graph inputs, node outputs).
[[nodiscard]] core::Result<std::vector<Argument>> readArguments(const JsonValue& json);
void writeArguments(core::JsonWriter& out, const std::vector<Argument>& arguments);

/// A node's inputs: [{"name": "self", "arg": {…}}].
[[nodiscard]] core::Result<std::vector<Argument>> readNamedArguments(const JsonValue& json);
void writeNamedArguments(core::JsonWriter& out, const std::vector<Argument>& arguments);

/// Name of the value that an argument stands for; empty where it is a plain value or several.
[[nodiscard]] std::string_view valueName(const Argument& argument);

}  // namespace et::etrecord::detail

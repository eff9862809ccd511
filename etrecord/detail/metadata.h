#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/archive/json.h"
#include "runtime/core/json_writer.h"

#include <string_view>
#include <vector>

namespace et::etrecord::detail {

/// Reads a node's metadata: all entries unchanged, and the known ones also into fields. Entries are free
/// text; one that cannot be parsed leaves its field empty and is not an error.
[[nodiscard]] core::Result<> readMetadata(const archive::JsonValue& json, Node& node);
/// Writes the entries unchanged, then the fields without an entry.
void writeMetadata(core::JsonWriter& out, const Node& node);

/// Parses "12", "[12, 13]" or "(12, 13)"; returns nothing for any other text.
[[nodiscard]] std::vector<core::DebugHandle> parseHandles(std::string_view text);

/// Parses "key,fqn,type;key,fqn,type". Separators inside brackets are ignored, as in the key
/// "getattr_L__self___layers___0__(1, 2)"; the type is the rest of its frame, including commas.
[[nodiscard]] std::vector<ModuleFrame> parseModuleStack(std::string_view text);

}  // namespace et::etrecord::detail

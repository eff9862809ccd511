#pragma once

#include "etrecord/detail/json.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/json_writer.h"

#include <string_view>
#include <vector>

namespace et::etrecord::detail {

/// A node's metadata: all entries as found, and what we understand of them in fields of their own. Entries
/// are free text; one that we cannot understand leaves its field empty and is no error.
[[nodiscard]] core::Result<> readMetadata(const JsonValue& json, Node& node);
/// Entries as they are, then fields that have no entry.
void writeMetadata(core::JsonWriter& out, const Node& node);

/// "12", "[12, 13]" or "(12, 13)"; nothing for any other text.
[[nodiscard]] std::vector<core::DebugHandle> parseHandles(std::string_view text);

/// "key,fqn,type;key,fqn,type". Brackets protect the separators inside them, as in the key
/// "getattr_L__self___layers___0__(1, 2)"; the type is the rest of its frame, commas included.
[[nodiscard]] std::vector<ModuleFrame> parseModuleStack(std::string_view text);

}  // namespace et::etrecord::detail

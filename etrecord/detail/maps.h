#pragma once

#include "etrecord/record.h"
#include "runtime/core/json_writer.h"

#include <map>
#include <string>
#include <string_view>

namespace et::etrecord::detail {

using MapsByMethod = std::map<std::string, MethodMaps, std::less<>>;

/// The three maps that link instructions to the Edge graph are JSON of {method: {instruction: …}}; if the
/// outer object is missing (files of 2023), the content belongs to `forward`. Returns false if the file
/// contains null. Errors: Format (names the JSON path).
[[nodiscard]] core::Result<bool> readDebugHandleMap(core::Bytes json, std::string_view entry,
                                                    MapsByMethod& maps);
[[nodiscard]] core::Result<bool> readDelegateMap(core::Bytes json, std::string_view entry,
                                                 MapsByMethod& maps);
[[nodiscard]] core::Result<bool> readOutputCountMap(core::Bytes json, std::string_view entry,
                                                    MapsByMethod& maps);

[[nodiscard]] std::string serializeDebugHandleMap(const MapsByMethod& maps);
[[nodiscard]] std::string serializeDelegateMap(const MapsByMethod& maps);
[[nodiscard]] std::string serializeOutputCountMap(const MapsByMethod& maps);

}  // namespace et::etrecord::detail

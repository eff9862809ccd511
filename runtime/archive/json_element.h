#pragma once

#include "runtime/archive/json.h"

#include <simdjson.h>

#include <bit>
#include <type_traits>

namespace et::archive {

static_assert(std::is_trivially_copyable_v<simdjson::dom::element> &&
                  sizeof(simdjson::dom::element) == sizeof(JsonElement),
              "a simdjson element holds a pointer to the document and a position");

/// Converts a handle to simdjson's element and back, for the few files that use simdjson directly.
[[nodiscard]] inline simdjson::dom::element domElement(JsonElement element) {
    return std::bit_cast<simdjson::dom::element>(element);
}

[[nodiscard]] inline JsonElement jsonElement(simdjson::dom::element element) {
    return std::bit_cast<JsonElement>(element);
}

}  // namespace et::archive

#include "inspector/join/metadata_handles.h"

#include <simdjson.h>

#include <cstdint>

namespace et::inspector::join::detail {
namespace {

/// A delegate that fuses whole blocks has dozens of handles per step.
constexpr std::size_t maxBytes = std::size_t{1} << 20U;

}  // namespace

std::optional<std::vector<core::DebugHandle>> metadataHandles(core::Bytes metadata) {
    if (metadata.size() < 2 || metadata.size() > maxBytes || metadata.front() != std::byte{'{'}) {
        return std::nullopt;
    }
    simdjson::dom::parser parser;
    simdjson::dom::array list;
    const simdjson::padded_string text(reinterpret_cast<const char*>(metadata.data()), metadata.size());
    if (parser.parse(text)["debug_handles"].get(list) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    std::vector<core::DebugHandle> handles;
    for (const simdjson::dom::element element : list) {
        std::int64_t handle = 0;
        if (element.get(handle) != simdjson::SUCCESS || handle < 0) {
            return std::nullopt;
        }
        handles.emplace_back(handle);
    }
    return handles;
}

}  // namespace et::inspector::join::detail

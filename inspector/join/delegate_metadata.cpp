#include "inspector/join/delegate_metadata.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector {

std::string metadataHex(core::Bytes metadata) {
    constexpr std::size_t max = 4096;
    std::string text;
    for (const std::byte each : metadata.first(std::min(metadata.size(), max))) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned>(each));
    }
    if (metadata.size() > max) {
        text += fmt::format(" … {} more bytes", metadata.size() - max);
    }
    return text;
}

std::optional<std::string> decodedMetadata(const MetadataDecoders& decoders, std::string_view backend,
                                           std::string_view event, core::Bytes metadata) {
    if (metadata.empty()) {
        return std::nullopt;
    }
    for (const auto& decoder : decoders) {
        if (!decoder->backend().empty() && decoder->backend() != backend) {
            continue;
        }
        if (const auto text = decoder->decode(metadata, event)) {
            return core::printable(*text);
        }
    }
    return std::nullopt;
}

}  // namespace et::inspector

#pragma once

#include "runtime/core/metadata_decoder.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Decoders in the order in which they are asked; each keeps alive what it came from.
using MetadataDecoders = std::vector<std::shared_ptr<const core::MetadataDecoder>>;

/// "0a ff 20": bytes as hexadecimal numbers, those behind the first 4096 as their count.
[[nodiscard]] std::string metadataHex(core::Bytes metadata);

/// What the first decoder that reads them says, made printable; nothing where none does. `backend` is empty
/// where the trace does not say it: then only decoders of all backends are asked.
[[nodiscard]] std::optional<std::string> decodedMetadata(const MetadataDecoders& decoders,
                                                         std::string_view backend, std::string_view event,
                                                         core::Bytes metadata);

}  // namespace et::inspector

#pragma once

#include "runtime/core/metadata_decoder.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Decoders in order of priority; each keeps its plugin alive.
using MetadataDecoders = std::vector<std::shared_ptr<const core::MetadataDecoder>>;

/// "0a ff 20": bytes as hexadecimal numbers; bytes after the first 4096 only as a count.
[[nodiscard]] std::string metadataHex(core::Bytes metadata);

/// Result of the first decoder that supports the bytes, made printable; empty if none does. `backend` is
/// empty if the trace does not contain it; then only decoders for all backends are used.
[[nodiscard]] std::optional<std::string> decodedMetadata(const MetadataDecoders& decoders,
                                                         std::string_view backend, std::string_view event,
                                                         core::Bytes metadata);

}  // namespace et::inspector

#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::core {

/// Converts metadata that a backend's delegates write with their events (delegate_debug_metadata of an
/// ETDump) to text. Plugins provide decoders: runtime/executor/plugin.h.
class MetadataDecoder {
  public:
    virtual ~MetadataDecoder() = default;

    /// Backend whose metadata it decodes, as spelled in programs ("VulkanBackend"); empty: all backends,
    /// including traces that do not name the backend.
    [[nodiscard]] virtual std::string_view backend() const = 0;

    /// `event` is the delegate's name for the event. Errors: Format (not the format of this decoder: the next
    /// one is tried).
    [[nodiscard]] virtual Result<std::string> decode(Bytes metadata, std::string_view event) const = 0;
};

}  // namespace et::core

#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::core {

/// Makes text of the bytes that the delegates of a backend write beside their events (delegate_debug_metadata
/// of an ETDump). Plugins bring decoders in: runtime/executor/plugin.h.
class MetadataDecoder {
  public:
    virtual ~MetadataDecoder() = default;

    /// Whose metadata it reads, as programs spell it ("VulkanBackend"); empty: of all backends, also of
    /// traces that do not say whose they are.
    [[nodiscard]] virtual std::string_view backend() const = 0;

    /// `event` is the delegate's name for the event. Errors: Format (these bytes are none of this decoder's:
    /// the next one is asked).
    [[nodiscard]] virtual Result<std::string> decode(Bytes metadata, std::string_view event) const = 0;
};

}  // namespace et::core

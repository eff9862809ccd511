#include "backends/payload_part.h"

#include <fmt/format.h>

namespace et::backends {

core::Result<core::Bytes> payloadPart(core::Bytes payload, std::uint64_t offset, std::uint64_t size,
                                      std::string_view field) {
    if (offset > payload.size() || size > payload.size() - offset) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("expected at most the {} bytes of the payload, got {} bytes at {}",
                                      payload.size(), size, offset),
                          {.file = {}, .field = std::string(field), .offset = {}});
    }
    return payload.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace et::backends

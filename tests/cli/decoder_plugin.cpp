// Decodes the metadata of a made-up backend's events: a four-byte little-endian counter.

#include "runtime/executor/plugin.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

namespace {

class CounterDecoder final : public et::core::MetadataDecoder {
  public:
    [[nodiscard]] std::string_view backend() const override { return {}; }
    [[nodiscard]] et::core::Result<std::string> decode(et::core::Bytes metadata,
                                                       std::string_view event) const override {
        if (metadata.size() != 4) {
            return et::core::fail(et::core::ErrorCode::Format, "expected four bytes");
        }
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < metadata.size(); ++i) {
            count |= static_cast<std::uint32_t>(metadata[i]) << (8 * i);
        }
        return std::string(event) + ": " + std::to_string(count) + " cycles";
    }
};

const CounterDecoder counters;
const et::core::MetadataDecoder* const decoders[] = {&counters};

}  // namespace

ET_PLUGIN(.decoders = decoders, .decoderCount = std::size(decoders))

#include "inspector/format/checksum.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <span>

namespace et::inspector::format {

Sha256::Sha256() : state() {
    sha256_init(&state);
}

Sha256& Sha256::add(core::Bytes bytes) {
    sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    return *this;
}

Sha256& Sha256::add(std::string_view text) {
    return add(std::as_bytes(std::span(text)));
}

std::string Sha256::hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
    sha256_digest(&state, digest.size(), digest.data());
    std::string text;
    for (const std::uint8_t byte : digest) {
        fmt::format_to(std::back_inserter(text), "{:02x}", byte);
    }
    return text;
}

std::string sha256(core::Bytes bytes) {
    return Sha256().add(bytes).hex();
}

}  // namespace et::inspector::format

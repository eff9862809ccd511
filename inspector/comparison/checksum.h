#pragma once

#include "runtime/core/mapped_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace et::inspector {

/// SHA-256, fed bit by bit. Definition: FIPS 180-4, "Secure Hash Standard".
class Sha256 {
  public:
    Sha256& add(core::Bytes bytes);
    Sha256& add(std::string_view text);
    /// 64 digits of hex. Nothing may be added behind it.
    [[nodiscard]] std::string hex();

  private:
    static constexpr std::size_t blockBytes = 64;

    void takeBlock(const std::byte* block);

    std::array<std::uint32_t, 8> state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, blockBytes> waiting{};
    std::uint64_t length = 0;  ///< bytes added so far
};

[[nodiscard]] std::string sha256(core::Bytes bytes);

}  // namespace et::inspector

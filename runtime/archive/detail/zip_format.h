#pragma once

#include <cstdint>

// Signatures of zip archives, by PKWARE's APPNOTE.TXT 6.3.3.
namespace et::archive::detail {

inline constexpr std::uint32_t localSignature = 0x04034b50;
inline constexpr std::uint32_t directorySignature = 0x02014b50;
inline constexpr std::uint32_t wideEndSignature = 0x06064b50;
inline constexpr std::uint32_t wideLocatorSignature = 0x07064b50;
inline constexpr std::uint32_t endSignature = 0x06054b50;
/// ID of the zip64 extra field.
inline constexpr std::uint16_t wideField = 1;

}  // namespace et::archive::detail

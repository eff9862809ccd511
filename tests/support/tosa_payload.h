#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::test {

/// Variable parts of a TOSA payload; tosaPayload() describes the rest.
struct TosaChanges {
    std::int32_t major = 1;             ///< version
    std::uint32_t kind = 3;             ///< of the first computing operator: CONV2D
    std::uint8_t fieldsKind = 0;        ///< of its fields; 0: as `kind`
    std::string input = "x";            ///< its first input
    std::string location = {};          ///< of the clamp
    std::string duplicate = "then_in";  ///< name of a tensor of the second region
    std::uint64_t dataOffset = 0;       ///< of the bias
    std::uint64_t dataSize = 0;
};

/// float32: "y" = CONV2D of the input "x" [1, 4, 4, 2], the constants "w" [1, 1, 1, 2] and "b" [1], and the
/// zero points "zx" and "zw"; "z" = CLAMP of "y" to 0 to 6; "out" = COND_IF of the input "p" and "z", with
/// both branches the region "then", which negates; "shape" is a constant shape [4].
[[nodiscard]] std::vector<std::byte> tosaPayload(const TosaChanges& changes = {});

/// An operator of every kind in sequence, with all of its fields.
[[nodiscard]] std::vector<std::byte> tosaPayloadOfAllKinds();

}  // namespace et::test

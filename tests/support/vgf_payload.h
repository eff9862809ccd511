#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::test {

/// Variable parts of a VGF payload; vgfPayload() describes the rest.
struct VgfChanges {
    std::uint8_t minor = 4;              ///< of the version
    std::uint32_t inputResource = 0;     ///< of the graph
    std::uint32_t module = 0;            ///< of the graph's segment
    std::uint64_t constantSize = 8;      ///< of the constant; it has 8 bytes
    std::uint32_t instructionWords = 0;  ///< of the first instruction; 0: as it is
    bool isUnaligned = false;            ///< sections are not aligned
    bool hasConstantTable = false;       ///< as older files
};

/// float32 [1, 2]: a segment with a graph in SPIR-V, "clamped" = CLAMP of ADD of the input "x" and a constant
/// to 0.5 to 6, and a segment with a compute shader in GLSL, from "clamped" to the output "y".
[[nodiscard]] std::vector<std::byte> vgfPayload(const VgfChanges& changes = {});

}  // namespace et::test

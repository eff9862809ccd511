#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Payloads of backends whose compilers we do not have, written by our own code.
namespace et::test {

using PayloadBytes = std::vector<std::byte>;

/// What a Vulkan payload is made with; the rest of it is what vulkanPayload() says.
struct VulkanChanges {
    std::string operatorName = "aten.max_pool2d_with_indices.default";
    std::int32_t lastArgument = 9;     ///< of the second call
    std::int32_t constant = 0;         ///< that the weight is
    std::uint64_t constantOffset = 0;  ///< of the weight in the bytes behind the flatbuffer
    std::int32_t listed = 7;           ///< first value in the list of results
    std::size_t listLength = 2;        ///< of that list
    std::size_t poolings = 1;
};

/// v0 float32 [1, 3, 4, 4] is quantized with scale 0.5 and zero point 3 to v1; a weight v2 of 12 bytes inside
/// and one v3 named "bias" give v4 (int8 in place of v1: the call writes v1 again); pooling with a list [2,
/// 2] gives the list v9 of v7 and v8; a symbolic integer v10 is an input too. The outputs are v7 and v1.
[[nodiscard]] PayloadBytes vulkanPayload(const VulkanChanges& changes = {});

struct MpsChanges {
    std::uint8_t kind = 76;           ///< of the first node: MPSConv2D
    std::int32_t output = 3;          ///< of the first node
    std::uint64_t constantSize = 24;  ///< of the weight; 24 bytes lie behind the flatbuffer
    bool header = true;               ///< else the constants are inside
};

/// v0 float16 [1, 3, 4, 4]; a weight v1 and a bias v2, both constants; a convolution to v3 with padding top
/// 1, clamped to [0, 6]; v3 is split into v4 and v5, which are concatenated to v6, the output.
[[nodiscard]] PayloadBytes mpsPayload(const MpsChanges& changes = {});

/// A node of every kind of MPS, one behind the other on values of their own.
[[nodiscard]] PayloadBytes mpsPayloadOfAllKinds();

struct EthosUChanges {
    std::uint32_t inputs = 1;  ///< that the payload says it has; it has one
};

/// A stream of 20 bytes of commands and 40 of weights, with 4096 bytes of working memory; an input of 1 x 1 x
/// 1 x 2 x 3 x 4 bytes in region 1 at 64, and an output of two bytes.
[[nodiscard]] PayloadBytes ethosUPayload(const EthosUChanges& changes = {});

}  // namespace et::test

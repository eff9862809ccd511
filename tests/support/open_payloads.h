#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Payloads of backends whose compilers are not available, written by our own code.
namespace et::test {

using PayloadBytes = std::vector<std::byte>;

/// Variable parts of a Vulkan payload; vulkanPayload() describes the rest.
struct VulkanChanges {
    std::string operatorName = "aten.max_pool2d_with_indices.default";
    std::int32_t lastArgument = 9;     ///< of the second call
    std::int32_t constant = 0;         ///< constant index of the weight
    std::uint64_t constantOffset = 0;  ///< offset of the weight in the bytes after the flatbuffer
    std::int32_t listed = 7;           ///< first value of the result list
    std::size_t listLength = 2;        ///< length of that list
    std::size_t poolings = 1;
};

/// v0 float32 [1, 3, 4, 4] is quantized with scale 0.5 and zero point 3 to v1; a weight v2 of 12 bytes inside
/// the payload and a weight v3 named "bias" give v4 (int8, replaces v1: the call writes v1 again); pooling
/// with a list [2, 2] gives the list v9 of v7 and v8; a symbolic integer v10 is also an input. The outputs
/// are v7 and v1.
[[nodiscard]] PayloadBytes vulkanPayload(const VulkanChanges& changes = {});

struct MpsChanges {
    std::uint8_t kind = 76;           ///< of the first node: MPSConv2D
    std::int32_t output = 3;          ///< of the first node
    std::uint64_t constantSize = 24;  ///< of the weight; 24 bytes follow the flatbuffer
    bool header = true;               ///< false: the constants are inside the flatbuffer
};

/// v0 float16 [1, 3, 4, 4]; constant weight v1 and bias v2; a convolution to v3 with top padding 1, clamped
/// to [0, 6]; v3 is split into v4 and v5, which are concatenated to the output v6.
[[nodiscard]] PayloadBytes mpsPayload(const MpsChanges& changes = {});

/// A node of every MPS kind in sequence, each on its own values.
[[nodiscard]] PayloadBytes mpsPayloadOfAllKinds();

struct EthosUChanges {
    std::uint32_t inputs = 1;  ///< number of inputs the payload declares; it has one
};

/// A stream of 20 bytes of commands and 40 of weights with 4096 bytes of scratch memory; a 1 x 1 x 1 x 2 x 3
/// x 4 byte input in region 1 at 64, and a two-byte output.
[[nodiscard]] PayloadBytes ethosUPayload(const EthosUChanges& changes = {});

/// Names of a library and of weights, by hashes.
[[nodiscard]] PayloadBytes aotiPayload();
/// Two inputs, one output and 9 bytes of code.
[[nodiscard]] PayloadBytes neutronPayload();
/// Two inputs and an output (an int64 shape tensor) in reverse order, and 6 bytes of an engine.
[[nodiscard]] PayloadBytes tensorrtPayload();

/// A model of the CPU: x float32 [1, 4] times a constant [1, 4] (layer "mul"), then "relu" to the output y; 4
/// bytes of device data. `xml`: replaces the layers.
[[nodiscard]] PayloadBytes openvinoPayload(std::string_view xml = {});
/// Two inputs, one output, 4 bytes of code and 2 of padding.
[[nodiscard]] PayloadBytes neuropilotPayload();

}  // namespace et::test

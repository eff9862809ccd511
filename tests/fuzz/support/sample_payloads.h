#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <string>
#include <vector>

namespace et::fuzz {

/// A small payload that is valid, with the data of its constants (which `payload.copied` keeps).
struct SamplePayload {
    std::string name;  ///< "XNNConv2d_qint8"
    backends::xnnpack::Payload payload;
};

/// One payload for every kind of node in fp32, more for the other datatypes that it has, and a few chains
/// that the library fuses.
[[nodiscard]] std::vector<SamplePayload> samplePayloads();

}  // namespace et::fuzz

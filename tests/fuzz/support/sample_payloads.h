#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <string>
#include <vector>

namespace et::fuzz {

/// A small valid payload with the data of its constants (kept by `payload.copied`).
struct SamplePayload {
    std::string name;  ///< "XNNConv2d_qint8"
    backends::xnnpack::Payload payload;
};

/// Returns one payload for every kind of node in fp32, more for its other datatypes, and some chains that
/// XNNPACK fuses.
[[nodiscard]] std::vector<SamplePayload> samplePayloads();

}  // namespace et::fuzz

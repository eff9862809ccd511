#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace et::fuzz {

/// Adjusts a mutated payload to have as many scales as channels or blocks, and as much constant data as
/// elements, because the reader would otherwise reject it. Owns the data it creates, so it must outlive the
/// payload.
class PayloadFitting {
  public:
    explicit PayloadFitting(backends::xnnpack::Payload& fitted) : payload(fitted) {}

    void fit();

  private:
    void fitConstant(backends::xnnpack::PayloadConstant& constant,
                     const backends::xnnpack::PayloadValue& value);

    backends::xnnpack::Payload& payload;
    std::vector<std::unique_ptr<std::vector<std::byte>>> kept;
};

}  // namespace et::fuzz

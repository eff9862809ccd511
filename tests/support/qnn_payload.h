#pragma once

#include "tests/support/open_payloads.h"

#include <cstdint>

// Options and context binaries of Qualcomm's backend, written by our own code.
namespace et::test {

enum class QnnSchema : std::uint8_t { Of2026, Of2025, OfLate2024 };

/// SM8750 with HTP V79 and 8 MB of VTCM, fp16, fold_relu; detailed profiling; the library "libQnnHtp.so"; in
/// the older schemas also the graph "forward".
[[nodiscard]] PayloadBytes qnnOptions(QnnSchema schema);

struct QnnChanges {
    std::uint32_t graphs = 1;     ///< number of graphs that the metadata declares; it has one
    std::uint64_t codeSize = 32;  ///< declared bytes of code; there are 32
};

/// Graph "forward" for SM8650 with the input "input_0_x@0" (uint8 fixed-point [1, 4], scale 0.5, offset -3)
/// and the output "output_y@0" (float16 [2]), in ExecuTorch's container.
[[nodiscard]] PayloadBytes qnnPayload(const QnnChanges& changes = {});

}  // namespace et::test

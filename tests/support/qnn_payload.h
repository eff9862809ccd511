#pragma once

#include "tests/support/open_payloads.h"

#include <cstdint>

// Options of Qualcomm's backend, written by our own code.
namespace et::test {

enum class QnnSchema : std::uint8_t { Of2026, Of2025, OfLate2024 };

/// SM8750 with HTP V79 and 8 MB of VTCM, fp16, fold_relu; detailed profiling; the library "libQnnHtp.so"; in
/// the older schemas also the graph "forward".
[[nodiscard]] PayloadBytes qnnOptions(QnnSchema schema);

}  // namespace et::test

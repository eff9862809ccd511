#pragma once

#include <cstdint>
#include <string>

/// Numbers as people read them.
namespace et::inspector::report {

/// "14.5 MiB"; "812 bytes" below 1 KiB.
[[nodiscard]] std::string readableBytes(std::uint64_t bytes);

/// "12.5 %".
[[nodiscard]] std::string readablePercent(double share);

}  // namespace et::inspector::report

#pragma once

#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <string_view>

namespace et::backends {

/// Device that runs delegates of this id: "GPU, through Vulkan" for "VulkanBackend"; empty for an unknown id.
[[nodiscard]] std::string_view deviceOf(std::string_view backend);

/// Bytes that each call of a delegate takes from the runtime's temporary pool, by its payload; 0 if it takes
/// none or its format is unknown.
[[nodiscard]] std::uint64_t temporaryBytes(std::string_view backend, core::Bytes payload);

}  // namespace et::backends

#pragma once

#include <string_view>

namespace et::backends {

/// Device that runs delegates of this id: "GPU, through Vulkan" for "VulkanBackend"; empty for an unknown id.
[[nodiscard]] std::string_view deviceOf(std::string_view backend);

}  // namespace et::backends

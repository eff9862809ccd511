#pragma once

#include <span>
#include <string_view>

namespace et::backends {

/// A backend of ExecuTorch, by the id of its delegates in a program.
struct KnownBackend {
    std::string_view id;      ///< "VulkanBackend"
    std::string_view device;  ///< device that runs its delegates: "GPU, by Vulkan"
};

[[nodiscard]] std::span<const KnownBackend> knownBackends();

/// Device that runs delegates of this id; empty for an unknown id.
[[nodiscard]] std::string_view deviceOf(std::string_view backend);

}  // namespace et::backends

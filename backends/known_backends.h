#pragma once

#include <span>
#include <string_view>

namespace et::backends {

/// A backend of ExecuTorch by the id that its delegates carry in a program.
struct KnownBackend {
    std::string_view id;      ///< "VulkanBackend"
    std::string_view device;  ///< what its delegates run on: "GPU, by Vulkan"
};

[[nodiscard]] std::span<const KnownBackend> knownBackends();

/// What delegates of this id run on; empty for a stranger.
[[nodiscard]] std::string_view deviceOf(std::string_view backend);

}  // namespace et::backends

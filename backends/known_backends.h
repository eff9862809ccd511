#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/release.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace et::backends {

/// Device that runs delegates of this id: "GPU, through Vulkan" for "VulkanBackend"; empty for an unknown id.
[[nodiscard]] std::string_view deviceOf(std::string_view backend);

/// Bytes that each call of a delegate takes from the runtime's temporary pool, by its payload; 0 if it takes
/// none or its format is unknown.
[[nodiscard]] std::uint64_t temporaryBytes(std::string_view backend, core::Bytes payload);

/// Releases of ExecuTorch that contain the backend's runtime. Empty for an unknown id, and for backends that
/// no release contains, such as demonstrations.
[[nodiscard]] std::optional<core::ReleaseRange> releasesOf(std::string_view backend);

/// Content of payloads that a later release than the backend's first introduced. It is recognised in the
/// graph that the backend describes: by the kind of a node, or by the type of a value.
struct PayloadFeature {
    std::string_view backend;
    std::string_view nodeKind;   ///< empty: any
    std::string_view valueType;  ///< start of the type of a value; empty: any
    std::string_view name;       ///< "sine nodes"
    core::Release since;
};
[[nodiscard]] std::span<const PayloadFeature> payloadFeatures();

}  // namespace et::backends

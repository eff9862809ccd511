#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Which delegates share memory for intermediate values; numbered as ExecuTorch's WorkspaceSharingMode.
enum class WorkspaceSharing : std::uint8_t { Disabled, PerModel, Global };

/// Options for loading delegates, a subset of ExecuTorch's XnnpackBackendOptions.
struct LoadOptions {
    static constexpr std::string_view sharingKey = "workspace_sharing_mode";
    static constexpr std::string_view cacheKey = "weight_cache_enabled";

    WorkspaceSharing workspaceSharing = WorkspaceSharing::PerModel;
    bool weightCache = true;  ///< keep equal packed weights of the delegates of a model once

    /// Reads the options of XnnpackBackend; others are ignored, as unknown keys are. Errors: InvalidArgument
    /// (a value of another type, a sharing mode that does not exist).
    [[nodiscard]] static core::Result<LoadOptions> from(std::span<const executor::BackendOption> options);

    /// The options in the form that from() reads.
    [[nodiscard]] std::vector<executor::BackendOption> all() const;

    bool operator==(const LoadOptions&) const = default;
};

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/library/load_options.h"

#include <fmt/format.h>

#include <string>
#include <variant>

namespace et::backends::xnnpack {
namespace {

core::Error unexpectedValue(const executor::BackendOption& option, std::string_view expected) {
    return {.code = core::ErrorCode::InvalidArgument,
            .message = fmt::format("XnnpackBackend: {}: expected {}", option.key, expected),
            .where = {}};
}

}  // namespace

core::Result<LoadOptions> LoadOptions::from(std::span<const executor::BackendOption> options) {
    LoadOptions read;
    for (const executor::BackendOption& option : options) {
        if (option.backend != "XnnpackBackend") {
            continue;
        }
        if (option.key == sharingKey) {
            const int* const mode = std::get_if<int>(&option.value);
            if (mode == nullptr || *mode < 0 || *mode > static_cast<int>(WorkspaceSharing::Global)) {
                return std::unexpected(unexpectedValue(option, "0 (disabled), 1 (per model) or 2 (global)"));
            }
            read.workspaceSharing = static_cast<WorkspaceSharing>(*mode);
        } else if (option.key == cacheKey) {
            const bool* const isEnabled = std::get_if<bool>(&option.value);
            if (isEnabled == nullptr) {
                return std::unexpected(unexpectedValue(option, "true or false"));
            }
            read.weightCache = *isEnabled;
        }
    }
    return read;
}

std::vector<executor::BackendOption> LoadOptions::all() const {
    return {{.backend = "XnnpackBackend",
             .key = std::string(sharingKey),
             .value = static_cast<int>(workspaceSharing)},
            {.backend = "XnnpackBackend", .key = std::string(cacheKey), .value = weightCache}};
}

}  // namespace et::backends::xnnpack

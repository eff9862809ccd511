#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

// A trace, a debug buffer and an ETRecord that match and are identical each time; the reference of front-end
// tests. The times are made up, as the trace's first event states.
namespace et::test::synthetic {

struct SetFile {
    std::string name;
    std::vector<std::byte> bytes;
};

/// conv_net.etdp, conv_net_debug.bin, conv_net.etrecord.
[[nodiscard]] core::Result<std::vector<SetFile>> makeSet();

/// Writes the files into an existing folder; returns their paths in the same order.
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> writeSet(const std::filesystem::path& folder);

}  // namespace et::test::synthetic

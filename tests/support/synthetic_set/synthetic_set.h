#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

// A trace, a debug buffer and an ETRecord that belong together and are the same bytes each time: what tests
// of front ends hold their answers against. The times are made up, and the trace's first event says so.
namespace et::test::synthetic {

struct SetFile {
    std::string name;
    std::vector<std::byte> bytes;
};

/// conv_net.etdp, conv_net_debug.bin, conv_net.etrecord.
[[nodiscard]] core::Result<std::vector<SetFile>> makeSet();

/// Writes them into a folder that is there; their paths in the same order.
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> writeSet(const std::filesystem::path& folder);

}  // namespace et::test::synthetic

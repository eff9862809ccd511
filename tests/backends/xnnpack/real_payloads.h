#pragma once

#include "runtime/program/program.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace et::test {

/// Calls `take` with every XNNPACK delegate payload of the bundled programs below `folder` of the shared
/// data.
void forEachXnnpackPayload(const std::string& folder,
                           const std::function<void(const std::filesystem::path&, const program::Program&,
                                                    const program::Delegate&)>& take);

}  // namespace et::test

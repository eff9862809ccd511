#pragma once

#include "app/cli/options.h"
#include "inspector/events/group_keys.h"
#include "runtime/core/result.h"

#include <string>
#include <vector>

namespace et::cli {

/// Grouping of a table.
struct GroupOptions {
    std::vector<std::string> keys;
    inspector::events::ModuleRollUp modules;
};

/// Adds --group-by, --depth and --merge-layers.
void addGroupOptions(OptionList& options, GroupOptions& groups);
/// Adds --depth and --merge-layers.
void addRollUpOptions(OptionList& options, inspector::events::ModuleRollUp& modules);

/// Errors: InvalidArgument (unknown key).
[[nodiscard]] core::Result<inspector::events::GroupKeys> makeGroupKeys(const GroupOptions& groups);

}  // namespace et::cli

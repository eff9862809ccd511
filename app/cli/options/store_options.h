#pragma once

#include "app/cli/options.h"

#include <filesystem>

namespace et::cli {

/// Adds --store, the database of baselines and histories.
void addStoreOption(OptionList& options, std::filesystem::path& store);

}  // namespace et::cli

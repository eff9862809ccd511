#pragma once

#include "app/cli/options.h"

#include <filesystem>

namespace et::app {

/// Adds --store, the file with the baselines.
void addStoreOption(OptionList& options, std::filesystem::path& store);

}  // namespace et::app

#pragma once

#include "inspector/source/source_files.h"

#include <vector>

class QSettings;

namespace et::studio {

/// Local folders for the folders of the machines that exported models; stored in the settings.
[[nodiscard]] std::vector<inspector::PathMapping> storedMappings(const QSettings& settings);
void storeMappings(QSettings& settings, const std::vector<inspector::PathMapping>& mappings);

}  // namespace et::studio

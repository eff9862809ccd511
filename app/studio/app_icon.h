#pragma once

#include <QIcon>

namespace et::studio {

/// The icon of et-studio, painted (no image plugin is needed): a trace's bars under a magnifying ring.
[[nodiscard]] QIcon appIcon();

}  // namespace et::studio

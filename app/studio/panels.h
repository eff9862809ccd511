#pragma once

#include "app/studio/panel.h"

#include <span>

namespace et::studio {

/// A panel of the window.
struct PanelInfo {
    const char* id;       ///< stable: used by settings and tests
    const char* title;    ///< untranslated
    bool showsOperators;  ///< shows the selected operators
    bool general;         ///< has content for every session: other panels are raised before it
    Panel* (*make)(const PanelContext& context, QWidget* parent);
};

/// All panels, in the order of their tabs.
[[nodiscard]] std::span<const PanelInfo> panels();

}  // namespace et::studio

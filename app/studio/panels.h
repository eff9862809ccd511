#pragma once

#include "app/studio/panel.h"

#include <cstdint>
#include <span>

namespace et::studio {

/// Submenu of the panels menu that has the panel.
enum class PanelGroup : std::uint8_t { Time, Memory, Accuracy, Structure, Run };
struct PanelGroupInfo {
    PanelGroup group;
    const char* title;  ///< untranslated
};
[[nodiscard]] std::span<const PanelGroupInfo> panelGroups();

/// A panel of the window.
struct PanelInfo {
    const char* id;     ///< stable: used by settings and tests
    const char* title;  ///< untranslated
    PanelGroup group;
    bool showsOperators;  ///< shows the selected operators
    bool general;         ///< has content for every session: other panels are raised before it
    Panel* (*make)(const PanelContext& context, QWidget* parent);
};

/// All panels, in the order of their tabs.
[[nodiscard]] std::span<const PanelInfo> panels();

}  // namespace et::studio

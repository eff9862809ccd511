#pragma once

#include "inspector/session/session.h"

#include <QKeySequence>

#include <span>
#include <string_view>
#include <vector>

namespace et::studio {

/// A pane of panels, as tabs if there are several; the first is in front.
struct PanePlan {
    std::vector<std::string_view> panels{};  ///< ids; empty: no pane
    int share = 0;                           ///< of the window's width (left, right) or height, in percent
    bool mayBeHidden = false;  ///< while the first panel has no content, other panes use its space
    bool oneAtATime = false;   ///< without tabs: the rail at the left edge selects the visible panel
    bool folded = false;       ///< initially; only with oneAtATime
    bool awayWhenLow = false;  ///< bottom only: hidden in a low window until the user opens it
};

/// Arrangement of panels for one kind of question.
struct Perspective {
    const char* id;        ///< stable: used by settings and tests
    const char* title;     ///< untranslated
    const char* question;  ///< untranslated
    PanePlan left{};
    std::vector<PanePlan> centre{};  ///< top to bottom; never empty
    std::vector<PanePlan> right{};   ///< top to bottom; the first determines the width
    PanePlan bottom{};               ///< below the centre
};

[[nodiscard]] bool contains(const PanePlan& pane, std::string_view panel);
/// Whether a panel is planned in the centre of the perspective.
[[nodiscard]] bool isCentral(const Perspective& plan, std::string_view panel);

/// Panels of the left pane, in the order of the rail at the left edge.
[[nodiscard]] std::span<const std::string_view> sidePanels();
/// Shortcut of a panel of the left pane; empty for other panels.
[[nodiscard]] QKeySequence sideKey(std::string_view panel);

/// All perspectives, in the order of their shortcuts.
[[nodiscard]] std::span<const Perspective> perspectives();

/// Returns the perspective with this id, or null.
[[nodiscard]] const Perspective* findPerspective(std::string_view id);

/// The perspective that suits these files.
[[nodiscard]] const Perspective& perspectiveFor(const inspector::Session& session);

}  // namespace et::studio

#pragma once

#include "inspector/session/session.h"

#include <QKeySequence>

#include <span>
#include <string_view>
#include <vector>

namespace et::studio {

/// Rooms in one place, as tabs where there are several: the first is in front.
struct PanePlan {
    std::vector<std::string_view> rooms{};  ///< ids; empty: no such place
    int share = 0;                          ///< of the window's width (left, right) or height, in percent
    bool mayBeAway = false;    ///< of left and centre: while it has nothing to show, others have its place
    bool oneAtATime = false;   ///< no tabs: the rail at the left edge says which of them is shown
    bool folded = false;       ///< at first; only where it is oneAtATime
    bool awayWhenLow = false;  ///< of bottom: in a low window, until a person asks for it
};

/// Which rooms stand where for a question that people come with.
struct Perspective {
    const char* id;        ///< stable: settings and tests find it by this
    const char* title;     ///< untranslated
    const char* question;  ///< untranslated
    PanePlan left{};
    std::vector<PanePlan> centre{};  ///< one below another; never empty
    std::vector<PanePlan> right{};   ///< one below another; the first has the width
    PanePlan bottom{};               ///< below the centre
};

/// The rooms of the left place, in the order of the rail at the left edge.
[[nodiscard]] std::span<const std::string_view> sideRooms();
/// The key that brings one of them; empty: it is none of them.
[[nodiscard]] QKeySequence sideKey(std::string_view room);

/// All of ours, in the order of their keys.
[[nodiscard]] std::span<const Perspective> perspectives();

/// The one of this id; null: there is none.
[[nodiscard]] const Perspective* findPerspective(std::string_view id);

/// The one whose question these files answer.
[[nodiscard]] const Perspective& perspectiveFor(const inspector::Session& session);

}  // namespace et::studio

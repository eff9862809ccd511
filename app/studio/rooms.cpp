#include "app/studio/rooms.h"

#include "app/studio/compare/compare_room.h"
#include "app/studio/events/events_room.h"
#include "app/studio/overview/overview_room.h"
#include "app/studio/tests/tests_room.h"
#include "app/studio/timeline/timeline_room.h"

#include <array>

namespace et::studio {

namespace {

template <class R>
Room* make(const RoomContext& context, QWidget* parent) {
    return new R(context, parent);
}

constexpr std::array list{
    RoomFacts{.id = "overview",
              .title = QT_TRANSLATE_NOOP("rooms", "Overview"),
              .showsOperators = false,
              .general = true,
              .make = make<OverviewRoom>},
    RoomFacts{.id = "events",
              .title = QT_TRANSLATE_NOOP("rooms", "Events"),
              .showsOperators = true,
              .general = false,
              .make = make<EventsRoom>},
    RoomFacts{.id = "timeline",
              .title = QT_TRANSLATE_NOOP("rooms", "Timeline"),
              .showsOperators = true,
              .general = false,
              .make = make<TimelineRoom>},
    RoomFacts{.id = "tests",
              .title = QT_TRANSLATE_NOOP("rooms", "Tests"),
              .showsOperators = false,
              .general = false,
              .make = make<TestsRoom>},
    RoomFacts{.id = "compare",
              .title = QT_TRANSLATE_NOOP("rooms", "Compare"),
              .showsOperators = false,
              .general = false,
              .make = make<CompareRoom>},
};

}  // namespace

std::span<const RoomFacts> rooms() {
    return list;
}

}  // namespace et::studio

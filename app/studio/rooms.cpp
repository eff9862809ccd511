#include "app/studio/rooms.h"

#include "app/studio/compare/compare_room.h"
#include "app/studio/delegates/delegates_room.h"
#include "app/studio/events/events_room.h"
#include "app/studio/files/files_room.h"
#include "app/studio/flame/flame_room.h"
#include "app/studio/gap/gap_room.h"
#include "app/studio/generate/generate_room.h"
#include "app/studio/graph/graph_room.h"
#include "app/studio/inspector/inspector_room.h"
#include "app/studio/lab/lab_room.h"
#include "app/studio/limits/limits_room.h"
#include "app/studio/memory/memory_room.h"
#include "app/studio/notes/notes_room.h"
#include "app/studio/outline/outline_room.h"
#include "app/studio/overview/overview_room.h"
#include "app/studio/run/run_room.h"
#include "app/studio/runs/runs_room.h"
#include "app/studio/shapes/shapes_room.h"
#include "app/studio/size/size_room.h"
#include "app/studio/source/source_room.h"
#include "app/studio/sql/sql_room.h"
#include "app/studio/tensors/tensors_room.h"
#include "app/studio/tests/tests_room.h"
#include "app/studio/timeline/timeline_room.h"
#include "app/studio/trends/trends_room.h"

#include <array>

namespace et::studio {

namespace {

template <class R>
Room* make(const RoomContext& context, QWidget* parent) {
    return new R(context, parent);
}

constexpr std::array list{
    RoomInfo{.id = "overview",
             .title = QT_TRANSLATE_NOOP("rooms", "Overview"),
             .showsOperators = false,
             .general = true,
             .make = make<OverviewRoom>},
    RoomInfo{.id = "events",
             .title = QT_TRANSLATE_NOOP("rooms", "Events"),
             .showsOperators = true,
             .general = false,
             .make = make<EventsRoom>},
    RoomInfo{.id = "timeline",
             .title = QT_TRANSLATE_NOOP("rooms", "Timeline"),
             .showsOperators = true,
             .general = false,
             .make = make<TimelineRoom>},
    RoomInfo{.id = "graph",
             .title = QT_TRANSLATE_NOOP("rooms", "Graph"),
             .showsOperators = true,
             .general = true,
             .make = make<GraphRoom>},
    RoomInfo{.id = "memory",
             .title = QT_TRANSLATE_NOOP("rooms", "Memory"),
             .showsOperators = false,
             .general = true,
             .make = make<MemoryRoom>},
    RoomInfo{.id = "delegates",
             .title = QT_TRANSLATE_NOOP("rooms", "Delegates"),
             .showsOperators = false,
             .general = true,
             .make = make<DelegatesRoom>},
    RoomInfo{.id = "source",
             .title = QT_TRANSLATE_NOOP("rooms", "Source"),
             .showsOperators = false,
             .general = true,
             .make = make<SourceRoom>},
    RoomInfo{.id = "tests",
             .title = QT_TRANSLATE_NOOP("rooms", "Tests"),
             .showsOperators = false,
             .general = false,
             .make = make<TestsRoom>},
    RoomInfo{.id = "compare",
             .title = QT_TRANSLATE_NOOP("rooms", "Compare"),
             .showsOperators = false,
             .general = false,
             .make = make<CompareRoom>},
    RoomInfo{.id = "gap",
             .title = QT_TRANSLATE_NOOP("rooms", "Gap"),
             .showsOperators = false,
             .general = false,
             .make = make<GapRoom>},
    RoomInfo{.id = "run",
             .title = QT_TRANSLATE_NOOP("rooms", "Run"),
             .showsOperators = false,
             .general = false,
             .make = make<RunRoom>},
    RoomInfo{.id = "generate",
             .title = QT_TRANSLATE_NOOP("rooms", "Generate"),
             .showsOperators = false,
             .general = false,
             .make = make<GenerateRoom>},
    RoomInfo{.id = "sql",
             .title = QT_TRANSLATE_NOOP("rooms", "SQL"),
             .showsOperators = false,
             .general = true,
             .make = make<SqlRoom>},
    RoomInfo{.id = "notes",
             .title = QT_TRANSLATE_NOOP("rooms", "Notes"),
             .showsOperators = false,
             .general = true,
             .make = make<NotesRoom>},
    RoomInfo{.id = "flame",
             .title = QT_TRANSLATE_NOOP("rooms", "Flame Graph"),
             .showsOperators = true,
             .general = false,
             .make = make<FlameRoom>},
    RoomInfo{.id = "outline",
             .title = QT_TRANSLATE_NOOP("rooms", "Model"),
             .showsOperators = false,
             .general = false,
             .make = make<OutlineRoom>},
    RoomInfo{.id = "inspector",
             .title = QT_TRANSLATE_NOOP("rooms", "Inspector"),
             .showsOperators = false,
             .general = true,
             .make = make<InspectorRoom>},
    RoomInfo{.id = "tensors",
             .title = QT_TRANSLATE_NOOP("rooms", "Tensors"),
             .showsOperators = false,
             .general = true,
             .make = make<TensorsRoom>},
    RoomInfo{.id = "size",
             .title = QT_TRANSLATE_NOOP("rooms", "Size"),
             .showsOperators = false,
             .general = true,
             .make = make<SizeRoom>},
    RoomInfo{.id = "limits",
             .title = QT_TRANSLATE_NOOP("rooms", "Limits"),
             .showsOperators = false,
             .general = false,
             .make = make<LimitsRoom>},
    RoomInfo{.id = "shapes",
             .title = QT_TRANSLATE_NOOP("rooms", "Shapes"),
             .showsOperators = false,
             .general = false,
             .make = make<ShapesRoom>},
    RoomInfo{.id = "trends",
             .title = QT_TRANSLATE_NOOP("rooms", "Trends"),
             .showsOperators = false,
             .general = false,
             .make = make<TrendsRoom>},
    RoomInfo{.id = "lab",
             .title = QT_TRANSLATE_NOOP("rooms", "Lab"),
             .showsOperators = false,
             .general = false,
             .make = make<LabRoom>},
    RoomInfo{.id = "files",
             .title = QT_TRANSLATE_NOOP("rooms", "Files"),
             .showsOperators = false,
             .general = true,
             .make = make<FilesRoom>},
    RoomInfo{.id = "runs",
             .title = QT_TRANSLATE_NOOP("rooms", "Runs"),
             .showsOperators = false,
             .general = false,
             .make = make<RunsRoom>},
};

}  // namespace

std::span<const RoomInfo> rooms() {
    return list;
}

}  // namespace et::studio

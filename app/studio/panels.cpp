#include "app/studio/panels.h"

#include "app/studio/compare/compare_panel.h"
#include "app/studio/debug/debug_panel.h"
#include "app/studio/delegates/delegates_panel.h"
#include "app/studio/events/events_panel.h"
#include "app/studio/files/files_panel.h"
#include "app/studio/flame/flame_panel.h"
#include "app/studio/gap/gap_panel.h"
#include "app/studio/generate/generate_panel.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/lab/lab_panel.h"
#include "app/studio/memory/memory_panel.h"
#include "app/studio/notes/notes_panel.h"
#include "app/studio/outline/outline_panel.h"
#include "app/studio/overview/overview_panel.h"
#include "app/studio/range/range_panel.h"
#include "app/studio/roofline/roofline_panel.h"
#include "app/studio/run/run_panel.h"
#include "app/studio/runs/runs_panel.h"
#include "app/studio/shapes/shapes_panel.h"
#include "app/studio/size/size_panel.h"
#include "app/studio/source/source_panel.h"
#include "app/studio/sql/sql_panel.h"
#include "app/studio/tensors/tensors_panel.h"
#include "app/studio/timeline/timeline_panel.h"
#include "app/studio/trend/trend_panel.h"
#include "app/studio/verify/verify_panel.h"

#include <array>

namespace et::studio {

namespace {

template <class R>
Panel* make(const PanelContext& context, QWidget* parent) {
    return new R(context, parent);
}

constexpr std::array groups{
    PanelGroupInfo{PanelGroup::Time, "&Time"}, PanelGroupInfo{PanelGroup::Memory, "&Memory"},
    PanelGroupInfo{PanelGroup::Accuracy, "&Accuracy"}, PanelGroupInfo{PanelGroup::Structure, "&Structure"},
    PanelGroupInfo{PanelGroup::Run, "&Run"}};

constexpr std::array list{
    PanelInfo{.id = "overview",
              .title = "Overview",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<OverviewPanel>},
    PanelInfo{.id = "events",
              .title = "Events",
              .group = PanelGroup::Time,
              .showsOperators = true,
              .general = false,
              .make = make<EventsPanel>},
    PanelInfo{.id = "timeline",
              .title = "Timeline",
              .group = PanelGroup::Time,
              .showsOperators = true,
              .general = false,
              .make = make<TimelinePanel>},
    PanelInfo{.id = "graph",
              .title = "Graph",
              .group = PanelGroup::Structure,
              .showsOperators = true,
              .general = true,
              .make = make<GraphPanel>},
    PanelInfo{.id = "memory",
              .title = "Memory",
              .group = PanelGroup::Memory,
              .showsOperators = false,
              .general = true,
              .make = make<MemoryPanel>},
    PanelInfo{.id = "delegates",
              .title = "Delegates",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<DelegatesPanel>},
    PanelInfo{.id = "source",
              .title = "Source",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<SourcePanel>},
    PanelInfo{.id = "verify",
              .title = "Verify",
              .group = PanelGroup::Accuracy,
              .showsOperators = false,
              .general = false,
              .make = make<VerifyPanel>},
    PanelInfo{.id = "compare",
              .title = "Compare",
              .group = PanelGroup::Time,
              .showsOperators = false,
              .general = false,
              .make = make<ComparePanel>},
    PanelInfo{.id = "gap",
              .title = "Operator Errors",
              .group = PanelGroup::Accuracy,
              .showsOperators = false,
              .general = false,
              .make = make<GapPanel>},
    PanelInfo{.id = "run",
              .title = "Run",
              .group = PanelGroup::Run,
              .showsOperators = false,
              .general = false,
              .make = make<RunPanel>},
    PanelInfo{.id = "generate",
              .title = "Generate",
              .group = PanelGroup::Run,
              .showsOperators = false,
              .general = false,
              .make = make<GeneratePanel>},
    PanelInfo{.id = "sql",
              .title = "SQL",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<SqlPanel>},
    PanelInfo{.id = "notes",
              .title = "Notes",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<NotesPanel>},
    PanelInfo{.id = "flame",
              .title = "Flame Graph",
              .group = PanelGroup::Time,
              .showsOperators = true,
              .general = false,
              .make = make<FlamePanel>},
    PanelInfo{.id = "outline",
              .title = "Model",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = false,
              .make = make<OutlinePanel>},
    PanelInfo{.id = "inspector",
              .title = "Inspector",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<InspectorPanel>},
    PanelInfo{.id = "tensors",
              .title = "Tensors",
              .group = PanelGroup::Memory,
              .showsOperators = false,
              .general = true,
              .make = make<TensorsPanel>},
    PanelInfo{.id = "size",
              .title = "Size",
              .group = PanelGroup::Memory,
              .showsOperators = false,
              .general = true,
              .make = make<SizePanel>},
    PanelInfo{.id = "roofline",
              .title = "Roofline",
              .group = PanelGroup::Time,
              .showsOperators = false,
              .general = false,
              .make = make<RooflinePanel>},
    PanelInfo{.id = "shapes",
              .title = "Shapes",
              .group = PanelGroup::Run,
              .showsOperators = false,
              .general = false,
              .make = make<ShapesPanel>},
    PanelInfo{.id = "trend",
              .title = "Trend",
              .group = PanelGroup::Time,
              .showsOperators = false,
              .general = false,
              .make = make<TrendPanel>},
    PanelInfo{.id = "lab",
              .title = "Quantize",
              .group = PanelGroup::Accuracy,
              .showsOperators = false,
              .general = false,
              .make = make<LabPanel>},
    PanelInfo{.id = "debug",
              .title = "Debug",
              .group = PanelGroup::Run,
              .showsOperators = false,
              .general = true,
              .make = make<DebugPanel>},
    PanelInfo{.id = "files",
              .title = "Files",
              .group = PanelGroup::Structure,
              .showsOperators = false,
              .general = true,
              .make = make<FilesPanel>},
    PanelInfo{.id = "runs",
              .title = "Runs",
              .group = PanelGroup::Time,
              .showsOperators = false,
              .general = false,
              .make = make<RunsPanel>},
    PanelInfo{.id = "range",
              .title = "Range",
              .group = PanelGroup::Time,
              .showsOperators = false,
              .general = false,
              .make = make<RangePanel>},
};

}  // namespace

std::span<const PanelGroupInfo> panelGroups() {
    return groups;
}

std::span<const PanelInfo> panels() {
    return list;
}

}  // namespace et::studio

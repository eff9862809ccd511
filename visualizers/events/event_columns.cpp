#include "visualizers/events/event_columns.h"

#include <algorithm>
#include <array>

namespace et::visualizers {
namespace {

using inspector::report::EventColumnRule;
using ColumnTraits = EventModel::ColumnTraits;

/// In the order of EventModel::Column.
constexpr std::array<ColumnTraits, EventModel::columnTotal> eventColumns{{
    {EventModel::Name, "event_name", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Event")},
    {EventModel::Share, "share", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Share")},
    {EventModel::P50, "p50", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "p50")},
    {EventModel::Average, "avg", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Average")},
    {EventModel::Minimum, "min", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Shortest")},
    {EventModel::Maximum, "max", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Longest")},
    {EventModel::OpTypes, "op_types", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Operators")},
    {EventModel::Module, "module", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Module")},
    {EventModel::P10, "p10", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "p10")},
    {EventModel::P90, "p90", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "p90")},
    {EventModel::Outliers, "outliers", true, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Outliers")},
    {EventModel::Backend, "delegate_backend_name", true,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Delegate")},
    {EventModel::SelfShare, "self_share", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Own share")},
    {EventModel::Total, "total", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Total")},
    {EventModel::SelfTime, "self", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Own time")},
    {EventModel::Count, "count", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Samples")},
    {EventModel::Source, "source", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Source")},
    {EventModel::Delegated, "is_delegated_op", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Delegated")},
    {EventModel::Block, "event_block_name", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Phase")},
    {EventModel::Method, "method", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Method")},
    {EventModel::Instruction, "instruction_id", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Instruction")},
    {EventModel::Chain, "chain", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Chain")},
    {EventModel::DelegateId, "delegate_debug_identifier", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Delegate id")},
    {EventModel::DebugHandles, "debug_handles", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Debug handles")},
    {EventModel::HandleSource, "handle_source", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Handles from")},
    {EventModel::Outputs, "num_outputs", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Outputs")},
    {EventModel::StartTime, "start_time", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Start")},
    {EventModel::Samples, "raw", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "All samples")},
    {EventModel::StackTraces, "stack_traces", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Python stacks")},
    {EventModel::ModuleHierarchy, "module_hierarchy", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Modules")},
    {EventModel::Metadata, "delegate_metadata", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Delegate metadata")},
    {EventModel::MetadataHex, "delegate_metadata_hex", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Metadata in hexadecimal")},
    {EventModel::MetadataDecoded, "delegate_metadata_decoded", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Metadata decoded")},
    {EventModel::Cycles, "cycles", false, QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Cycles")},
    {EventModel::Instructions, "instructions", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Processor instructions")},
    {EventModel::CacheMisses, "cache_misses", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Cache misses")},
    {EventModel::BranchMisses, "branch_misses", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Branch misses")},
    {EventModel::PageFaults, "page_faults", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Page faults")},
    {EventModel::ContextSwitches, "context_switches", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Context switches")},
    {EventModel::Migrations, "migrations", false,
     QT_TRANSLATE_NOOP("et::visualizers::EventModel", "Migrations")},
}};

}  // namespace

const EventModel::ColumnTraits& eventColumnTraits(EventModel::Column column) {
    return eventColumns[static_cast<std::size_t>(column)];
}

const EventColumnRule& eventColumnRule(EventModel::Column column) {
    static const auto rules = [] {
        std::array<const EventColumnRule*, EventModel::columnTotal> found{};
        std::ranges::transform(eventColumns, found.begin(), [](const ColumnTraits& info) {
            return inspector::report::findEventColumn(info.id);
        });
        return found;
    }();
    return *rules[static_cast<std::size_t>(column)];
}

}  // namespace et::visualizers

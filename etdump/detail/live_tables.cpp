#include "etdump/detail/live_tables.h"

#include "etdump/schema/etdump_generated.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace et::etdump::detail {
namespace {

/// A field, as the generated code names it, and its position in the table.
struct LiveField {
    flatbuffers::voffset_t slot;
    std::size_t at;
};

/// Layout of a kind of table: size and fields.
struct LiveTableLayout {
    LiveTable kind;
    std::size_t bytes;
    std::vector<LiveField> fields;
};

constexpr std::size_t rootBytes = 8;
constexpr std::size_t rootRunsAt = 4;
constexpr std::size_t prefixedRootAt = 4;

std::vector<LiveField> fieldsOfProfile() {
    return {{fb::ProfileEvent::VT_NAME, LiveProfile::nameAt},
            {fb::ProfileEvent::VT_CHAIN_INDEX, LiveProfile::chainAt},
            {fb::ProfileEvent::VT_INSTRUCTION_ID, LiveProfile::instructionAt},
            {fb::ProfileEvent::VT_DELEGATE_DEBUG_ID_INT, LiveProfile::delegateIntAt},
            {fb::ProfileEvent::VT_DELEGATE_DEBUG_ID_STR, LiveProfile::delegateTextAt},
            {fb::ProfileEvent::VT_START_TIME, LiveProfile::startAt},
            {fb::ProfileEvent::VT_END_TIME, LiveProfile::endAt}};
}

std::vector<LiveField> with(std::vector<LiveField> fields, LiveField another) {
    fields.push_back(another);
    return fields;
}

std::vector<LiveTableLayout> layouts() {
    const std::vector<LiveField> run{{fb::RunData::VT_NAME, LiveRun::nameAt},
                                     {fb::RunData::VT_EVENTS, LiveRun::eventsAt}};
    return {
        {LiveTable::ProfileEvent, LiveEvent::bytes, {{fb::Event::VT_PROFILE_EVENT, LiveEvent::partAt}}},
        {LiveTable::DebugEvent, LiveEvent::bytes, {{fb::Event::VT_DEBUG_EVENT, LiveEvent::partAt}}},
        {LiveTable::AllocationEvent, LiveEvent::bytes, {{fb::Event::VT_ALLOCATION_EVENT, LiveEvent::partAt}}},
        {LiveTable::Profile, LiveProfile::bytes, fieldsOfProfile()},
        {LiveTable::ProfileOfDelegate, LiveProfile::bytesWithMetadata,
         with(fieldsOfProfile(), {fb::ProfileEvent::VT_DELEGATE_DEBUG_METADATA, LiveProfile::metadataAt})},
        {LiveTable::Debug,
         LiveDebug::bytes,
         {{fb::DebugEvent::VT_CHAIN_INDEX, LiveDebug::chainAt},
          {fb::DebugEvent::VT_INSTRUCTION_ID, LiveDebug::instructionAt},
          {fb::DebugEvent::VT_DEBUG_ENTRY, LiveDebug::valueAt},
          {fb::DebugEvent::VT_DELEGATE_DEBUG_ID_INT, LiveDebug::delegateIntAt},
          {fb::DebugEvent::VT_DELEGATE_DEBUG_ID_STR, LiveDebug::delegateTextAt},
          {fb::DebugEvent::VT_NAME, LiveDebug::nameAt}}},
        {LiveTable::Allocation,
         LiveAllocation::bytes,
         {{fb::AllocationEvent::VT_ALLOCATOR_ID, LiveAllocation::allocatorAt},
          {fb::AllocationEvent::VT_ALLOCATION_SIZE, LiveAllocation::sizeAt}}},
        {LiveTable::Run, LiveRun::bytes, run},
        {LiveTable::RunWithAllocators, LiveRun::bytes,
         with(run, {fb::RunData::VT_ALLOCATORS, LiveRun::allocatorsAt})},
        {LiveTable::Allocator, LiveAllocator::bytes, {{fb::Allocator::VT_NAME, LiveAllocator::nameAt}}},
        {LiveTable::Root, rootBytes, {{fb::ETDump::VT_RUN_DATA, rootRunsAt}}},
    };
}

/// The vtable: its own size, the table's size, and the position of each field by slot; 0 means absent.
std::vector<flatbuffers::voffset_t> makeVtable(const LiveTableLayout& layout) {
    constexpr std::size_t each = sizeof(flatbuffers::voffset_t);
    const auto last = std::ranges::max(layout.fields, {}, &LiveField::slot).slot;
    std::vector<flatbuffers::voffset_t> vtable(last / each + 1);
    vtable[0] = static_cast<flatbuffers::voffset_t>(vtable.size() * each);
    vtable[1] = static_cast<flatbuffers::voffset_t>(layout.bytes);
    for (const LiveField& field : layout.fields) {
        vtable[field.slot / each] = static_cast<flatbuffers::voffset_t>(field.at);
    }
    return vtable;
}

}  // namespace

LiveHead::LiveHead() {
    const auto add = [&]<class Scalar>(Scalar value) {
        content.resize(content.size() + sizeof(Scalar));
        flatbuffers::WriteScalar(content.data() + content.size() - sizeof(Scalar), value);
    };
    const auto align = [&](std::size_t to) { content.resize((content.size() + to - 1) / to * to); };
    content.resize(prefixedRootAt + sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength);
    std::memcpy(content.data() + prefixedRootAt + sizeof(flatbuffers::uoffset_t), fb::ETDumpIdentifier(),
                flatbuffers::kFileIdentifierLength);
    for (const LiveTableLayout& layout : layouts()) {
        vtables[static_cast<std::size_t>(layout.kind)] = static_cast<std::uint32_t>(content.size());
        for (const flatbuffers::voffset_t entry : makeVtable(layout)) {
            add(entry);
        }
    }
    align(sizeof(flatbuffers::uoffset_t));
    const std::size_t root = content.size();
    flatbuffers::WriteScalar(content.data() + prefixedRootAt,
                             static_cast<flatbuffers::uoffset_t>(root - prefixedRootAt));
    add(static_cast<flatbuffers::soffset_t>(root - vtable(LiveTable::Root)));
    add(flatbuffers::uoffset_t{rootBytes - rootRunsAt});  // to the data that follows
    add(flatbuffers::uoffset_t{0});
    flatbuffers::WriteScalar(
        content.data(), static_cast<flatbuffers::uoffset_t>(content.size() - sizeof(flatbuffers::uoffset_t)));
}

}  // namespace et::etdump::detail

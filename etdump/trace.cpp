#include "etdump/trace.h"

#include "etdump/detail/content_budget.h"
#include "etdump/detail/debug_value.h"
#include "etdump/detail/name_table.h"
#include "etdump/schema/etdump_generated.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/memory_pages.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace et::etdump {
namespace {

using detail::ContentBudget;
using detail::decodeValue;
using detail::NameTable;

/// The delegate metadata of one event, stored in the file.
struct EventMetadata {
    EventIndex event = 0;
    core::Bytes bytes;
};

/// Data of a Trace.
struct TraceData {
    std::shared_ptr<const core::MappedFile> file;
    std::uint32_t version = 0;
    std::vector<Run> runs;
    EventColumns events;
    std::vector<std::string_view> names;  ///< by NameId
    std::vector<DebugValue> debugValues;  ///< indexed by EventColumns::start of Debug events
    std::vector<EventMetadata> metadata;  ///< ascending by event; events without metadata are omitted
};

template <class T>
using TableVector = flatbuffers::Vector<flatbuffers::Offset<T>>;

/// Position of an ETDump's flatbuffer in its file.
struct Layout {
    core::Bytes bytes;            ///< from the first byte of the file; all that offsets may reference
    std::uint32_t rootField = 0;  ///< position of the root's offset: 4 after a size prefix, else 0
};

constexpr std::size_t identifierSize = flatbuffers::kFileIdentifierLength;
constexpr std::size_t prefixSize = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t plainIdentifierAt = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t prefixedIdentifierAt = prefixSize + plainIdentifierAt;

/// The four characters at `offset`, or fewer at the end of the file.
std::string_view textAt(core::Bytes file, std::size_t offset) {
    if (offset >= file.size()) {
        return {};
    }
    const core::Bytes rest = file.subspan(offset);
    return {reinterpret_cast<const char*>(rest.data()), std::min(rest.size(), identifierSize)};
}

/// The flatbuffer after a size prefix, which must not exceed the file.
core::Result<Layout> locatePrefixed(core::Bytes file) {
    constexpr std::string_view field = "size prefix";
    core::ByteReader reader(file);
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>(field));
    if (size > reader.remaining()) {
        return core::fail(
            core::ErrorCode::Format,
            fmt::format("expected at most the {} bytes that follow, got {}: the file is truncated",
                        reader.remaining(), size),
            {.file = {}, .field = std::string(field), .offset = 0});
    }
    return Layout{.bytes = file.first(prefixSize + size), .rootField = prefixSize};
}

/// Finds the flatbuffer: after a u32 size prefix (identifier at byte 8), or plain (identifier at byte 4).
/// Bytes after a prefixed flatbuffer are ignored; a device that saves its whole buffer writes some. Errors:
/// Format (empty, cut short, no ETDump), Limit (2 GiB or more, which no flatbuffer can address).
core::Result<Layout> locate(core::Bytes file) {
    if (file.empty()) {
        return core::fail(core::ErrorCode::Format, "expected an ETDump, got an empty file");
    }
    if (file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
        return core::fail(core::ErrorCode::Limit, fmt::format("expected less than {} bytes, got {}",
                                                              FLATBUFFERS_MAX_BUFFER_SIZE, file.size()));
    }
    // Check the plain layout first: in it, the bytes that the other layout would read as a root offset are
    // the identifier.
    const std::string_view identifier = fb::ETDumpIdentifier();
    if (textAt(file, plainIdentifierAt) == identifier) {
        return Layout{.bytes = file, .rootField = 0};
    }
    if (textAt(file, prefixedIdentifierAt) == identifier) {
        return locatePrefixed(file);
    }
    return core::fail(
        core::ErrorCode::Format,
        fmt::format("expected \"{}\" here (or at offset {} of a plain flatbuffer), got \"{}\" (and \"{}\")",
                    identifier, plainIdentifierAt, textAt(file, prefixedIdentifierAt),
                    textAt(file, plainIdentifierAt)),
        {.file = {}, .field = "identifier", .offset = prefixedIdentifierAt});
}

/// Events between two releases of mapped pages already read.
constexpr std::size_t eventsPerRelease = std::size_t{1} << 16;

/// Maximum nesting of tables below the root: run, event, debug event, value, list, tensor.
constexpr flatbuffers::uoffset_t deepest = 16;

/// A table takes at least four bytes, and its reference another four. A flatbuffer may reference one table
/// many times, but no trace writer does; a file that exceeds this limit is malicious.
constexpr flatbuffers::uoffset_t maxTables(std::size_t fileBytes) {
    return static_cast<flatbuffers::uoffset_t>(fileBytes / 8);
}

flatbuffers::Verifier::Options verifierOptions(std::size_t fileBytes) {
    flatbuffers::Verifier::Options options;
    options.max_depth = deepest;
    options.max_tables = maxTables(fileBytes);
    return options;
}

std::unexpected<core::Error> damaged(std::string field, std::uint64_t offset, std::string_view expected) {
    return core::fail(core::ErrorCode::Format,
                      fmt::format("expected {}, got offsets or sizes that do not fit the file", expected),
                      {.file = {}, .field = std::move(field), .offset = offset});
}

/// A run and its number of events. The trace of a running program grows (live_trace.h), so the count is read
/// only once.
struct CountedRun {
    const fb::RunData* run;
    flatbuffers::uoffset_t events;
};

/// Reads one file. The generated verifier would scan the whole file before the first event is read; here each
/// event is verified right before it becomes a row, while its bytes are cached and its pages mapped.
class TraceBuilder {
  public:
    TraceBuilder(std::shared_ptr<const core::MappedFile> file, Layout fileLayout)
        : layout(fileLayout),
          base(reinterpret_cast<const std::uint8_t*>(layout.bytes.data())),
          verifier(base, layout.bytes.size(), verifierOptions(layout.bytes.size())),
          budget(layout.bytes.size()),
          names(budget) {
        data.file = std::move(file);
    }

    core::Result<TraceData> build() {
        ET_ASSIGN(const std::vector<CountedRun> runs, verifiedRuns());
        ET_TRY(reserveRows(runs));
        for (std::size_t index = 0; index < runs.size(); ++index) {
            ET_TRY(addRun(runs[index], index));
        }
        data.names = std::move(names).take();
        return std::move(data);
    }

  private:
    core::Result<std::vector<CountedRun>> verifiedRuns();
    core::Result<> reserveRows(const std::vector<CountedRun>& runs);
    core::Result<> addRun(const CountedRun& counted, std::size_t index);
    core::Result<> addEvents(const CountedRun& counted, std::size_t run);
    void addRows(const fb::Event& event);
    void addProfile(const fb::ProfileEvent& event);
    void addDebug(const fb::DebugEvent& event);
    void addAllocation(const fb::AllocationEvent& event);

    bool verifyRoot(const fb::ETDump& root);
    bool verifyRun(const fb::RunData& run);
    NameId intern(const flatbuffers::String* text);
    void releasePages();

    std::uint64_t offsetOf(const void* part) const {
        return static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(part) - base);
    }
    template <class T>
    std::uint64_t offsetOf(const TableVector<T>& tables, flatbuffers::uoffset_t index) const {
        return offsetOf(tables.Data()) + index * sizeof(flatbuffers::uoffset_t);
    }
    /// The table that an element references; null if it is outside the file.
    template <class T>
    const T* tableAt(const TableVector<T>& tables, flatbuffers::uoffset_t index) const {
        const bool inside = verifier.VerifyOffset<flatbuffers::uoffset_t>(offsetOf(tables, index)) != 0;
        return inside ? tables.Get(index) : nullptr;
    }
    /// Fails if the names and values read so far exceed the budget.
    core::Result<> checkBudget(const std::string& field, const void* place) const {
        if (!budget.exceeded()) {
            return {};
        }
        return core::fail(core::ErrorCode::Limit,
                          "strings and tensors overlap: reading them would cost many times the file size",
                          {.file = {}, .field = field, .offset = offsetOf(place)});
    }

    Layout layout;
    const std::uint8_t* base;
    flatbuffers::Verifier verifier;
    ContentBudget budget;
    NameTable names;
    TraceData data;
    std::size_t eventsSinceRelease = 0;
};

/// Access to the checks common to all tables, which the generated classes inherit privately.
template <class T>
const flatbuffers::Table& plain(const T& table) {
    return reinterpret_cast<const flatbuffers::Table&>(table);
}

bool TraceBuilder::verifyRoot(const fb::ETDump& root) {
    const flatbuffers::Table& table = plain(root);
    return table.VerifyTableStart(verifier) &&
           table.VerifyField<std::uint32_t>(verifier, fb::ETDump::VT_VERSION, 4) &&
           table.VerifyOffset(verifier, fb::ETDump::VT_RUN_DATA) && verifier.VerifyVector(root.run_data());
}

bool TraceBuilder::verifyRun(const fb::RunData& run) {
    const flatbuffers::Table& table = plain(run);
    return table.VerifyTableStart(verifier) && table.VerifyOffset(verifier, fb::RunData::VT_NAME) &&
           verifier.VerifyString(run.name()) &&
           table.VerifyField<std::int32_t>(verifier, fb::RunData::VT_BUNDLED_INPUT_INDEX, 4) &&
           table.VerifyOffset(verifier, fb::RunData::VT_ALLOCATORS) &&
           verifier.VerifyVector(run.allocators()) && verifier.VerifyVectorOfTables(run.allocators()) &&
           table.VerifyOffset(verifier, fb::RunData::VT_EVENTS) && verifier.VerifyVector(run.events()) &&
           verifier.EndTable();
}

/// All runs, verified except for their events.
core::Result<std::vector<CountedRun>> TraceBuilder::verifiedRuns() {
    const auto toRoot = verifier.VerifyOffset<flatbuffers::uoffset_t>(layout.rootField);
    if (toRoot == 0) {
        return damaged("root offset", layout.rootField, "the offset of the root table");
    }
    const std::size_t rootAt = layout.rootField + toRoot;
    const auto& root = *reinterpret_cast<const fb::ETDump*>(base + rootAt);
    if (!verifyRoot(root)) {
        return damaged("root", rootAt, "a root table with a list of runs");
    }
    data.version = root.version();
    std::vector<CountedRun> runs;
    const flatbuffers::uoffset_t count = root.run_data() != nullptr ? root.run_data()->size() : 0;
    for (flatbuffers::uoffset_t i = 0; i < count; ++i) {
        const fb::RunData* run = tableAt(*root.run_data(), i);
        if (run == nullptr || !verifyRun(*run)) {
            return damaged(fmt::format("run_data[{}]", i),
                           run != nullptr ? offsetOf(run) : offsetOf(*root.run_data(), i), "a run");
        }
        runs.push_back({.run = run, .events = run->events() != nullptr ? run->events()->size() : 0});
    }
    return runs;
}

/// Reserves one row per event, because incremental growth would double the peak memory.
core::Result<> TraceBuilder::reserveRows(const std::vector<CountedRun>& runs) {
    std::uint64_t count = 0;
    for (const CountedRun& counted : runs) {
        count += counted.events;
    }
    if (count > maxTables(layout.bytes.size())) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("expected at most {} events in a file of {} bytes, got {}",
                                      maxTables(layout.bytes.size()), layout.bytes.size(), count),
                          {.file = {}, .field = "run_data", .offset = {}});
    }
    EventColumns& events = data.events;
    const auto reserve = [&](auto&... columns) { (core::reserveHuge(columns, count), ...); };
    reserve(events.kind, events.name, events.instruction, events.chain, events.delegateInt,
            events.delegateString, events.start, events.end);
    data.runs.reserve(runs.size());
    return {};
}

core::Result<> TraceBuilder::addRun(const CountedRun& counted, std::size_t index) {
    const fb::RunData& run = *counted.run;
    Run& added = data.runs.emplace_back();
    added.name = intern(run.name());
    added.bundledInputIndex = run.bundled_input_index();
    if (run.allocators() != nullptr) {
        for (const fb::Allocator* allocator : *run.allocators()) {
            added.allocators.push_back(intern(allocator->name()));
        }
    }
    ET_TRY(checkBudget(fmt::format("run_data[{}]", index), &run));
    added.firstEvent = static_cast<EventIndex>(data.events.kind.size());
    added.hasEvents = run.events() != nullptr;
    if (added.hasEvents) {
        ET_TRY(addEvents(counted, index));
    }
    added.eventCount = static_cast<EventIndex>(data.events.kind.size()) - added.firstEvent;
    return {};
}

core::Result<> TraceBuilder::addEvents(const CountedRun& counted, std::size_t run) {
    const TableVector<fb::Event>& events = *counted.run->events();
    const auto field = [&](flatbuffers::uoffset_t i) {
        return fmt::format("run_data[{}].events[{}]", run, i);
    };
    for (flatbuffers::uoffset_t i = 0; i < counted.events; ++i) {
        const fb::Event* event = tableAt(events, i);
        if (event == nullptr || !event->Verify(verifier)) {
            return damaged(field(i), event != nullptr ? offsetOf(event) : offsetOf(events, i), "an event");
        }
        addRows(*event);
        if (budget.exceeded()) {
            return checkBudget(field(i), event);
        }
        releasePages();
    }
    return {};
}

/// An event normally has one content; an event with several gets one row for each, and one without content
/// gets none.
void TraceBuilder::addRows(const fb::Event& event) {
    if (event.profile_event() != nullptr) {
        addProfile(*event.profile_event());
    }
    if (event.debug_event() != nullptr) {
        addDebug(*event.debug_event());
    }
    if (event.allocation_event() != nullptr) {
        addAllocation(*event.allocation_event());
    }
}

void TraceBuilder::addProfile(const fb::ProfileEvent& event) {
    EventColumns& events = data.events;
    const flatbuffers::Vector<std::uint8_t>* metadata = event.delegate_debug_metadata();
    if (metadata != nullptr && metadata->size() > 0) {
        data.metadata.push_back({.event = static_cast<EventIndex>(events.kind.size()),
                                 .bytes = std::as_bytes(std::span(metadata->data(), metadata->size()))});
    }
    events.kind.push_back(EventKind::Profile);
    events.name.push_back(intern(event.name()));
    events.instruction.push_back(event.instruction_id());
    events.chain.push_back(event.chain_index());
    events.delegateInt.push_back(event.delegate_debug_id_int());
    events.delegateString.push_back(intern(event.delegate_debug_id_str()));
    events.start.push_back(event.start_time());
    events.end.push_back(event.end_time());
}

void TraceBuilder::addDebug(const fb::DebugEvent& event) {
    EventColumns& events = data.events;
    events.kind.push_back(EventKind::Debug);
    events.name.push_back(intern(event.name()));
    events.instruction.push_back(event.instruction_id());
    events.chain.push_back(static_cast<std::int64_t>(event.chain_index()));
    events.delegateInt.push_back(event.delegate_debug_id_int());
    events.delegateString.push_back(intern(event.delegate_debug_id_str()));
    events.start.push_back(data.debugValues.size());
    events.end.push_back(0);
    data.debugValues.push_back(decodeValue(event.debug_entry(), budget));
}

void TraceBuilder::addAllocation(const fb::AllocationEvent& event) {
    EventColumns& events = data.events;
    events.kind.push_back(EventKind::Allocation);
    events.name.push_back(noName);
    events.instruction.push_back(-1);
    events.chain.push_back(-1);
    events.delegateInt.push_back(-1);
    events.delegateString.push_back(noName);
    events.start.push_back(static_cast<std::uint64_t>(event.allocator_id()));
    events.end.push_back(event.allocation_size());
}

NameId TraceBuilder::intern(const flatbuffers::String* text) {
    return text != nullptr ? names.intern(text->string_view()) : noName;
}

/// Periodically releases the pages of the mapped file. Writers lay out events from either end, so all pages
/// are released; those still needed come back at the cost of a soft page fault.
void TraceBuilder::releasePages() {
    if (++eventsSinceRelease == eventsPerRelease) {
        eventsSinceRelease = 0;
        data.file->release(0, layout.bytes.size());
    }
}

/// Verifies the file and converts it to columns, in one pass over the events. Errors: as Trace::parse,
/// without the file's name.
core::Result<TraceData> buildTrace(std::shared_ptr<const core::MappedFile> file) {
    ET_ASSIGN(const Layout layout, locate(file->bytes()));
    return TraceBuilder(std::move(file), layout).build();
}

}  // namespace

struct Trace::Impl : TraceData {};

NameId Run::allocatorName(std::uint64_t allocatorId) const {
    // Id 0 wraps around to the largest index, which no run has.
    const std::uint64_t index = allocatorId - 1;
    return index < allocators.size() ? allocators[index] : noName;
}

core::Result<std::shared_ptr<const Trace>> Trace::open(const std::filesystem::path& path) {
    ET_ASSIGN(std::shared_ptr<const core::MappedFile> file, core::openOfKind(path, core::FileKind::Trace));
    return parse(std::move(file));
}

core::Result<std::shared_ptr<const Trace>> Trace::parse(std::shared_ptr<const core::MappedFile> file) {
    auto data = buildTrace(file);
    if (!data) {
        return std::unexpected(std::move(data).error().in(file->name()));
    }
    return std::shared_ptr<const Trace>(new Trace(std::make_unique<Impl>(Impl{std::move(*data)})));
}

std::shared_ptr<const Trace> Trace::withTimes(std::vector<std::uint64_t> start,
                                              std::vector<std::uint64_t> end) const {
    auto changed = std::make_unique<Impl>(*impl);
    changed->events.start = std::move(start);
    changed->events.end = std::move(end);
    return std::shared_ptr<const Trace>(new Trace(std::move(changed)));
}

Trace::Trace(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
Trace::~Trace() = default;

std::uint32_t Trace::version() const {
    return impl->version;
}

const core::MappedFile& Trace::file() const {
    return *impl->file;
}

std::span<const Run> Trace::runs() const {
    return impl->runs;
}

const Run& Trace::runOf(EventIndex event) const {
    return *(std::ranges::upper_bound(impl->runs, event, {}, &Run::firstEvent) - 1);
}

std::size_t Trace::eventCount() const {
    return impl->events.kind.size();
}

const EventColumns& Trace::events() const {
    return impl->events;
}

std::string_view Trace::text(NameId id) const {
    return id.value < impl->names.size() ? impl->names[id.value] : std::string_view();
}

std::size_t Trace::nameCount() const {
    return impl->names.size();
}

core::Bytes Trace::metadata(EventIndex event) const {
    const auto found = std::ranges::lower_bound(impl->metadata, event, {}, &EventMetadata::event);
    return found != impl->metadata.end() && found->event == event ? found->bytes : core::Bytes();
}

const DebugValue& Trace::debugValue(EventIndex event) const {
    return impl->debugValues[impl->events.start[event]];
}

std::optional<std::uint64_t> elapsedTicks(std::uint64_t start, std::uint64_t end) {
    if (end >= start) {
        return end - start;
    }
    if (start > std::numeric_limits<std::uint32_t>::max()) {
        return std::nullopt;
    }
    return end + (std::uint64_t{1} << 32) - start;
}

}  // namespace et::etdump

#include "inspector/events/chrome_trace.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/slices.h"
#include "inspector/format/json_text.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <vector>

namespace et::inspector::events {
namespace {

constexpr std::int64_t process = 1;
constexpr std::uint32_t noRow = std::numeric_limits<std::uint32_t>::max();

struct TraceRow {
    const Block* block;
    const Event* event;
};

/// Two tracks of consecutive runs: the method's own events, and below them the delegates'. Runs with
/// overlapping times (a clock that was set back) get separate lanes.
struct Lane {
    std::uint64_t end = 0;
};
constexpr std::size_t maxLanes = 64;

std::int64_t mainTrack(std::size_t lane) {
    return static_cast<std::int64_t>(2 * lane + 1);
}

/// A slice to write.
struct ShownSlice {
    std::string name;
    std::string_view category;
    std::int64_t track;
    std::uint64_t start, end;  ///< ticks
    bool crosses;              ///< crosses another slice of its track
    format::Dict arguments;
};

/// Adds the first items of a list, and the total count if there are more.
void addShortList(format::Dict& out, const std::string& key, format::List items) {
    constexpr std::size_t listed = 8;
    const std::size_t count = items.size();
    if (count == 0) {
        return;
    }
    items.resize(std::min(count, listed));
    out.emplace_back(key, std::move(items));
    if (count > listed) {
        out.emplace_back(key + "_total", static_cast<std::uint64_t>(count));
    }
}

/// Information about an event from the record; the same in all runs.
format::Dict describe(const TraceRow& row) {
    format::Dict out;
    addShortList(out, "op_types", opTypeCells(*row.block, *row.event));
    if (!names::detail::isFrameworkEvent(row.event->name)) {
        format::List handles;
        for (const core::DebugHandle handle : row.event->handles) {
            handles.emplace_back(handle.value);
        }
        addShortList(out, "debug_handles", std::move(handles));
    }
    addShortList(out, "source", sourceLines(*row.block, *row.event));
    if (format::Cell module = commonModule(*row.block, *row.event);
        !std::holds_alternative<std::monostate>(module)) {
        out.emplace_back("module", std::move(module));
    }
    if (!row.event->backend.empty()) {
        out.emplace_back("backend", std::string(row.event->backend));
    }
    return out;
}

class Exporter {
  public:
    Exporter(const EventBlocks& source, std::ostream& sink)
        : blocks(source), trace(source.trace()), stream(sink) {
        indexRows();
        origin = firstTick();
    }

    void write() {
        writeOpening();
        SliceReader reader(trace);
        for (std::size_t run = 0; run < trace.runs().size(); ++run) {
            writeRun(run, reader.next(trace.runs()[run]));
        }
        writeTrackNames();
        stream << "\n]}\n";
    }

  private:
    void indexRows();
    [[nodiscard]] std::uint64_t firstTick() const;
    void writeOpening();
    void writeRun(std::size_t number, const RunSlices& run);
    void writeShown(ShownSlice slice);
    [[nodiscard]] format::Dict runArguments(std::size_t number) const;
    void writeAllocations(const etdump::Run& run, const std::vector<AllocationMark>& marks);
    void writeTrackNames();
    void writeMetadata(std::string_view what, std::int64_t track, std::string_view key,
                       const format::Cell& value);
    [[nodiscard]] std::size_t laneFor(std::uint64_t start, std::uint64_t end);
    [[nodiscard]] format::Dict arguments(std::size_t run, const Slice& slice) const;
    [[nodiscard]] double microseconds(std::uint64_t ticks) const;
    [[nodiscard]] std::string nameOf(etdump::EventIndex event) const;
    void emit(const format::Dict& object);

    const EventBlocks& blocks;
    const etdump::Trace& trace;
    std::ostream& stream;
    std::vector<TraceRow> rows;
    std::vector<std::uint32_t> rowOf;  ///< by event; noRow for events without a row
    std::vector<Lane> lanes;
    std::uint64_t origin = 0;  ///< tick at time 0
    std::uint64_t nextId = 0;  ///< of asynchronous slices
    bool first = true;
    std::string line;  ///< reused
};

void Exporter::indexRows() {
    rowOf.assign(trace.eventCount(), noRow);
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            for (const etdump::EventIndex index : event.profileEvents) {
                rowOf[index] = static_cast<std::uint32_t>(rows.size());
            }
            rows.push_back({&block, &event});
        }
    }
}

std::uint64_t Exporter::firstTick() const {
    const etdump::EventColumns& columns = trace.events();
    std::uint64_t min = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < columns.kind.size(); ++i) {
        if (columns.kind[i] == etdump::EventKind::Profile) {
            min = std::min(min, columns.start[i]);
        }
    }
    return min == std::numeric_limits<std::uint64_t>::max() ? 0 : min;
}

double Exporter::microseconds(std::uint64_t ticks) const {
    const TimeScale scale = blocks.options().clock.unit;
    const auto count = static_cast<double>(ticks);
    return scale == TimeScale::Cycles ? count : count / ticksPerUnit(scale, TimeScale::Microseconds);
}

void Exporter::emit(const format::Dict& object) {
    line = first ? "\n" : ",\n";
    first = false;
    format::appendJson(line, object);
    stream << line;
}

void Exporter::writeOpening() {
    const TimeScale scale = blocks.options().clock.unit;
    format::Dict notes{{"producer", std::string("et-inspect")},
                       {"trace", trace.file().name()},
                       {"source_time_scale", std::string(traits(scale).name)},
                       {"origin_ticks", origin}};
    if (scale == TimeScale::Cycles) {
        notes.emplace_back("unit",
                           std::string("one displayed microsecond is one cycle of the trace's clock"));
    }
    core::JsonWriter opening;
    opening.beginObject();
    opening.member("displayTimeUnit", [&] { opening.string("ns"); });
    opening.member("otherData", [&] { format::writeJson(opening, notes); });
    opening.key("traceEvents");
    opening.beginArray();
    stream << opening.take();
    writeMetadata("process_name", 0, "name", "ExecuTorch: " + trace.file().name());
}

void Exporter::writeMetadata(std::string_view what, std::int64_t track, std::string_view key,
                             const format::Cell& value) {
    emit({{"ph", std::string("M")},
          {"pid", process},
          {"tid", track},
          {"name", std::string(what)},
          {"args", format::Dict{{std::string(key), value}}}});
}

void Exporter::writeTrackNames() {
    for (std::size_t lane = 0; lane < std::max<std::size_t>(1, lanes.size()); ++lane) {
        const std::string number = lane == 0 ? "" : fmt::format(" ({})", lane + 1);
        const std::int64_t track = mainTrack(lane);
        writeMetadata("thread_name", track, "name", "method" + number);
        writeMetadata("thread_sort_index", track, "sort_index", track);
        writeMetadata("thread_name", track + 1, "name", "delegate operators" + number);
        writeMetadata("thread_sort_index", track + 1, "sort_index", track + 1);
    }
}

std::size_t Exporter::laneFor(std::uint64_t start, std::uint64_t end) {
    std::size_t at = 0;
    while (at < lanes.size() && lanes[at].end > start) {
        ++at;
    }
    if (at == lanes.size() && at < maxLanes) {
        lanes.emplace_back();
    }
    if (at < lanes.size()) {
        lanes[at].end = end;
    }
    return at;
}

/// The event's name as in the table: the delegate's identifier if there is one.
std::string Exporter::nameOf(etdump::EventIndex event) const {
    const etdump::EventColumns& columns = trace.events();
    if (columns.delegateInt[event] != -1) {
        return fmt::format("{}", columns.delegateInt[event]);
    }
    const std::string_view identifier = trace.text(columns.delegateString[event]);
    return std::string(identifier.empty() ? trace.text(columns.name[event]) : identifier);
}

format::Dict Exporter::arguments(std::size_t run, const Slice& slice) const {
    const etdump::EventColumns& columns = trace.events();
    format::Dict out{{"run", static_cast<std::uint64_t>(run)},
                     {"instruction", std::int64_t{columns.instruction[slice.event]}},
                     {"chain", columns.chain[slice.event]}};
    if (slice.syntheticStart) {
        out.emplace_back("synthetic_start", true);
    }
    if (slice.overlaps) {
        out.emplace_back("overlaps", true);
    }
    if (const std::uint32_t row = rowOf[slice.event]; row != noRow) {
        std::ranges::move(describe(rows[row]), std::back_inserter(out));
    }
    return out;
}

void Exporter::writeRun(std::size_t number, const RunSlices& run) {
    std::uint64_t start = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = origin;
    for (const Slice& slice : run.slices) {
        start = std::min(start, slice.start);
        end = std::max(end, slice.end);
    }
    if (!run.slices.empty()) {
        const std::size_t lane = laneFor(start, end);
        const bool alone = lane < maxLanes;
        writeShown({.name = fmt::format("{} (run {})", trace.text(trace.runs()[number].name), number),
                    .category = "run",
                    .track = mainTrack(lane),
                    .start = start,
                    .end = end,
                    .crosses = !alone,
                    .arguments = runArguments(number)});
        for (const Slice& slice : run.slices) {
            writeShown({.name = nameOf(slice.event),
                        .category = slice.delegated ? "delegate" : "method",
                        .track = mainTrack(lane) + (slice.delegated ? 1 : 0),
                        .start = slice.start,
                        .end = slice.end,
                        .crosses = slice.overlaps || !alone,
                        .arguments = arguments(number, slice)});
        }
    }
    writeAllocations(trace.runs()[number], run.allocations);
}

format::Dict Exporter::runArguments(std::size_t number) const {
    const etdump::Run& run = trace.runs()[number];
    format::Dict out{{"run", static_cast<std::uint64_t>(number)}, {"events", std::uint64_t{run.eventCount}}};
    if (run.bundledInputIndex != -1) {
        out.emplace_back("bundled_input", std::int64_t{run.bundledInputIndex});
    }
    return out;
}

void Exporter::writeShown(ShownSlice slice) {
    format::Dict object{{"name", std::move(slice.name)},
                        {"cat", std::string(slice.category)},
                        {"pid", process},
                        {"tid", slice.track}};
    const auto with = [&](std::string_view phase, std::uint64_t at) {
        format::Dict event = object;
        event.emplace_back("ph", std::string(phase));
        event.emplace_back("ts", microseconds(at - origin));
        return event;
    };
    if (!slice.crosses) {
        format::Dict event = with("X", slice.start);
        event.emplace_back("dur", microseconds(slice.end - slice.start));
        event.emplace_back("args", std::move(slice.arguments));
        emit(event);
        return;
    }
    // Slices of a track must not cross; asynchronous ones are drawn below each other.
    object.emplace_back("id", nextId++);
    format::Dict event = with("b", slice.start);
    event.emplace_back("args", std::move(slice.arguments));
    emit(event);
    emit(with("e", slice.end));
}

void Exporter::writeAllocations(const etdump::Run& run, const std::vector<AllocationMark>& marks) {
    const etdump::EventColumns& columns = trace.events();
    std::map<std::uint64_t, double> totals;  // by allocator
    for (const AllocationMark& mark : marks) {
        const std::uint64_t allocator = columns.start[mark.event];
        const std::string_view name = trace.text(run.allocatorName(allocator));
        double& total = totals[allocator];
        total += static_cast<double>(columns.end[mark.event]);
        emit({{"ph", std::string("C")},
              {"pid", process},
              {"name",
               fmt::format("allocated by {}", name.empty() ? fmt::format("allocator {}", allocator) : name)},
              {"ts", microseconds(std::max(mark.at, origin) - origin)},
              {"args", format::Dict{{"bytes", total}}}});
    }
}

}  // namespace

core::Result<> writeChromeTrace(const EventBlocks& blocks, std::ostream& out) {
    Exporter(blocks, out).write();
    out.flush();
    if (!out) {
        return core::fail(core::ErrorCode::Io, "cannot write the trace");
    }
    return {};
}

}  // namespace et::inspector::events

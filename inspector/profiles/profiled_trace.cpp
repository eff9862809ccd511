#include "inspector/profiles/profiled_trace.h"

#include "etdump/writer.h"
#include "inspector/format/json_text.h"
#include "inspector/profiles/detail/call_places.h"
#include "inspector/profiles/detail/operator_list.h"
#include "runtime/core/event_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

using core::Result;
using etdump::EventIndex;
using etdump::EventKind;
using profiles::detail::CallPlace;
using profiles::detail::DelegatePlace;

constexpr std::string_view handlesColumn = "debug_handles";

/// A profile and the delegate call that it describes.
struct PlacedProfile {
    const VendorProfile* profile = nullptr;
    const DelegatePlace* place = nullptr;
    std::size_t samples = 0;  ///< calls written so far
};

/// The numbers of a column such as "[12, 13]"; empty if it has other text.
std::vector<core::DebugHandle> numbersIn(std::string_view text) {
    std::vector<core::DebugHandle> numbers;
    for (std::size_t at = 0; at < text.size();) {
        std::int64_t number = 0;
        const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
        if (read.ec == std::errc() && number >= 0) {
            numbers.emplace_back(number);
            at = static_cast<std::size_t>(read.ptr - text.data());
        } else if (std::string_view("[], ;").contains(text[at])) {
            ++at;
        } else {
            return {};
        }
    }
    return numbers;
}

/// Handles that the profile names itself, or those of the nodes named by the operator or its columns.
std::vector<core::DebugHandle> handlesOf(const ProfiledOperator& each,
                                         const profiles::detail::NamedNodes& nodes) {
    for (const std::string_view column : {handlesColumn, std::string_view("debug_handle")}) {
        if (const std::string* const text = profiles::detail::columnOf(each.columns, column)) {
            if (auto numbers = numbersIn(*text); !numbers.empty()) {
                return numbers;
            }
        }
    }
    std::vector<core::DebugHandle> handles = nodes.in(each.name);
    for (const auto& [column, text] : each.columns) {
        if (!handles.empty()) {
            break;
        }
        handles = nodes.in(text);
    }
    return handles;
}

std::string metadataText(const ProfileColumns& columns, const std::vector<core::DebugHandle>& handles) {
    format::Dict members;
    if (!handles.empty()) {
        format::List list;
        for (const core::DebugHandle handle : handles) {
            list.emplace_back(handle.value);
        }
        members.emplace_back(std::string(handlesColumn), std::move(list));
    }
    for (const auto& [name, text] : columns) {
        if (handles.empty() || name != handlesColumn) {
            members.emplace_back(name, text);
        }
    }
    std::string json;
    if (!members.empty()) {
        format::appendJson(json, format::Cell(std::move(members)));
    }
    return json;
}

core::Bytes bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// Adds the columns of profiles without times, such as the properties of layers, to a profile of the same
/// tool with times, and removes them.
void mergeProperties(std::vector<VendorProfile>& profiles) {
    const auto hasTimes = [](const VendorProfile& each) { return each.runs() > 0; };
    std::erase_if(profiles, [&](VendorProfile& properties) {
        if (hasTimes(properties)) {
            return false;
        }
        std::map<std::string_view, ProfiledOperator*> byName;
        for (ProfiledOperator& each : properties.operators) {
            byName.emplace(each.name, &each);
        }
        bool isUsed = false;
        for (VendorProfile& timed : profiles) {
            if (!hasTimes(timed) || timed.tool != properties.tool) {
                continue;
            }
            for (ProfiledOperator& each : timed.operators) {
                if (const auto found = byName.find(each.name); found != byName.end()) {
                    std::ranges::copy(found->second->columns, std::back_inserter(each.columns));
                    isUsed = true;
                }
            }
        }
        return isUsed;
    });
}

class ProfileWriter {
  public:
    ProfileWriter(const ProfiledModel& of, std::vector<DelegatePlace> known)
        : model(of),
          places(std::move(known)),
          ticksPerNanosecond(
              of.clock.unit == TimeScale::Cycles ? 1 : ticksPerUnit(of.clock.unit, TimeScale::Nanoseconds)) {}

    void place(const std::vector<VendorProfile>& profiles);
    Result<ProfiledTrace> write(std::string name);

  private:
    void copyRun(const etdump::Run& run);
    void copyEvent(EventIndex event, const etdump::Run& run);
    void writeRuns();
    double writeOperators(PlacedProfile& placed, std::uint64_t start, double call);
    [[nodiscard]] double timeOf(const PlacedProfile& placed, const ProfiledOperator& each, double call) const;
    [[nodiscard]] PlacedProfile* at(EventIndex event);
    [[nodiscard]] etdump::EventIds idsOf(EventIndex event) const;
    void warnOfUnit(const VendorProfile& profile);
    [[nodiscard]] std::optional<double> ticksPerCycle(const VendorProfile& profile) const;

    const ProfiledModel& model;
    std::vector<DelegatePlace> places;
    double ticksPerNanosecond;
    std::vector<PlacedProfile> all;
    etdump::TraceWriter writer;
    std::vector<std::string> warnings;
};

/// Ticks of the trace in a cycle of the profile, by the given units of delegates.
std::optional<double> ProfileWriter::ticksPerCycle(const VendorProfile& profile) const {
    for (const DelegateTimeScale& each : model.clock.delegates) {
        if (!each.backend.empty() && !std::ranges::contains(profile.backends, each.backend)) {
            continue;
        }
        if (each.nanoseconds) {
            return *each.nanoseconds * ticksPerNanosecond;
        }
        if (each.ticks) {
            return each.ticks;
        }
    }
    return std::nullopt;
}

void ProfileWriter::warnOfUnit(const VendorProfile& profile) {
    if (profile.unit == ProfileUnit::Cycles && model.clock.unit != TimeScale::Cycles &&
        !ticksPerCycle(profile)) {
        warnings.push_back(
            fmt::format("the {} has cycles of an unknown clock, shown as {}; "
                        "--delegate-time-scale 800MHz, for example, converts them",
                        profile.tool, traits(model.clock.unit).name));
    } else if (profile.unit == ProfileUnit::Share && model.trace == nullptr) {
        warnings.push_back(
            fmt::format("the {} has costs but no times: open it together with a trace", profile.tool));
    } else if (profile.runs() == 0) {
        warnings.push_back(fmt::format("the {} has no times", profile.tool));
    }
}

/// Each profile gets the call of its backend whose nodes most of its operators name, the first of equals.
void ProfileWriter::place(const std::vector<VendorProfile>& profiles) {
    for (const VendorProfile& profile : profiles) {
        const DelegatePlace* best = nullptr;
        std::ptrdiff_t most = -1;
        for (const DelegatePlace& place : places) {
            const bool isTaken =
                place.hasOperators || std::ranges::contains(all, &place, &PlacedProfile::place);
            const bool isOther = !place.backend.empty() && !profile.backends.empty() &&
                                 !std::ranges::contains(profile.backends, place.backend);
            if (isTaken || isOther) {
                continue;
            }
            const std::ptrdiff_t named = std::ranges::count_if(
                profile.operators, [&](const auto& each) { return !handlesOf(each, place.nodes).empty(); });
            if (named > most) {
                most = named;
                best = &place;
            }
        }
        if (best == nullptr) {
            warnings.push_back(fmt::format(
                "the {} was not added: no delegate call of {} without operators", profile.tool,
                profile.backends.empty() ? std::string("any backend")
                                         : fmt::format("{}", fmt::join(profile.backends, " or "))));
            continue;
        }
        all.push_back({.profile = &profile, .place = best});
        warnOfUnit(profile);
    }
}

/// In ticks; inside the calls of a trace, cycles are ticks of the delegate. Profiles with a time for each
/// call are used call by call, others by the mean of their runs.
double ProfileWriter::timeOf(const PlacedProfile& placed, const ProfiledOperator& each, double call) const {
    if (each.times.empty()) {
        return 0;
    }
    const std::size_t calls = model.trace == nullptr ? placed.profile->runs() : placed.place->calls;
    const double time = each.times.size() == calls && placed.samples < calls
                            ? each.times[placed.samples]
                            : std::accumulate(each.times.begin(), each.times.end(), 0.0) /
                                  static_cast<double>(each.times.size());
    switch (placed.profile->unit) {
        case ProfileUnit::Nanoseconds:
            return time * ticksPerNanosecond;
        case ProfileUnit::Cycles:
            return model.trace == nullptr ? time * ticksPerCycle(*placed.profile).value_or(1) : time;
        case ProfileUnit::Share:
            return time * call;
    }
    return 0;
}

/// Writes the operators end to end, and returns their time in ticks.
double ProfileWriter::writeOperators(PlacedProfile& placed, std::uint64_t start, double call) {
    constexpr double mostTicks = 1e15;
    double total = 0;
    for (const ProfiledOperator& each : placed.profile->operators) {
        const double end = std::min(total + timeOf(placed, each, call), mostTicks);
        const std::string metadata = placed.samples == 0
                                         ? metadataText(each.columns, handlesOf(each, placed.place->nodes))
                                         : std::string();
        writer.profile("",
                       {.instruction = placed.place->place.second.value,
                        .chain = static_cast<std::int32_t>(placed.place->place.first),
                        .delegateString = each.name},
                       start + static_cast<std::uint64_t>(std::llround(total)),
                       start + static_cast<std::uint64_t>(std::llround(end)), bytesOf(metadata));
        total = end;
    }
    return total;
}

PlacedProfile* ProfileWriter::at(EventIndex event) {
    const etdump::EventColumns& events = model.trace->events();
    if (model.trace->text(events.name[event]) != core::event_name::delegateCall) {
        return nullptr;
    }
    const CallPlace place{events.chain[event], core::InstructionId(events.instruction[event])};
    const auto found =
        std::ranges::find(all, place, [](const PlacedProfile& each) { return each.place->place; });
    return found == all.end() ? nullptr : &*found;
}

etdump::EventIds ProfileWriter::idsOf(EventIndex event) const {
    const etdump::EventColumns& events = model.trace->events();
    return {.instruction = events.instruction[event],
            .chain = static_cast<std::int32_t>(events.chain[event]),
            .delegateInt = events.delegateInt[event],
            .delegateString = model.trace->text(events.delegateString[event])};
}

void ProfileWriter::copyEvent(EventIndex event, const etdump::Run& run) {
    const etdump::Trace& trace = *model.trace;
    const etdump::EventColumns& events = trace.events();
    switch (events.kind[event]) {
        case EventKind::Allocation:
            if (const std::uint64_t id = events.start[event]; id <= run.allocators.size()) {
                writer.allocation(static_cast<std::uint32_t>(id), events.end[event]);
            }
            return;
        case EventKind::Debug:
            writer.debug(trace.text(events.name[event]), idsOf(event), trace.debugValue(event));
            return;
        case EventKind::Profile:
            break;
    }
    std::string added;
    if (PlacedProfile* const placed = at(event)) {
        const auto length = etdump::elapsedTicks(events.start[event], events.end[event]);
        std::ignore = writeOperators(*placed, events.start[event], static_cast<double>(length.value_or(0)));
        added = placed->samples == 0 ? metadataText(placed->profile->columns, {}) : std::string();
        ++placed->samples;
    }
    const core::Bytes metadata = trace.metadata(event);
    writer.profile(trace.text(events.name[event]), idsOf(event), events.start[event], events.end[event],
                   metadata.empty() ? bytesOf(added) : metadata);
}

void ProfileWriter::copyRun(const etdump::Run& run) {
    writer.beginRun(model.trace->text(run.name), run.bundledInputIndex);
    for (const etdump::NameId allocator : run.allocators) {
        std::ignore = writer.addAllocator(model.trace->text(allocator));
    }
    for (EventIndex i = 0; i < run.eventCount; ++i) {
        copyEvent(run.firstEvent + i, run);
    }
}

/// Without a trace: runs that consist of the profiled calls.
void ProfileWriter::writeRuns() {
    std::size_t runs = 1;
    for (const PlacedProfile& each : all) {
        runs = std::max(runs, each.profile->runs());
    }
    std::uint64_t now = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = now;
        for (PlacedProfile& placed : all) {
            const std::vector<double>& calls = placed.profile->callTimes;
            const double call = run < calls.size() ? std::min(calls[run] * ticksPerNanosecond, 1e15) : 0;
            const double inside = writeOperators(placed, now, call);
            const auto end = now + static_cast<std::uint64_t>(std::llround(std::max(call, inside)));
            const std::string metadata = run == 0 ? metadataText(placed.profile->columns, {}) : std::string();
            writer.profile(core::event_name::delegateCall,
                           {.instruction = placed.place->place.second.value,
                            .chain = static_cast<std::int32_t>(placed.place->place.first)},
                           now, end, bytesOf(metadata));
            now = end;
            ++placed.samples;
        }
        writer.profile(core::event_name::methodExecute, {}, start, now);
    }
}

Result<ProfiledTrace> ProfileWriter::write(std::string name) {
    if (model.trace != nullptr && all.empty()) {
        return ProfiledTrace{.trace = model.trace, .warnings = std::move(warnings)};
    }
    if (model.trace == nullptr) {
        writeRuns();
    } else {
        for (const etdump::Run& run : model.trace->runs()) {
            copyRun(run);
        }
    }
    ET_ASSIGN(auto bytes, writer.finish());
    ET_ASSIGN(auto trace,
              etdump::Trace::parse(core::MappedFile::fromMemory(std::move(bytes), std::move(name))));
    return ProfiledTrace{
        .trace = std::move(trace), .warnings = std::move(warnings), .isProfile = model.trace == nullptr};
}

Result<VendorProfile> profileIn(const core::MappedFile& file) {
    auto profile = readProfile(file);
    if (!profile) {
        return std::unexpected(std::move(profile).error().in(file.name()));
    }
    return profile;
}

}  // namespace

Result<ProfiledTrace> addProfiles(const ProfiledModel& model, std::vector<VendorProfile> profiles,
                                  std::string name) {
    mergeProperties(profiles);
    ProfileWriter writer(model, profiles::detail::placesOf(model));
    writer.place(profiles);
    return writer.write(std::move(name));
}

Result<ProfiledTrace> readProfiledTrace(ProfiledModel model, std::shared_ptr<const core::MappedFile> file,
                                        std::span<const std::shared_ptr<const core::MappedFile>> profiles) {
    std::vector<VendorProfile> read;
    std::string name = file->name();
    model.trace = nullptr;
    if (isVendorProfile(file->bytes())) {
        ET_ASSIGN(read.emplace_back(), profileIn(*file));
    } else {
        auto trace = etdump::Trace::parse(std::move(file));
        if (!trace) {
            return std::unexpected(std::move(trace).error().in(name));
        }
        model.trace = *std::move(trace);
    }
    for (const auto& each : profiles) {
        ET_ASSIGN(read.emplace_back(), profileIn(*each));
    }
    if (read.empty()) {
        return ProfiledTrace{.trace = std::move(model.trace), .warnings = {}};
    }
    return addProfiles(model, std::move(read), std::move(name));
}

}  // namespace et::inspector

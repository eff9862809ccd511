#include "inspector/join/event_blocks.h"

#include "inspector/join/attribution.h"
#include "inspector/join/block_builder.h"
#include "inspector/join/delegate_clock.h"
#include "inspector/join/handle_resolver.h"
#include "inspector/join/inner_handles.h"
#include "inspector/join/phase_blocks.h"
#include "inspector/join/run_groups.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"
#include "runtime/core/event_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace et::inspector {

struct EventBlocks::Impl {
    std::shared_ptr<const etdump::Trace> trace;
    std::shared_ptr<const etrecord::Record> record;
    std::shared_ptr<const core::MappedFile> debugBuffer;
    JoinOptions options;
    std::vector<Block> blocks;
    std::vector<std::string> warnings;
    std::optional<std::string> recordContradiction;
    RunPhases phases;
    join::detail::BlockStorage storage;
    std::deque<join::detail::MarkSamples> markSamples;
    join::detail::NodeLists nodeLists;
    join::detail::HandleLists handleLists;

    void assignPhases(join::detail::RunGroups& groups, join::detail::Attribution* attribution);
    [[nodiscard]] core::Result<> buildBlocks(const join::detail::RunGroups& groups);
    void alignClocks(const join::detail::RunGroups& groups, const join::detail::Attribution* attribution,
                     const program::Program* program);
    void addMarks();
    [[nodiscard]] core::Result<> useRecord(join::detail::Attribution attribution,
                                           const program::Program* program);
    [[nodiscard]] core::Result<> usePayloads(Block& block, join::detail::HandleResolver& resolver,
                                             join::detail::InnerHandles& payloads);
    void useCounts();
    void warnOfRepeats();
    void warnOfDifferences();
};

namespace {

using core::ErrorCode;

/// Duration of a run in ticks; 0 if it has no timed event.
double durationOf(const etdump::Trace& trace, const etdump::Run& run) {
    const etdump::EventColumns& events = trace.events();
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;
    for (etdump::EventIndex at = run.firstEvent; at < run.firstEvent + run.eventCount; ++at) {
        if (events.kind[at] != etdump::EventKind::Profile) {
            continue;
        }
        if (trace.text(events.name[at]) == names::detail::methodExecute) {
            return static_cast<double>(etdump::elapsedTicks(events.start[at], events.end[at]).value_or(0));
        }
        first = std::min(first, events.start[at]);
        last = std::max(last, events.end[at]);
    }
    return last > first ? static_cast<double>(last - first) : 0;
}

std::string makeWarning(std::string_view block, const std::vector<std::uint32_t>& left, std::size_t all) {
    constexpr std::size_t listed = 8;
    const auto some = std::span(left).first(std::min(left.size(), listed));
    return fmt::format("block \"{}\": {} of {} runs took far longer than the others and are excluded: {}{}",
                       core::printable(block), left.size(), all, fmt::join(some, ", "),
                       left.size() > listed ? ", …" : "");
}

/// Removes runs that took far longer than the others (outlierFence) from their groups; a group keeps at least
/// its faster runs. The duration of a run is that of its Method::execute, or from its first event to its
/// last. Returns one line for each group that lost runs, for EventBlocks::warnings().
std::vector<std::string> leaveOutOutliers(const etdump::Trace& trace, join::detail::RunGroups& groups) {
    std::vector<std::string> warnings;
    for (join::detail::RunGroup& group : groups.groups) {
        std::vector<double> durations;
        for (const std::uint32_t run : group.runs) {
            durations.push_back(durationOf(trace, trace.runs()[run]));
        }
        const double fence = outlierFence(durations);
        join::detail::RunGroup kept = group;
        kept.runs.clear();
        kept.shapes.clear();
        std::vector<std::uint32_t> left;
        for (std::size_t i = 0; i < durations.size(); ++i) {
            if (durations[i] > fence) {
                left.push_back(group.runs[i]);
            } else {
                kept.runs.push_back(group.runs[i]);
                kept.shapes.push_back(group.shapes[i]);
            }
        }
        if (!left.empty()) {
            warnings.push_back(makeWarning(trace.text(group.name), left, group.runs.size()));
            group = std::move(kept);
        }
    }
    return warnings;
}

core::Result<> checkScales(const JoinOptions& options) {
    if ((options.clock.unit == TimeScale::Cycles) != (options.target == TimeScale::Cycles)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("cannot convert between cycles and time (source {}, target {})",
                                      traits(options.clock.unit).name, traits(options.target).name));
    }
    return {};
}

}  // namespace

/// Finds the phases, and splits the groups by them if requested.
void EventBlocks::Impl::assignPhases(join::detail::RunGroups& groups,
                                     join::detail::Attribution* attribution) {
    std::vector<std::string_view> methods;
    if (attribution != nullptr && !attribution->contradiction) {
        std::ranges::transform(attribution->methods, std::back_inserter(methods),
                               &join::detail::MethodView::name);
    }
    phases = join::detail::findPhases(*trace, groups, methods);
    if (!options.byPhase) {
        return;
    }
    const std::vector<std::size_t> origins =
        join::detail::splitByPhase(groups, *trace, phases, options.phases);
    if (attribution != nullptr) {
        std::vector<join::detail::MethodView> methodsOfParts;
        for (const std::size_t origin : origins) {
            methodsOfParts.push_back(attribution->methods[origin]);
        }
        attribution->methods = std::move(methodsOfParts);
    }
    if (!phases.inference.empty()) {
        warnings.push_back(phases.inference);
    }
}

/// Moves events of delegates with clocks of their own into their calls.
void EventBlocks::Impl::alignClocks(const join::detail::RunGroups& groups,
                                    const join::detail::Attribution* attribution,
                                    const program::Program* program) {
    std::vector<std::string_view> methodOfRun(trace->runs().size());
    for (std::size_t group = 0; attribution != nullptr && group < groups.groups.size(); ++group) {
        for (const std::uint32_t run : groups.groups[group].runs) {
            methodOfRun[run] = attribution->methods[group].name;
        }
    }
    const auto backendOf = [&](std::uint32_t run, const join::detail::CallPlace& place) -> std::string_view {
        const std::string_view method = methodOfRun[run];
        const etrecord::MethodMaps* const maps = record == nullptr ? nullptr : record->maps(method);
        if (maps != nullptr && maps->delegates.contains(place.second)) {
            return maps->delegates.at(place.second).backend;
        }
        if (program == nullptr) {
            return {};
        }
        const bool isOnly = method.empty() && program->methods.size() == 1;
        const program::Method* const ran =
            isOnly ? &program->methods.front() : program->findMethod(method.empty() ? "forward" : method);
        const program::Delegate* const delegate =
            ran == nullptr ? nullptr : join::detail::delegateAt(*ran, place);
        return delegate == nullptr ? std::string_view() : delegate->backend;
    };
    join::detail::AlignedTrace aligned = join::detail::alignDelegateClocks(trace, options, backendOf);
    trace = std::move(aligned.trace);
    std::ranges::move(aligned.warnings, std::back_inserter(warnings));
}

void EventBlocks::Impl::addMarks() {
    std::ranges::move(join::detail::markBlocks(*trace, phases, options, markSamples),
                      std::back_inserter(blocks));
    join::detail::sortByTime(blocks);
}

core::Result<> EventBlocks::Impl::buildBlocks(const join::detail::RunGroups& groups) {
    join::detail::BlockBuilder builder(*trace, groups, options, debugBuffer.get(), storage);
    blocks.reserve(groups.groups.size());
    for (const join::detail::RunGroup& group : groups.groups) {
        ET_ASSIGN(Block block, builder.build(group));
        blocks.push_back(std::move(block));
    }
    if (const auto complaint = builder.complaint()) {
        warnings.push_back(*complaint);
    }
    return {};
}

core::Result<> EventBlocks::Impl::useRecord(join::detail::Attribution attribution,
                                            const program::Program* program) {
    std::ranges::move(attribution.warnings, std::back_inserter(warnings));
    recordContradiction = std::move(attribution.contradiction);
    if (recordContradiction && !options.referenceQuirks) {
        return {};  // a record of another program would describe this one incorrectly
    }
    std::map<std::string_view, join::detail::HandleResolver> resolvers;
    std::optional<join::detail::InnerHandles> payloads;
    if (program != nullptr && !options.referenceQuirks && !recordContradiction) {
        payloads.emplace(*program, options.backends);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const join::detail::MethodView& method = attribution.methods[i];
        blocks[i].method = method.name;
        blocks[i].graph = method.graph;
        join::detail::HandleResolver& resolver =
            resolvers
                .try_emplace(method.name, method, trace.get(), options.referenceQuirks, nodeLists,
                             handleLists)
                .first->second;
        for (Event& event : blocks[i].events) {
            if (auto resolved = resolver.resolve(event); !resolved) {
                return std::unexpected(std::move(resolved).error().in(record->file().name()));
            }
        }
        if (payloads) {
            ET_TRY(usePayloads(blocks[i], resolver, *payloads));
        }
    }
    return {};
}

core::Result<> EventBlocks::Impl::usePayloads(Block& block, join::detail::HandleResolver& resolver,
                                              join::detail::InnerHandles& payloads) {
    auto found = payloads.find(block.method, block.events);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) {
            continue;
        }
        if (auto taken = resolver.take(block.events[i], *std::move(found[i])); !taken) {
            return std::unexpected(std::move(taken).error().in(record->file().name()));
        }
    }
    return {};
}

void EventBlocks::Impl::useCounts() {
    const InstructionCounts* const counts = options.counts.get();
    if (counts == nullptr) {
        return;
    }
    if (counts->trace != markOf(*trace)) {
        warnings.emplace_back("the counters next to the trace belong to another recording: ignored");
        return;
    }
    for (Block& block : blocks) {
        if (!block.method.empty() && block.method != counts->method) {
            continue;
        }
        for (Event& event : block.events) {
            const auto found = counts->instructions.find({event.chain, event.instruction.value});
            const bool isWhole =
                !event.delegateInt && !event.delegateString && event.name != core::event_name::operatorCall;
            if (isWhole && found != counts->instructions.end() && !event.samples.empty()) {
                event.counts = &found->second;
            }
        }
    }
}

void EventBlocks::Impl::warnOfRepeats() {
    std::size_t dropped = 0;
    const Event* first = nullptr;
    for (const Block& block : blocks) {
        for (const Event& event : block.events) {
            dropped += event.droppedRepeats;
            first = first == nullptr && event.droppedRepeats > 0 ? &event : first;
        }
    }
    if (first != nullptr) {
        warnings.push_back(
            fmt::format("{} events repeat within a run; only the last of each run is used (first: \"{}\" at "
                        "instruction {})",
                        dropped, core::printable(first->name), first->instruction.value));
    }
}

void EventBlocks::Impl::warnOfDifferences() {
    for (const Block& block : blocks) {
        const auto differing = std::ranges::count_if(block.events, &Event::debugDiffers);
        if (differing > 0) {
            const Event& first = *std::ranges::find_if(block.events, &Event::debugDiffers);
            warnings.push_back(
                fmt::format("block \"{}\": {} events logged different values in some runs than in the first "
                            "(first: \"{}\" at instruction {})",
                            core::printable(block.name), differing, core::printable(first.name),
                            first.instruction.value));
        }
        if (block.outputsDiffer) {
            warnings.push_back(fmt::format("block \"{}\": the program outputs differ among the {} runs",
                                           core::printable(block.name), block.runs.size()));
        }
    }
}

EventBlocks::EventBlocks(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
EventBlocks::~EventBlocks() = default;

core::Result<std::shared_ptr<const EventBlocks>> EventBlocks::build(
    std::shared_ptr<const etdump::Trace> trace, std::shared_ptr<const etrecord::Record> record,
    std::shared_ptr<const core::MappedFile> debugBuffer, JoinOptions options,
    const program::Program* program) {
    ET_TRY(checkScales(options));
    auto impl = std::make_unique<Impl>();
    impl->trace = std::move(trace);
    impl->record = std::move(record);
    impl->debugBuffer = std::move(debugBuffer);
    impl->options = std::move(options);
    join::detail::RunGroups groups = join::detail::groupRuns(*impl->trace);
    std::optional<join::detail::Attribution> attribution;
    if (impl->record != nullptr) {
        ET_ASSIGN(attribution, join::detail::attribute(*impl->trace, groups, *impl->record, impl->options));
    }
    if (!impl->options.referenceQuirks) {
        impl->alignClocks(groups, attribution ? &*attribution : nullptr, program);
    }
    impl->assignPhases(groups, attribution ? &*attribution : nullptr);
    if (impl->options.leaveOutOutliers) {
        std::ranges::move(leaveOutOutliers(*impl->trace, groups), std::back_inserter(impl->warnings));
    }
    ET_TRY(impl->buildBlocks(groups));
    if (attribution) {
        ET_TRY(impl->useRecord(*std::move(attribution), program));
    }
    if (impl->options.byPhase) {
        impl->addMarks();
    }
    impl->useCounts();
    impl->warnOfRepeats();
    impl->warnOfDifferences();
    return std::shared_ptr<const EventBlocks>(new EventBlocks(std::move(impl)));
}

std::span<const Block> EventBlocks::blocks() const {
    return impl->blocks;
}
const JoinOptions& EventBlocks::options() const {
    return impl->options;
}
const etdump::Trace& EventBlocks::trace() const {
    return *impl->trace;
}
const etrecord::Record* EventBlocks::record() const {
    return impl->record.get();
}
const core::MappedFile* EventBlocks::debugBuffer() const {
    return impl->debugBuffer.get();
}
const RunPhases& EventBlocks::phases() const {
    return impl->phases;
}
RunPhase EventBlocks::phaseOf(etdump::EventIndex event) const {
    const etdump::Run& run = impl->trace->runOf(event);
    const RunPhase& known = impl->phases.runs[static_cast<std::size_t>(&run - impl->trace->runs().data())];
    const bool marked = known.phase.empty() && impl->phases.source == PhaseSource::Recorded;
    const auto mark =
        marked ? parsePhaseMark(impl->trace->text(impl->trace->events().name[event])) : std::nullopt;
    return mark ? RunPhase{.phase = mark->phase,
                           .call = mark->call,
                           .position = mark->position,
                           .tokens = mark->tokens}
                : known;
}
const std::vector<std::string>& EventBlocks::warnings() const {
    return impl->warnings;
}
const std::optional<std::string>& EventBlocks::recordContradiction() const {
    return impl->recordContradiction;
}

std::vector<std::string_view> opTypes(const Block& block, const Event& event, OpTypes which) {
    std::vector<std::string_view> types;
    if (block.graph == nullptr) {
        return types;
    }
    types.reserve(event.nodes.size());
    for (const etrecord::NodeIndex node : event.nodes) {
        const std::string& type = block.graph->nodes[node].op;
        if (which == OpTypes::All || !names::detail::isUnloadedByReference(type)) {
            types.push_back(type);
        }
    }
    return types;
}

}  // namespace et::inspector

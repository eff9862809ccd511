#include "inspector/generate/growth.h"

#include "inspector/events/grouping.h"
#include "inspector/events/row_selection.h"
#include "inspector/names/phase_mark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace et::inspector {
namespace {

/// The executions of the phase; null if it has none.
const Block* executionsOf(const EventBlocks& blocks, std::string_view phase) {
    const auto found = std::ranges::find_if(blocks.blocks(), [&](const Block& block) {
        return block.phase == phase && block.name != phaseBlockName;
    });
    return found == blocks.blocks().end() ? nullptr : &*found;
}

/// Position of each call or, unless all have one, its number.
std::vector<double> placesOf(const EventBlocks& blocks, const Block& block, bool& byPosition) {
    std::vector<double> places;
    byPosition = std::ranges::all_of(
        block.runs, [&](std::uint32_t run) { return blocks.phases().runs[run].position.has_value(); });
    for (const std::uint32_t run : block.runs) {
        const RunPhase& of = blocks.phases().runs[run];
        const double number = static_cast<double>(of.call.value_or(places.size()));
        places.push_back(byPosition ? static_cast<double>(*of.position) : number);
    }
    return places;
}

GrowthRow rowOf(std::string group, const std::vector<double>& places, const std::vector<double>& times) {
    GrowthRow row{.group = std::move(group), .samples = {}, .fit = {}};
    for (std::size_t i = 0; i < times.size(); ++i) {
        row.samples.push_back({.position = places[i], .time = times[i]});
    }
    row.fit = fitGrowth(row.samples);
    return row;
}

core::Error noPhase(const EventBlocks& blocks, std::string_view phase) {
    const std::vector<std::string_view> names = blocks.phases().names();
    return {core::ErrorCode::NotFound,
            fmt::format("no executions of phase '{}'; the trace has {}{}", phase,
                        names.empty() ? std::string("no phases") : fmt::format("{}", fmt::join(names, ", ")),
                        blocks.phases().known() ? "" : "; the purpose of its executions is unknown"),
            {}};
}

}  // namespace

core::Result<Growth> computeGrowth(const EventBlocks& blocks, const GrowthOptions& options) {
    const Block* const executions = executionsOf(blocks, options.phase);
    if (executions == nullptr) {
        return std::unexpected(noPhase(blocks, options.phase));
    }
    Growth out{.phase = options.phase, .rows = {}, .all = {}, .unit = blocks.options().target};
    const std::vector<double> places = placesOf(blocks, *executions, out.byPosition);
    const events::EventRows rows = events::eventRows(blocks);
    const events::RowSelection everything{.kept = std::vector<std::uint8_t>(rows.rows.size(), 1),
                                          .total = {}};
    ET_ASSIGN(const events::Groups groups,
              events::groupRows(rows, everything, {events::GroupBy::Phase, options.by}, options.modules));
    std::vector<double> whole(places.size());
    for (const events::Group& group : groups.groups) {
        const events::GroupScope& scope = groups.scopes[group.scopeAt];
        if (scope.phase != options.phase) {
            continue;
        }
        if (group.sum.runs.size() != places.size()) {
            return core::fail(core::ErrorCode::Unsupported,
                              fmt::format("the calls of phase '{}' do not all have the same events, so their "
                                          "times cannot be compared",
                                          options.phase));
        }
        GrowthRow row = rowOf(group.bin.labels.front(), places, group.sum.runs);
        row.typical = events::medianOf(group.sum, scope);
        row.share = scope.typical > 0 ? group.sum.typical / scope.typical : 0;
        out.rows.push_back(std::move(row));
        std::ranges::transform(whole, group.sum.runs, whole.begin(), std::plus{});
    }
    out.all = rowOf("(all)", places, whole);
    out.all.typical = whole.empty() ? 0 : summarize(whole).p50;
    out.all.share = 1;
    std::ranges::stable_sort(out.rows, std::ranges::greater{}, &GrowthRow::typical);
    return out;
}

}  // namespace et::inspector

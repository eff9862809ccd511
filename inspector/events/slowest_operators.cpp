#include "inspector/events/slowest_operators.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace et::inspector::events {

namespace {

/// The first source line of the event's nodes, without the folder.
std::string sourceOf(const EventRow& row) {
    const format::List lines = sourceLines(*row.block, *row.event);
    const std::string* const first = lines.empty() ? nullptr : std::get_if<std::string>(&lines.front());
    return first == nullptr ? std::string() : first->substr(first->rfind('/') + 1);
}

}  // namespace

std::vector<SlowOperator> slowestOperators(const EventRows& rows, std::size_t most) {
    std::vector<std::pair<double, std::size_t>> shares;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const EventRow& row = rows.rows[i];
        const auto share = rows.selfShare(row);
        if (share && *share > 0 && !row.hasParts && row.event->chain >= 0) {
            shares.emplace_back(*share, i);
        }
    }
    const auto end = shares.begin() + static_cast<std::ptrdiff_t>(std::min(most, shares.size()));
    std::ranges::partial_sort(shares, end, std::ranges::greater{}, &std::pair<double, std::size_t>::first);
    shares.erase(end, shares.end());
    std::vector<SlowOperator> slowest;
    for (const auto& [share, at] : shares) {
        const EventRow& row = rows.rows[at];
        const auto runs = static_cast<double>(std::max<std::size_t>(rows.blocks[row.blockAt].runs, 1));
        slowest.push_back({.name = readableName(*row.block, *row.event),
                           .source = sourceOf(row),
                           .share = share,
                           .time = row.typicalSelf / runs,
                           .block = row.blockAt,
                           .event = static_cast<std::size_t>(row.event - row.block->events.data())});
    }
    return slowest;
}

}  // namespace et::inspector::events

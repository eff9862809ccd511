#include "inspector/numeric_gap/first_divergence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace et::inspector {
namespace {

/// Whether a side has other NaN or infinities than the other.
bool differInSpecials(const GapPair& pair) {
    const SideStatistics& left = pair.reference.statistics;
    const SideStatistics& right = pair.runtime.statistics;
    return left.nans != right.nans || left.infinities != right.infinities;
}

/// Returns the index of the row whose instruction runs first. Rows are in graph order, so it may be any.
template <class Predicate>
std::optional<std::size_t> firstRow(std::span<const GapRow> rows, const Predicate& isWanted) {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (isWanted(rows[i]) && (!first || rows[i].instruction < rows[*first].instruction)) {
            first = i;
        }
    }
    return first;
}

}  // namespace

void findFirstDivergence(NumericGap& gap) {
    gap.firstDivergence = firstRow(gap.rows, [](const GapRow& row) { return row.own && row.own->diverges; });
    if (gap.firstDivergence) {
        return;
    }
    // An operator that cannot be replayed may have caused them. They are an error in any case.
    gap.firstDivergence =
        firstRow(gap.rows, [](const GapRow& row) { return row.own && std::isinf(row.own->total); });
    if (gap.firstDivergence) {
        OwnError& own = *gap.rows[*gap.firstDivergence].own;
        own.diverges = true;
        own.reason =
            "NaN or infinity in only one of runtime and reference, caused by an operator before "
            "that cannot be replayed";
    }
}

void warnOfSpecials(NumericGap& gap) {
    const auto isNamed = [](const GapRow& row) {
        return std::ranges::any_of(row.pairs, [](const GapPair& pair) {
            return differInSpecials(pair) || pair.runtime.statistics.nans > 0;
        });
    };
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(gap.rows, isNamed));
    const auto first = firstRow(gap.rows, isNamed);
    if (!first) {
        return;
    }
    const GapRow& row = gap.rows[*first];
    const auto pair = std::ranges::find_if(row.pairs, [](const GapPair& each) {
        return differInSpecials(each) || each.runtime.statistics.nans > 0;
    });
    const auto text = [](const SideStatistics& side) {
        return fmt::format("{} NaN and {} infinite of {}", side.nans, side.infinities, side.elements);
    };
    gap.warnings.push_back(fmt::format(
        "{} of {} rows have NaN, or infinities on one side; first {} ({}): runtime {}, reference {}", rows,
        gap.rows.size(), fmt::join(row.referenceOps, ", "), fmt::join(row.runtimeOps, ", "),
        text(pair->runtime.statistics), text(pair->reference.statistics)));
}

}  // namespace et::inspector

#include "inspector/tokenizers/detail/hf_split.h"

#include "inspector/tokenizers/detail/json_fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;

constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> behaviorNames{
    {{"Removed", SplitBehavior::Removed},
     {"Isolated", SplitBehavior::Isolated},
     {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
     {"MergedWithNext", SplitBehavior::MergedWithNext},
     {"Contiguous", SplitBehavior::Contiguous}}};

/// Whether a part is merged with the neighbour examined before it.
bool joins(SplitBehavior behavior, bool here, bool before) {
    return behavior == SplitBehavior::Contiguous ? here == before : here && !before;
}

}  // namespace

void keepParts(const std::vector<PartCutter::Found>& found, SplitRule rule, std::vector<TextRange>& parts) {
    parts.clear();
    parts.reserve(found.size());
    const bool backwards = rule.behavior == SplitBehavior::MergedWithNext;
    const bool alone = rule.behavior == SplitBehavior::Removed || rule.behavior == SplitBehavior::Isolated;
    bool before = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& [range, match] = found[backwards ? found.size() - 1 - i : i];
        const bool delimiter = match != rule.invert;
        if (alone) {
            if (!delimiter || rule.behavior == SplitBehavior::Isolated) {
                parts.push_back(range);
            }
        } else if (joins(rule.behavior, delimiter, before) && !parts.empty()) {
            (backwards ? parts.back().begin : parts.back().end) = backwards ? range.begin : range.end;
        } else {
            parts.push_back(range);
        }
        before = delimiter;
    }
    if (backwards) {
        std::ranges::reverse(parts);
    }
    std::erase_if(parts, [](const TextRange& part) { return part.begin == part.end; });
}

Result<SplitBehavior> readSplitBehavior(const JsonField& json, std::string_view fallback) {
    ET_ASSIGN(const auto name, json.textOr("behavior", fallback));
    const auto* const known =
        std::ranges::find(behaviorNames, name, &std::pair<std::string_view, SplitBehavior>::first);
    if (known == behaviorNames.end()) {
        return json.find("behavior")->unknown();
    }
    return known->second;
}

}  // namespace et::inspector::tokenizers::detail

#pragma once

#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/regex.h"

#include <cstdint>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// Treatment of delimiters when splitting a text.
enum class SplitBehavior : std::uint8_t { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

struct SplitRule {
    SplitBehavior behavior = SplitBehavior::Removed;
    bool invert = false;  ///< delimiters are the parts that do not match
};

/// Collects the matches in a text and the gaps between them.
class PartCutter {
  public:
    /// Call from left to right.
    void match(TextRange range) {
        gap(range.begin);
        ranges.push_back({.range = range, .match = true});
        at = range.end;
    }
    void finish(std::size_t size) { gap(size); }

    struct Found {
        TextRange range;
        bool match = false;
    };
    std::vector<Found> ranges;
    std::size_t at = 0;

  private:
    void gap(std::size_t end) {
        if (at < end) {
            ranges.push_back({.range = {.begin = at, .end = end}, .match = false});
        }
    }
};

/// Sets `parts` to the non-empty parts for these matches under a rule, in order.
void keepParts(const std::vector<PartCutter::Found>& found, SplitRule rule, std::vector<TextRange>& parts);

/// Splits every part of `pieces`: `findAll(text, cutter)` reports the matches in a part. Errors: those of
/// `findAll`.
template <class FindAll>
[[nodiscard]] core::Result<> splitParts(Pieces& pieces, SplitRule rule, const FindAll& findAll) {
    std::vector<Pieces::Part> parts;
    PartCutter cutter;
    std::vector<TextRange> keptRanges;
    for (const Pieces::Part& part : pieces.parts) {
        cutter.ranges.clear();
        cutter.at = 0;
        ET_TRY(findAll(pieces.at(part), cutter));
        cutter.finish(part.size);
        keepParts(cutter.ranges, rule, keptRanges);
        for (const TextRange& kept : keptRanges) {
            parts.push_back({.begin = part.begin + kept.begin,
                             .size = kept.end - kept.begin,
                             .first = part.first && kept.begin == 0});
        }
    }
    pieces.parts = std::move(parts);
    return {};
}

class JsonField;
/// Reads the member "behavior". Errors: Unsupported.
[[nodiscard]] core::Result<SplitBehavior> readSplitBehavior(const JsonField& json, std::string_view fallback);

}  // namespace et::inspector::tokenizers::detail

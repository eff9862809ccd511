#include "inspector/events/group_scopes.h"

#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

namespace et::inspector::events {
namespace {

/// Whether the block contains times between executions.
bool isOfMarks(const Block& block) {
    return block.name == phaseBlockName && !block.phase.empty();
}

class Scopes {
  public:
    Scopes(const EventRows& events, const GroupKeys& keys)
        : rows(events), byPhase(keys.has(GroupBy::Phase)), byTrace(keys.has(GroupBy::Trace)) {}

    BlockScopes collect() {
        for (std::size_t at = 0; at < rows.blocks.size(); ++at) {
            add(at);
        }
        for (std::size_t i = 0; i < out.scopes.size(); ++i) {
            out.scopes[i].runs =
                std::max<std::size_t>(1, out.scopes[i].runs == 0 ? markRuns[i] : out.scopes[i].runs);
        }
        return std::move(out);
    }

  private:
    using Key = std::tuple<std::size_t, std::string_view, std::size_t>;

    [[nodiscard]] Key keyOf(std::size_t at, const Block* block) const {
        const std::size_t trace = rows.blocks[at].traceAt;
        if (!byPhase) {
            return {trace, {}, at};
        }
        return {byTrace ? trace : 0, block != nullptr ? block->phase : std::string_view{}, 0};
    }

    void add(std::size_t at) {
        const BlockTime& time = rows.blocks[at];
        const Block* const block = time.rowCount == 0 ? nullptr : rows.rows[time.firstRow].block;
        const auto [slot, fresh] = scopeAt.try_emplace(keyOf(at, block), out.scopes.size());
        if (fresh) {
            out.scopes.push_back(
                {.trace = byTrace || !byPhase ? rows.traces[time.traceAt].name : std::string(),
                 .phase = std::string(byPhase && block != nullptr ? block->phase : ""),
                 .block = std::string(block == nullptr ? "" : block->name)});
            out.oneSampleARun.push_back(true);
            markRuns.push_back(0);
            sizes.push_back(time.runs);
        }
        const std::size_t scope = slot->second;
        out.ofBlock.push_back(scope);
        out.scopes[scope].typical += time.typical;
        if (block != nullptr && isOfMarks(*block)) {
            markRuns[scope] = std::max(markRuns[scope], time.runs);
        } else {
            out.scopes[scope].runs += time.runs;
        }
        out.oneSampleARun[scope] =
            out.oneSampleARun[scope] && sizes[scope] == time.runs && oneSampleARun(time);
    }

    [[nodiscard]] bool oneSampleARun(const BlockTime& time) const {
        return std::ranges::all_of(
            std::span(rows.rows).subspan(time.firstRow, time.rowCount), [&](const EventRow& row) {
                return row.event->samples.empty() || row.event->samples.size() == time.runs;
            });
    }

    const EventRows& rows;
    bool byPhase;
    bool byTrace;
    BlockScopes out;
    std::map<Key, std::size_t> scopeAt;
    std::vector<std::size_t> markRuns;  ///< of each scope
    std::vector<std::size_t> sizes;     ///< runs of each scope's first block
};

}  // namespace

BlockScopes blockScopes(const EventRows& rows, const GroupKeys& by) {
    return Scopes(rows, by).collect();
}

}  // namespace et::inspector::events

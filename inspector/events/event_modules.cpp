#include "inspector/events/event_modules.h"

#include "inspector/events/event_fields.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

namespace et::inspector::events {
namespace {

using Modules = std::optional<std::span<const etrecord::ModuleFrame>>;

/// Whether the event belongs to an instruction, not to loading or to a generation's work between executions.
bool runsInMethod(const EventRow& row) {
    return row.block->graph != nullptr && row.block->name != phaseBlockName &&
           !names::detail::isFrameworkEvent(row.event->name);
}

/// Fills in the missing modules of one block.
class BlockPlaces {
  public:
    BlockPlaces(const EventRows& events, std::vector<Modules>& filled) : rows(events), modules(filled) {}

    /// Events of the method itself first: the modules of a delegate limit those of its operators.
    void fill(std::size_t first, std::size_t count) {
        for (std::size_t at = first; at < first + count; ++at) {
            known = known || modules[at].has_value();
        }
        if (!known) {
            return;
        }
        for (const bool delegated : {false, true}) {
            std::vector<std::size_t> order;
            for (std::size_t at = first; at < first + count; ++at) {
                if (runsInMethod(rows.rows[at]) && rows.rows[at].event->delegated == delegated) {
                    order.push_back(at);
                }
            }
            fillBetween(order);
        }
    }

  private:
    /// Innermost possible modules of `at`, before considering its neighbours.
    [[nodiscard]] Modules around(std::size_t at) const {
        const auto parent = rows.rows[at].parent;
        const bool ofDelegate = rows.rows[at].event->delegated && parent && modules[*parent];
        return ofDelegate ? modules[*parent] : Modules(std::span<const etrecord::ModuleFrame>());
    }
    /// Operators of one delegate call form a separate sequence.
    [[nodiscard]] bool together(std::size_t a, std::size_t b) const {
        const EventRow& left = rows.rows[a];
        return !left.event->delegated || left.parent == rows.rows[b].parent;
    }

    void fillBetween(const std::vector<std::size_t>& order) {
        for (std::size_t begin = 0; begin < order.size();) {
            if (modules[order[begin]]) {
                ++begin;
                continue;
            }
            std::size_t end = begin;
            while (end < order.size() && !modules[order[end]] && together(order[begin], order[end])) {
                ++end;
            }
            const Modules bound = around(order[begin]);
            const bool hasBefore = begin > 0 && together(order[begin - 1], order[begin]);
            const bool hasAfter = end < order.size() && together(order[begin], order[end]);
            const Modules before = hasBefore ? modules[order[begin - 1]] : bound;
            const Modules after = hasAfter ? modules[order[end]] : bound;
            for (; begin < end; ++begin) {
                modules[order[begin]] = sharedModules(*before, *after);
            }
        }
    }

    const EventRows& rows;
    std::vector<Modules>& modules;
    bool known = false;
};

}  // namespace

EventModules::EventModules(const EventRows& rows) : modules(rows.rows.size()) {
    for (std::size_t at = 0; at < rows.rows.size(); ++at) {
        if (runsInMethod(rows.rows[at])) {
            modules[at] = commonModules(nodesOf(*rows.rows[at].block, *rows.rows[at].event));
        }
    }
    for (const BlockTime& block : rows.blocks) {
        BlockPlaces(rows, modules).fill(block.firstRow, block.rowCount);
    }
}

}  // namespace et::inspector::events

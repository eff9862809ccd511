#include "inspector/numeric_gap/unit_replays.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::Result;

bool diverges(const UnitReplay& unit) {
    return unit.replay && unit.replay->error.diverges;
}

class MisplacedUnits {
  public:
    MisplacedUnits(Replayer& replaying, const GraphWalk& walk, std::span<const GapUnit> all,
                   std::vector<UnitReplay>& replayed)
        : replayer(replaying), graph(walk), units(all), replays(replayed) {
        for (std::size_t i = 0; i < units.size(); ++i) {
            if (diverges(replays[i])) {
                diverging.push_back(i);
            }
        }
    }

    Result<> find() {
        for (const std::size_t at : diverging) {
            ET_TRY(check(at));
        }
        return {};
    }

  private:
    /// Replays a diverging unit without the values of the others that diverge.
    Result<> check(std::size_t at) {
        std::vector<std::pair<std::size_t, GraphValues>> forgotten;
        for (const std::size_t other : diverging) {
            if (other != at && !replays[other].isMisplaced &&
                units[other].place.value != units[at].place.value) {
                forgotten.emplace_back(other, replayer.forget(units[other].place));
            }
        }
        if (forgotten.empty()) {
            return {};
        }
        auto replay = replayer.replay(units[at]);
        if (!replay && replay.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(replay).error());
        }
        const bool agrees = replay && !replay->error.diverges;
        for (auto& [other, values] : forgotten) {
            if (agrees && isWithin(units[other], *replay)) {
                replays[other].isMisplaced = true;
            } else {
                replayer.know(std::move(values));
            }
        }
        if (agrees) {
            replays[at].replay = *std::move(replay);
        }
        return {};
    }

    /// Whether the replay computes the unit's value.
    [[nodiscard]] bool isWithin(const GapUnit& unit, const Replay& replay) const {
        const auto producer = graph.producerOf(unit.place.value);
        return producer && std::ranges::contains(replay.nodes, *producer);
    }

    Replayer& replayer;
    const GraphWalk& graph;
    std::span<const GapUnit> units;
    std::vector<UnitReplay>& replays;
    std::vector<std::size_t> diverging;
};

}  // namespace

Result<std::vector<UnitReplay>> replayUnits(Replayer& replayer, const GraphWalk& graph,
                                            std::span<const GapUnit> units, const ValueStore* store) {
    std::vector<UnitReplay> replays(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (store != nullptr) {
            store->release();
        }
        auto replay = replayer.replay(units[i]);
        if (replay) {
            replays[i].replay = *std::move(replay);
        } else if (replay.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(replay).error());
        } else {
            replays[i].error = std::move(replay).error();
        }
    }
    ET_TRY(MisplacedUnits(replayer, graph, units, replays).find());
    return replays;
}

}  // namespace et::inspector

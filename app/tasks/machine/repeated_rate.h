#pragma once

#include <algorithm>
#include <cstddef>

namespace et::app {

/// What turns of one measurement, spread over time, come to: what was reached at least twice. The best alone
/// may have been a moment that does not come back (a clock that this machine has once a minute).
class RepeatedRate {
  public:
    /// `rate`: above 0. `clock`: GHz of the core meanwhile; 0: not known.
    void add(double rate, double clock) {
        const Turn turn{.rate = rate, .clock = clock};
        if (turn.rate > best.rate) {
            second = best;
            best = turn;
        } else if (turn.rate > second.rate) {
            second = turn;
        }
        ++turns;
    }

    /// The second best; with one turn, that one; with none, 0.
    [[nodiscard]] double rate() const { return counted().rate; }
    /// GHz of the turn that rate() is of.
    [[nodiscard]] double clock() const { return counted().clock; }
    /// How far the two best are apart, relative; 1 with fewer than two turns.
    [[nodiscard]] double spread() const { return turns < 2 ? 1 : (best.rate - second.rate) / best.rate; }

  private:
    struct Turn {
        double rate = 0;
        double clock = 0;
    };
    [[nodiscard]] const Turn& counted() const { return turns < 2 ? best : second; }

    Turn best;
    Turn second;
    std::size_t turns = 0;
};

}  // namespace et::app

#pragma once

#include <algorithm>
#include <cstddef>

namespace et::tasks {

/// Combines repeated measurements into one rate: the highest that was reached at least twice. The best alone
/// may be a rare outlier, such as a clock that this machine reaches once a minute.
class RepeatedRate {
  public:
    /// `rate`: above 0. `clock`: GHz of the core during the measurement; 0: unknown.
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

    /// The second best rate; the only one if there is one measurement; 0 without any.
    [[nodiscard]] double rate() const { return counted().rate; }
    /// GHz of the measurement that rate() returns.
    [[nodiscard]] double clock() const { return counted().clock; }
    /// Relative difference of the two best rates; 1 with fewer than two measurements.
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

}  // namespace et::tasks

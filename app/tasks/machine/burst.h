#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace et::tasks {

/// Repeatable work: thread number `thread` runs it `passes` times.
using BurstWork = std::function<void(std::size_t thread, std::size_t passes)>;

/// The fastest of several bursts.
struct Burst {
    double secondsOfPass = 0;  ///< time in which all threads finish one pass each
    double clock = 0;          ///< GHz: the highest clock right after a burst; 0: unknown
};

/// Runs the work on `threads` threads at once for about `seconds`, in bursts of about a third of a
/// millisecond (at least one pass). Bursts are this short so that some of them are not interrupted on a busy
/// machine.
[[nodiscard]] Burst fastestBurst(const BurstWork& work, std::size_t threads, double seconds);

/// Seconds since an arbitrary moment.
[[nodiscard]] double steadySeconds();

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

/// Measures how evenly the same work runs over the whole measuring time.
class NoiseMeter {
  public:
    explicit NoiseMeter(BurstWork of) : work(std::move(of)) {}

    /// Runs some more tries of about half a millisecond each.
    void takeTries();
    /// How much longer the slowest tenth of tries takes than the shortest, relative. 0 without tries.
    [[nodiscard]] double noise() const;

  private:
    BurstWork work;
    std::size_t passes = 0;  ///< per try; 0: not yet determined
    std::vector<double> seconds;
};

}  // namespace et::tasks

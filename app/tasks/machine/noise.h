#pragma once

#include "app/tasks/machine/burst.h"

#include <cstddef>
#include <vector>

namespace et::tasks {

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

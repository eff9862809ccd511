#pragma once

#include "app/tasks/machine/burst.h"

#include <cstddef>
#include <vector>

namespace et::app {

/// How evenly the same work is done, over all the time in which tries are taken.
class NoiseMeter {
  public:
    explicit NoiseMeter(BurstWork of) : work(std::move(of)) {}

    /// Takes some more tries, about half a millisecond each.
    void takeTries();
    /// How much longer than the shortest of all tries one in ten takes, relative. 0 without tries.
    [[nodiscard]] double noise() const;

  private:
    BurstWork work;
    std::size_t passes = 0;  ///< of a try; 0: not known yet
    std::vector<double> seconds;
};

}  // namespace et::app

#pragma once

#include "runtime/core/child_process.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::bench {

/// Processes that work and sleep in turns, each for 5 to 300 ms at random; while they work they either count
/// or write through 16 MiB. They end with this object.
class BusyNeighbour {
  public:
    BusyNeighbour(std::size_t processes, std::uint64_t seed);

  private:
    std::vector<core::ChildProcess> processes;
};

}  // namespace et::bench

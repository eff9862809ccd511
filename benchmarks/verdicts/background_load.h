#pragma once

#include "runtime/core/child_process.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::bench {

/// Load generator: processes that alternately work and sleep, each for 5 to 300 ms at random; work is either
/// counting or writing through 16 MiB. They end with this object.
class BackgroundLoad {
  public:
    BackgroundLoad(std::size_t processes, std::uint64_t seed);

  private:
    std::vector<core::ChildProcess> processes;
};

}  // namespace et::bench

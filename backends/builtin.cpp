#include "backends/builtin.h"

#include "backends/xnnpack/delegate.h"

#include <array>

namespace et::backends {

std::span<const executor::Backend* const> builtin() {
    static const std::array all{&xnnpack::backend()};
    return all;
}

}  // namespace et::backends

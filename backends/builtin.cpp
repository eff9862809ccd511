#include "backends/builtin.h"

#include "backends/describing_backend.h"
#include "backends/ethos_u/describe.h"
#include "backends/mps/describe.h"
#include "backends/nested/nested_program.h"
#include "backends/vulkan/describe.h"
#include "backends/xnnpack/delegate/delegate.h"

#include <array>

namespace et::backends {

std::span<const executor::Backend* const> builtin() {
    // A nested program runs delegates, but no nested programs.
    static const std::array<const executor::Backend*, 1> inner{&xnnpack::backend()};
    static const nested::NestedProgramBackend nested(inner);
    static const std::array<const executor::Backend*, 2> all{&xnnpack::backend(), &nested};
    return all;
}

std::span<const executor::Backend* const> describable() {
    static const DescribingBackend ethosUBackend("EthosUBackend", ethos_u::describe);
    static const DescribingBackend mpsBackend("MPSBackend", mps::describe);
    static const DescribingBackend vulkanBackend("VulkanBackend", vulkan::describe, {.mapsPositions = true});
    static const std::array<const executor::Backend*, 5> all{builtin()[0], builtin()[1], &ethosUBackend,
                                                             &mpsBackend, &vulkanBackend};
    return all;
}

}  // namespace et::backends

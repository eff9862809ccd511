#include "backends/known_backends.h"

#include <algorithm>

namespace et::backends {
namespace {

// Ids under which ExecuTorch's backends register themselves (see its backends/ and exir/backend/test/).
constexpr KnownBackend known[] = {
    {"BackendWithCompilerDemo", "none: a demonstration"},
    {"BackendWithDelegateMappingDemo", "none: a demonstration"},
    {"CoreMLBackend", "CPU, GPU and Neural Engine of Apple, by Core ML"},
    {"CudaBackend", "GPU of NVIDIA, by AOTInductor"},
    {"EnnBackend", "NPU of Samsung Exynos"},
    {"EthosUBackend", "NPU Arm Ethos-U"},
    {"ExampleBackend", "none: a demonstration"},
    {"ExecutorBackend", "CPU, a program within the program"},
    {"FirstBackendWithPreprocessAll", "none: a demonstration"},
    {"MetalBackend", "GPU of Apple, by AOTInductor"},
    {"MLXBackend", "GPU of Apple, by MLX"},
    {"MPSBackend", "GPU of Apple, by Metal Performance Shaders"},
    {"NativeBackend", "CPU or GPU, by the runtime's native graphs"},
    {"NeuropilotBackend", "NPU of MediaTek"},
    {"NeutronBackend", "NPU NXP eIQ Neutron"},
    {"OpenvinoBackend", "CPU, GPU and NPU of Intel, by OpenVINO"},
    {"QnnBackend", "NPU, GPU or DSP of Qualcomm, by AI Engine Direct"},
    {"SecondBackendWithPreprocessAll", "none: a demonstration"},
    {"TOSABackend", "none: TOSA for reference models"},
    {"VgfBackend", "GPU, by Vulkan with Arm's ML extensions"},
    {"VulkanBackend", "GPU, by Vulkan"},
    {"XnnpackBackend", "CPU, by XNNPACK"},
};

}  // namespace

std::span<const KnownBackend> knownBackends() {
    return known;
}

std::string_view deviceOf(std::string_view backend) {
    const auto* found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) ? std::string_view{} : found->device;
}

}  // namespace et::backends

#include "backends/known_backends.h"

#include "backends/ethos_u/describe.h"
#include "runtime/core/result.h"

#include <algorithm>
#include <iterator>

namespace et::backends {
namespace {

struct KnownBackend {
    std::string_view id;  ///< of its delegates in a program
    std::string_view device;
    /// Bytes that a call takes from the temporary pool. Null: none, or unknown.
    core::Result<std::uint64_t> (*temporaryBytes)(core::Bytes payload) = nullptr;
};

// Ids under which ExecuTorch's backends register themselves (see its backends/ and exir/backend/test/).
constexpr KnownBackend known[] = {
    {"BackendWithCompilerDemo", "none: a demonstration"},
    {"BackendWithDelegateMappingDemo", "none: a demonstration"},
    {"CoreMLBackend", "Apple CPU, GPU and Neural Engine, through Core ML"},
    {"CudaBackend", "NVIDIA GPU, through AOTInductor"},
    {"EnnBackend", "Samsung Exynos NPU"},
    {"EthosUBackend", "Arm Ethos-U NPU", ethos_u::scratchBytes},
    {"ExampleBackend", "none: a demonstration"},
    {"ExecutorBackend", "CPU, a nested program"},
    {"FirstBackendWithPreprocessAll", "none: a demonstration"},
    {"MetalBackend", "Apple GPU, through AOTInductor"},
    {"MLXBackend", "Apple GPU, through MLX"},
    {"MPSBackend", "Apple GPU, through Metal Performance Shaders"},
    {"NativeBackend", "CPU or GPU, through the runtime's native graphs"},
    {"NeuropilotBackend", "MediaTek NPU"},
    {"NeutronBackend", "NXP eIQ Neutron NPU"},
    {"OpenvinoBackend", "Intel CPU, GPU and NPU, through OpenVINO"},
    {"QnnBackend", "Qualcomm NPU, GPU or DSP, through AI Engine Direct"},
    {"SecondBackendWithPreprocessAll", "none: a demonstration"},
    {"TOSABackend", "none: TOSA for reference models"},
    {"VgfBackend", "GPU, through Vulkan with Arm's ML extensions"},
    {"VulkanBackend", "GPU, through Vulkan"},
    {"XnnpackBackend", "CPU, through XNNPACK"},
};

}  // namespace

std::string_view deviceOf(std::string_view backend) {
    const auto* found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) ? std::string_view{} : found->device;
}

std::uint64_t temporaryBytes(std::string_view backend, core::Bytes payload) {
    const auto* const found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) || found->temporaryBytes == nullptr
               ? 0
               : found->temporaryBytes(payload).value_or(0);
}

}  // namespace et::backends

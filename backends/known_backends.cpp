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
    std::optional<core::ReleaseRange> releases = std::nullopt;  ///< empty: in none
    /// Bytes that a call takes from the temporary pool. Null: none, or unknown.
    core::Result<std::uint64_t> (*temporaryBytes)(core::Bytes payload) = nullptr;
};

using enum core::Release;

constexpr core::ReleaseRange since(core::Release first) {
    return {.first = first};
}

// Ids under which ExecuTorch's backends register themselves (see its backends/ and exir/backend/test/). Those
// of 1.5 and 1.6 are from its main branch of 2026-08-22 and the announcement of 1.6.
constexpr KnownBackend known[] = {
    {"Backend1Demo", "none: a demonstration"},
    {"Backend2Demo", "none: a demonstration"},
    {"BackendWithCompilerDemo", "none: a demonstration"},
    {"BackendWithCompilerExample", "none: a demonstration"},
    {"BackendWithDelegateMappingDemo", "none: a demonstration"},
    {"BackendWithNamedDataMap", "none: a demonstration"},
    {"CoreMLBackend", "Apple CPU, GPU and Neural Engine, through Core ML", since(V1_0)},
    {"CudaBackend", "NVIDIA GPU, through AOTInductor", since(V1_1)},
    {"DemoBackend", "none: a demonstration"},
    {"EnnBackend", "Samsung Exynos NPU", since(V1_0)},
    {"EthosUBackend", "Arm Ethos-U NPU", since(V1_0), ethos_u::scratchBytes},
    {"ExampleBackend", "none: a demonstration"},
    {"ExecutorBackend", "CPU, a nested program"},
    {"FirstBackendWithPreprocessAll", "none: a demonstration"},
    {"MetalBackend", "Apple GPU, through AOTInductor", since(V1_1)},
    {"MLXBackend", "Apple GPU, through MLX", since(V1_3)},
    {"MPSBackend", "Apple GPU, through Metal Performance Shaders", since(V1_0)},
    {"NativeBackend", "CPU or GPU, through the runtime's native graphs", since(V1_6)},
    {"NeuropilotBackend", "MediaTek NPU", since(V1_0)},
    {"NeutronBackend", "NXP eIQ Neutron NPU", since(V1_0)},
    {"OpenvinoBackend", "Intel CPU, GPU and NPU, through OpenVINO", since(V1_0)},
    {"QnnBackend", "Qualcomm NPU, GPU or DSP, through AI Engine Direct", since(V1_0)},
    {"SecondBackendWithPreprocessAll", "none: a demonstration"},
    {"StubBackend", "none: a test"},
    {"TensorRTBackend", "NVIDIA GPU, through TensorRT", since(V1_6)},
    {"TOSABackend", "none: TOSA for reference models"},
    {"VgfBackend", "GPU, through Vulkan with Arm's ML extensions", since(V1_0)},
    {"VulkanBackend", "GPU, through Vulkan", since(V1_0)},
    {"XnnpackBackend", "CPU, through XNNPACK", since(V1_0)},
};

constexpr PayloadFeature features[] = {
    {"XnnpackBackend", "XNNSin", "", "sine", V1_1},
    {"XnnpackBackend", "XNNCos", "", "cosine", V1_1},
    {"XnnpackBackend", "XNNCopy", "", "copies", V1_1},
    {"XnnpackBackend", "", "bf16 ", "bfloat16 values", V1_5},
    {"MLXBackend", "BitwiseOrNode", "", "bitwise or", V1_4},
    {"MLXBackend", "BitwiseXorNode", "", "bitwise exclusive or", V1_4},
    {"MLXBackend", "IfNode", "", "branches", V1_4},
    {"MLXBackend", "RandomBitsNode", "", "random numbers", V1_4},
    {"MLXBackend", "UpdateAndAttendNode", "", "KV caches outside the program", V1_5},
};

}  // namespace

std::string_view deviceOf(std::string_view backend) {
    const auto* found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) ? std::string_view{} : found->device;
}

std::optional<core::ReleaseRange> releasesOf(std::string_view backend) {
    const auto* const found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) ? std::nullopt : found->releases;
}

std::span<const PayloadFeature> payloadFeatures() {
    return features;
}

std::uint64_t temporaryBytes(std::string_view backend, core::Bytes payload) {
    const auto* const found = std::ranges::find(known, backend, &KnownBackend::id);
    return found == std::end(known) || found->temporaryBytes == nullptr
               ? 0
               : found->temporaryBytes(payload).value_or(0);
}

}  // namespace et::backends

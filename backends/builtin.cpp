#include "backends/builtin.h"

#include "backends/aoti/describe.h"
#include "backends/coreml/describe.h"
#include "backends/ethos_u/describe.h"
#include "backends/known_backends.h"
#include "backends/mlx/describe.h"
#include "backends/mlx/host_caches.h"
#include "backends/mps/describe.h"
#include "backends/native/describe.h"
#include "backends/native/host_caches.h"
#include "backends/nested/nested_program.h"
#include "backends/neuropilot/describe.h"
#include "backends/neutron/describe.h"
#include "backends/qnn/describe.h"
#include "backends/tosa/describe.h"
#include "backends/vgf/describe.h"
#include "backends/vulkan/describe.h"
#include "backends/xnnpack/delegate/delegate.h"
#include "runtime/executor/backend.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>

namespace et::backends {
namespace {

/// A backend whose delegates cannot run on this machine, but whose payload format is documented.
class DescribingBackend final : public executor::Backend {
  public:
    /// Describes the content of a payload. Errors: those of executor::Backend::describe().
    using Describe = core::Result<core::ModelGraph> (*)(core::Bytes payload,
                                                        const executor::NamedDataSource& namedData);
    using HostCaches = core::Result<std::vector<core::KvCacheLayer>> (*)(core::Bytes payload);

    DescribingBackend(std::string_view backend, Describe how, const executor::TraceConventions& traced = {},
                      HostCaches caches = nullptr)
        : id(backend), describePayload(how), traits(traced), listCaches(caches) {}

    [[nodiscard]] std::string_view name() const override { return id; }
    /// Always Unsupported.
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;
    [[nodiscard]] core::Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return describePayload(delegate.payload, namedData);
    }

    [[nodiscard]] core::Result<std::vector<core::KvCacheLayer>> hostCaches(
        const program::Delegate& delegate, const executor::NamedDataSource&) const override {
        return listCaches == nullptr ? core::Result<std::vector<core::KvCacheLayer>>()
                                     : listCaches(delegate.payload);
    }

    [[nodiscard]] const executor::TraceConventions& traceConventions() const override { return traits; }

  private:
    std::string_view id;
    Describe describePayload;
    executor::TraceConventions traits;
    HostCaches listCaches;
};

core::Result<std::unique_ptr<executor::LoadedDelegate>> DescribingBackend::load(
    const executor::DelegateSource&) const {
    return core::fail(core::ErrorCode::Unsupported,
                      fmt::format("delegates of \"{}\" do not run here ({})", id, deviceOf(id)));
}

}  // namespace

std::span<const executor::Backend* const> builtin() {
    // A nested program runs delegates, but no nested programs.
    static const std::array<const executor::Backend*, 1> inner{&xnnpack::backend()};
    static const nested::NestedProgramBackend nested(inner);
    static const std::array<const executor::Backend*, 2> all{&xnnpack::backend(), &nested};
    return all;
}

std::span<const executor::Backend* const> describable() {
    static const DescribingBackend coremlBackend("CoreMLBackend", coreml::describe);
    static const DescribingBackend cudaBackend("CudaBackend", aoti::describe);
    static const DescribingBackend ethosUBackend("EthosUBackend", ethos_u::describe);
    static const DescribingBackend metalBackend("MetalBackend", aoti::describe);
    static const DescribingBackend mlxBackend("MLXBackend", mlx::describe, {}, mlx::hostCaches);
    static const DescribingBackend mpsBackend("MPSBackend", mps::describe);
    static const DescribingBackend nativeBackend("NativeBackend", native::describe, {}, native::hostCaches);
    static const DescribingBackend neuropilotBackend("NeuropilotBackend", neuropilot::describe);
    static const DescribingBackend neutronBackend("NeutronBackend", neutron::describe);
    static const DescribingBackend qnnBackend("QnnBackend", qnn::describe);
    static const DescribingBackend tosaBackend("TOSABackend", tosa::describe);
    static const DescribingBackend vgfBackend("VgfBackend", vgf::describe);
    static const DescribingBackend vulkanBackend("VulkanBackend", vulkan::describe, {.mapsPositions = true});
    static const std::array<const executor::Backend*, 15> all{
        builtin()[0],    builtin()[1], &coremlBackend, &cudaBackend,   &ethosUBackend,
        &metalBackend,   &mlxBackend,  &mpsBackend,    &nativeBackend, &neuropilotBackend,
        &neutronBackend, &qnnBackend,  &tosaBackend,   &vgfBackend,    &vulkanBackend};
    return all;
}

}  // namespace et::backends

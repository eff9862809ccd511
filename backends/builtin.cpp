#include "backends/builtin.h"

#include "backends/aoti/describe.h"
#include "backends/coreml/describe.h"
#include "backends/enn/describe.h"
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
#include "backends/openvino/describe.h"
#include "backends/qnn/describe.h"
#include "backends/tensorrt/describe.h"
#include "backends/tosa/describe.h"
#include "backends/vgf/describe.h"
#include "backends/vulkan/describe.h"
#include "backends/xnnpack/delegate/delegate.h"
#include "runtime/executor/backend.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

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
    static const std::array described{
        DescribingBackend("CoreMLBackend", coreml::describe),
        DescribingBackend("CudaBackend", aoti::describe),
        DescribingBackend("EnnBackend", enn::describe),
        DescribingBackend("EthosUBackend", ethos_u::describe),
        DescribingBackend("MetalBackend", aoti::describe),
        DescribingBackend("MLXBackend", mlx::describe, {}, mlx::hostCaches),
        DescribingBackend("MPSBackend", mps::describe),
        DescribingBackend("NativeBackend", native::describe, {}, native::hostCaches),
        DescribingBackend("NeuropilotBackend", neuropilot::describe),
        DescribingBackend("NeutronBackend", neutron::describe),
        DescribingBackend("OpenvinoBackend", openvino::describe),
        DescribingBackend("QnnBackend", qnn::describe),
        DescribingBackend("TensorRTBackend", tensorrt::describe),
        DescribingBackend("TOSABackend", tosa::describe),
        DescribingBackend("VgfBackend", vgf::describe),
        DescribingBackend("VulkanBackend", vulkan::describe, {.mapsPositions = true}),
    };
    static const std::vector<const executor::Backend*> all = [] {
        std::vector<const executor::Backend*> list(builtin().begin(), builtin().end());
        for (const DescribingBackend& each : described) {
            list.push_back(&each);
        }
        return list;
    }();
    return all;
}

}  // namespace et::backends

#include "backends/payload_contents.h"

#include "backends/aoti/describe.h"
#include "backends/coreml/describe.h"
#include "backends/enn/describe.h"
#include "backends/ethos_u/describe.h"
#include "backends/mlx/describe.h"
#include "backends/mps/describe.h"
#include "backends/native/describe.h"
#include "backends/nested/nested_program.h"
#include "backends/neuropilot/describe.h"
#include "backends/neutron/describe.h"
#include "backends/openvino/describe.h"
#include "backends/qnn/describe.h"
#include "backends/tensorrt/describe.h"
#include "backends/tosa/describe.h"
#include "backends/vgf/describe.h"
#include "backends/vulkan/describe.h"
#include "backends/xnnpack/delegate/describe.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

namespace et::backends {
namespace {

struct BackendContents {
    std::string_view backend;
    ContentLister list;
};
constexpr std::array backendContents = std::to_array<BackendContents>({
    {"CoreMLBackend", coreml::listContents},
    {"CudaBackend", aoti::listContents},
    {"EnnBackend", enn::listContents},
    {"EthosUBackend", ethos_u::listContents},
    {"ExecutorBackend", nested::listContents},
    {"MetalBackend", aoti::listContents},
    {"MLXBackend", mlx::listContents},
    {"MPSBackend", mps::listContents},
    {"NativeBackend", native::listContents},
    {"NeuropilotBackend", neuropilot::listContents},
    {"NeutronBackend", neutron::listContents},
    {"OpenvinoBackend", openvino::listContents},
    {"QnnBackend", qnn::listContents},
    {"TOSABackend", tosa::listContents},
    {"TensorRTBackend", tensorrt::listContents},
    {"VgfBackend", vgf::listContents},
    {"VulkanBackend", vulkan::listContents},
    {"XnnpackBackend", xnnpack::listContents},
});

ListedPart listed(PayloadPart part, core::Bytes payload, const CountedParts& described) {
    const std::less_equal<> isNotBehind;
    const bool isInside = isNotBehind(payload.data(), part.data.data()) &&
                          isNotBehind(part.data.data() + part.data.size(), payload.data() + payload.size());
    ListedPart out{.part = std::move(part)};
    if (isInside) {
        out.offset = static_cast<std::size_t>(out.part.data.data() - payload.data());
        out.bytes = described.count(*out.offset, *out.offset + out.part.data.size());
    } else {
        out.bytes.opaque = out.part.data.size();
    }
    return out;
}

}  // namespace

void PayloadContents::addConstants(const core::ModelGraph& graph) {
    for (const core::GraphValue& value : graph.values()) {
        described.add(value.data.data(), value.data.size());
    }
}

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                            PayloadContents& contents) {
    const auto* const lister =
        std::ranges::find(backendContents, delegate.backend, &BackendContents::backend);
    if (lister == backendContents.end()) {
        return core::fail(core::ErrorCode::Unsupported, "this build does not support the format");
    }
    return lister->list(delegate, namedData, contents);
}

ListedContents listedContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData) {
    const core::Bytes payload = delegate.payload;
    PayloadContents contents(payload);
    if (!listContents(delegate, namedData, contents)) {
        return {.bytes = ByteCoverage(payload).count()};
    }
    const CountedParts counted(contents.described);
    ListedContents out{.bytes = counted.count(0, payload.size())};
    for (PayloadPart& part : contents.parts) {
        out.parts.push_back(listed(std::move(part), payload, counted));
    }
    return out;
}

}  // namespace et::backends

#pragma once

#include "backends/xnnpack/delegate/arguments.h"
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/delegate/profile.h"
#include "backends/xnnpack/delegate/taps.h"
#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/runtime_reuse.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace et::backends::xnnpack {

/// A payload that is ready to run. Runs without allocating while shapes stay what they are.
class Delegate final : public executor::LoadedDelegate {
  public:
    /// Errors: as Payload::read(), checkTypes(), followShapes(), ConstantData::find(), buildSubgraph().
    [[nodiscard]] static core::Result<std::unique_ptr<Delegate>> load(const executor::DelegateSource& source);

    /// Errors: Unsupported, Limit.
    [[nodiscard]] core::Result<> prepare() override;

    [[nodiscard]] core::Result<> execute(const executor::DelegateCallContext& context,
                                         std::span<core::Value* const> arguments) override;

    [[nodiscard]] std::uint64_t packedBytes() const override {
        return packed + (runtime ? runtime->packedBytes() : 0);
    }
    [[nodiscard]] std::uint64_t workspaceBytes() const override;

    [[nodiscard]] const Payload& payload() const { return graph; }
    /// What profiling calls operators, and their nodes; none unless it was loaded for a tracer or ran with
    /// one.
    [[nodiscard]] std::span<const ProfiledOperator> operators() const;

  private:
    enum class RuntimeState : std::uint8_t {
        Unusable,   ///< there is none, or one that failed
        Made,       ///< for the exported shapes, which it has not got yet
        NotShaped,  ///< it has not got the shapes yet
        Ready,
    };

    /// While it lives, what the shared memory gets more is this delegate's.
    class Growth;

    Delegate(Payload read, const executor::DelegateSource& source);

    core::Result<> makeRuntime();
    /// A runtime that has its shapes.
    core::Result<> remakeRuntime(bool profiled);
    core::Result<> makeAndReshape();
    /// `attempt`; where the library refuses its fp16, a runtime with its shapes that computes that as fp32.
    core::Result<> orWidened(core::Result<> (Delegate::*attempt)());
    core::Result<> reshape();
    core::Result<> takeShapes(std::span<core::Value* const> given, bool needsProfile);
    void runTaps(core::EventTracer& tracer);

    Payload graph;
    const kernels::ThreadPool& threads;
    std::uint64_t memoryBytes;
    std::shared_ptr<SharedMemory> shared;
    ConstantData constants;
    Shapes shapes;
    RuntimeReuse reuse;
    RuntimeState state = RuntimeState::Unusable;
    GraphRuntime::Options options;
    std::optional<GraphRuntime> runtime;
    std::optional<Arguments> arguments;
    std::optional<Profile> profile;
    std::unique_ptr<Taps> taps;
    std::uint64_t packed = 0;          ///< that it added to the module's packed weights
    std::uint64_t addedWorkspace = 0;  ///< that it added to the module's workspace
};

/// "XnnpackBackend".
[[nodiscard]] const executor::Backend& backend();

}  // namespace et::backends::xnnpack

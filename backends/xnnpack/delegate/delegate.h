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

/// A payload that is ready to run. Does not allocate in a run if the shapes are unchanged.
class Delegate final : public executor::LoadedDelegate {
  public:
    /// Errors: those of readPayload(), checkTypes(), followShapes(), ConstantData::find(),
    /// LoadOptions::from(), buildSubgraph().
    [[nodiscard]] static core::Result<std::unique_ptr<Delegate>> load(const executor::DelegateSource& source);
    ~Delegate() override;
    Delegate(const Delegate&) = delete;
    Delegate& operator=(const Delegate&) = delete;

    /// Errors: Unsupported, Limit.
    [[nodiscard]] core::Result<> prepare() override;

    [[nodiscard]] core::Result<> execute(const executor::DelegateCallContext& context,
                                         std::span<core::Value* const> arguments) override;

    [[nodiscard]] std::uint64_t packedBytes() const override {
        return packed + (runtime ? runtime->packedBytes() : 0);
    }
    [[nodiscard]] std::uint64_t workspaceBytes() const override;

    [[nodiscard]] const Payload& payload() const { return graph; }
    /// Profiling names of operators and their nodes; empty unless the delegate was loaded for a tracer or ran
    /// with one.
    [[nodiscard]] std::span<const ProfiledOperator> operators() const;

  private:
    enum class RuntimeState : std::uint8_t {
        Unusable,   ///< no runtime, or one that failed
        Made,       ///< created for the exported shapes, not yet reshaped
        NotShaped,  ///< not yet reshaped to the current shapes
        Ready,
    };

    /// Attributes growth of the shared memory during its lifetime to this delegate.
    class Growth;

    Delegate(Payload read, const executor::DelegateSource& source);

    core::Result<> makeRuntime();
    /// Creates a runtime and reshapes it.
    core::Result<> remakeRuntime(bool profiled);
    core::Result<> makeAndReshape();
    /// Runs `attempt`; if the library rejects fp16, creates a reshaped runtime that computes fp16 as fp32.
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
    std::uint64_t packed = 0;          ///< bytes added to the module's packed weights
    std::uint64_t addedWorkspace = 0;  ///< bytes added to the module's workspace
};

/// "XnnpackBackend".
[[nodiscard]] const executor::Backend& backend();

}  // namespace et::backends::xnnpack

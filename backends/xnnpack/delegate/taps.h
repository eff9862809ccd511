#pragma once

#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/delegate/profile.h"
#include "backends/xnnpack/library/runtime_reuse.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/event_tracer.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A tapped value and the node that produces it.
struct Tap {
    ValueIndex value = 0;
    std::size_t node = 0;      ///< into Payload::nodes
    std::size_t external = 0;  ///< index among the externals of the promoted payload
};

/// All values that nodes produce and tensors can hold, in execution order. For a value quantized at run time,
/// whose scales the library does not expose, these are the dequantized floats, computed once more like in the
/// library. `external` is not set.
[[nodiscard]] std::vector<Tap> tappableValues(const Payload& payload);

/// Returns a copy of `payload` with the values of `taps` as additional externals after its own. Sets
/// Tap::external.
[[nodiscard]] Payload promote(const Payload& payload, std::span<Tap> taps);

/// The operator that outputs the tapped value; null if its node was fused into another operator, or if
/// unknown.
[[nodiscard]] const ProfiledOperator* operatorOf(const Payload& payload,
                                                 std::span<const ProfiledOperator> operators, const Tap& tap);

/// Names of operators in `before` that `after`, with taps, computes differently: from other nodes, or with
/// another kernel.
[[nodiscard]] std::vector<std::string> changedOperators(std::span<const ProfiledOperator> before,
                                                        std::span<const ProfiledOperator> after);

/// Delivers values inside a delegate to a tracer. The library only exposes outputs of its graph and fuses
/// inner nodes, so a copy of the graph with the wanted values as outputs runs on the same inputs; the
/// resulting differences are reported. Taps never fail a run: errors are in the report.
class Taps {
  public:
    /// Data of the delegate; all of it must outlive this.
    struct Source {
        const Payload& payload;
        const ConstantData& constants;
        const Shapes& shapes;
        std::shared_ptr<SharedMemory> shared;
        const kernels::ThreadPool& threads;
        bool widenHalf;
        std::uint64_t memoryBytes;
    };

    /// Queries `tracer` for the values that it wants.
    [[nodiscard]] static Taps make(const Source& source, core::EventTracer& tracer);

    [[nodiscard]] const core::EventTracer* tracer() const { return wantedBy; }
    [[nodiscard]] std::span<const Tap> all() const { return taps; }
    /// Whether run() supports these shapes; otherwise the taps must be recreated.
    [[nodiscard]] bool allows(const Shapes& wanted) { return !reuse || reuse->allows(wanted); }

    /// Runs the copy with the inputs among the delegate's `addresses`. Call before the delegate runs, since
    /// its outputs may overwrite inputs.
    void run(const Shapes& shapes, std::span<void* const> addresses);

    /// Delivers the values that run() computed, and compares its outputs with those at the delegate's
    /// `addresses`.
    void deliver(core::EventTracer& to, const core::TraceIds& ids, std::span<void* const> addresses,
                 std::span<const ProfiledOperator> operators);

  private:
    core::Result<> prepare(const Source& source);
    core::Result<> reshape(const Shapes& wanted);
    void reserveOutputs();
    void deliverOne(core::EventTracer& to, core::TraceIds ids, const Tap& tap, const ProfiledOperator* op);
    [[nodiscard]] std::vector<core::TapOutputChange> compare(std::span<void* const> addresses) const;
    [[nodiscard]] std::size_t bytesOf(std::size_t external) const;
    [[nodiscard]] Datatype typeOf(ValueIndex value) const;

    const core::EventTracer* wantedBy = nullptr;
    std::vector<Tap> taps;
    std::size_t ownExternals = 0;  ///< number of the delegate's externals, without taps
    bool widenHalf = false;
    std::unique_ptr<Payload> promoted;
    std::optional<GraphRuntime> runtime;
    std::optional<Profile> profile;
    std::optional<RuntimeReuse> reuse;
    Shapes shapes;                                ///< current shapes of the runtime; empty: none yet
    std::vector<std::vector<std::byte>> outputs;  ///< by external
    std::vector<void*> places;
    std::optional<core::Error> failure;
};

}  // namespace et::backends::xnnpack

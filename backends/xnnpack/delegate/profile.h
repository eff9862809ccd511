#pragma once

#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// A profiled operator of the library.
struct ProfiledOperator {
    std::string name;  ///< "Convolution (NHWC, F32) IGEMM #1", numbered by name
    /// Indices into Payload::nodes: its own node, and those that the library fused into it. Nothing: unknown.
    std::optional<std::vector<std::size_t>> nodes;
    /// Trace metadata as JSON: {"debug_handles":[3,4],"start":"synthetic"}; without "debug_handles" if the
    /// nodes are unknown. Nodes added by lowering have no handle and are skipped.
    std::string metadata;
};

/// Operators of a runtime with the nodes they compute (matchNodes()).
[[nodiscard]] std::vector<ProfiledOperator> matchOperators(const Payload& payload,
                                                           std::span<const LibraryNode> nodes,
                                                           std::span<const std::string> libraryNames);

/// Converts the operator times of a runtime to events.
class Profile {
  public:
    /// `runtime` must be created for profiling and reshaped. Errors: Unsupported.
    [[nodiscard]] static core::Result<Profile> make(const Payload& payload, const GraphRuntime& runtime);

    [[nodiscard]] std::span<const ProfiledOperator> operators() const { return all; }

    /// Reports one event per operator for a run of the same `runtime` that began at `start`. The library only
    /// measures durations, in whole microseconds: events are placed one after the other, which their metadata
    /// states. Errors: Unsupported.
    [[nodiscard]] core::Result<> report(const GraphRuntime& runtime, core::EventTracer& tracer,
                                        const core::TraceIds& ids, std::uint64_t start);

  private:
    std::vector<ProfiledOperator> all;
    std::vector<std::uint64_t> microseconds;
};

}  // namespace et::backends::xnnpack

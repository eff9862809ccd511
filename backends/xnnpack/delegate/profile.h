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

/// An operator of the library as it runs.
struct ProfiledOperator {
    std::string name;  ///< "Convolution (NHWC, F32) IGEMM #1", numbered by name
    /// Indices into Payload::nodes: its own, and those that the library fused into it. Nothing: not known.
    std::optional<std::vector<std::size_t>> nodes;
    /// What traces carry, JSON: {"debug_handles":[3,4],"start":"synthetic"}; without "debug_handles" where
    /// the nodes are not known. Nodes without a handle, which lowering added, are left out.
    std::string metadata;
};

/// The operators of a runtime with the nodes that they compute (matchNodes()).
[[nodiscard]] std::vector<ProfiledOperator> matchOperators(const Payload& payload,
                                                           std::span<const LibraryNode> nodes,
                                                           std::span<const std::string> libraryNames);

/// Turns the times that a runtime took of its operators into events.
class Profile {
  public:
    /// `runtime` was created with profiling and has been reshaped. Errors: Unsupported.
    [[nodiscard]] static core::Result<Profile> make(const Payload& payload, const GraphRuntime& runtime);

    [[nodiscard]] std::span<const ProfiledOperator> operators() const { return all; }

    /// One event an operator for the run of `runtime`, which this was made of, that began at `start`. The
    /// library says only how long each took, in whole microseconds: they are laid end to end from there,
    /// which their metadata says. Errors: Unsupported.
    [[nodiscard]] core::Result<> report(const GraphRuntime& runtime, core::EventTracer& tracer,
                                        const core::TraceIds& ids, std::uint64_t start);

  private:
    std::vector<ProfiledOperator> all;
    std::vector<std::uint64_t> microseconds;
};

}  // namespace et::backends::xnnpack

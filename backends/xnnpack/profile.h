#pragma once

#include "backends/xnnpack/payload.h"
#include "backends/xnnpack/subgraph.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <xnnpack.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

/// Which nodes of a payload each operator of a runtime computes. The library keeps the order of nodes but
/// drops those that it fuses into another. Operators and nodes are matched by name, once from the front and
/// once from the back; what both find is the only possibility. Only the rest is not known.
[[nodiscard]] std::vector<ProfiledOperator> matchOperators(const Payload& payload,
                                                           std::span<const LibraryNode> nodes,
                                                           std::span<const std::string> libraryNames);

/// Turns the times that a runtime took of its operators into events.
class Profile {
  public:
    /// `runtime` was created with profiling and has been reshaped. Errors: Unsupported.
    [[nodiscard]] static core::Result<Profile> make(const Payload& payload,
                                                    std::span<const LibraryNode> nodes,
                                                    xnn_runtime_t runtime);

    [[nodiscard]] std::span<const ProfiledOperator> operators() const { return all; }

    /// One event an operator for the run that began at `start`. The library says only how long each took, in
    /// whole microseconds: they are laid end to end from there, which their metadata says. Errors:
    /// Unsupported.
    [[nodiscard]] core::Result<> report(core::EventTracer& tracer, const core::TraceIds& ids,
                                        std::uint64_t start);

  private:
    xnn_runtime_t runtime = nullptr;
    std::vector<ProfiledOperator> all;
    std::vector<std::uint64_t> microseconds;
};

}  // namespace et::backends::xnnpack

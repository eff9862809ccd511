#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/subgraph.h"
#include "backends/xnnpack/library/weights_cache.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <xnnpack.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace et::backends::xnnpack {

struct WorkspaceDeleter {
    void operator()(xnn_workspace_t workspace) const { xnn_release_workspace(workspace); }
};
struct RuntimeDeleter {
    void operator()(xnn_runtime_t runtime) const { xnn_delete_runtime(runtime); }
};

/// What a process does once: the library looks at the processor, which takes it 0.1 ms. Errors: Unsupported
/// (it does not run on this CPU), Limit.
core::Result<> initializeLibrary();

/// What the delegates of a module share: they never run at the same time.
class SharedMemory final : public executor::SharedState {
  public:
    /// Errors: Unsupported (the library does not run on this CPU), Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> make();

    WeightsCache weights;
    std::unique_ptr<std::remove_pointer_t<xnn_workspace_t>, WorkspaceDeleter> workspace;
    std::uint64_t reshapes = 0;  ///< each may have moved the workspace of all
    std::uint64_t workspaceBytes = 0;
    std::vector<std::byte> between;  ///< what the parts of a graph hand to one another in a run
};

/// A graph of the library, ready to run.
class LibraryRuntime {
  public:
    struct Options {
        bool widenHalf = false;  ///< compute fp16 as fp32
        bool profiled = false;   ///< take the time of each operator
        bool isOfMany = false;   ///< of so many operators that large pages are worth their memory
    };

    /// Packs the weights, into `memoryBytes` at most. Errors: as buildSubgraph().
    [[nodiscard]] static core::Result<LibraryRuntime> make(const Payload& payload,
                                                           const ConstantData& constants,
                                                           const Shapes& shapes,
                                                           std::shared_ptr<SharedMemory> shared,
                                                           const kernels::ThreadPool& threads,
                                                           Options options, std::uint64_t memoryBytes);

    /// Plans memory for inputs of other shapes; `shapes` were followed through the payload. Errors:
    /// Unsupported, Limit.
    [[nodiscard]] core::Result<> reshape(const Payload& payload, const Shapes& shapes);

    /// Runs with these addresses of the payload's externals. Errors: Unsupported.
    [[nodiscard]] core::Result<> run(std::span<void* const> addresses);
    /// Runs with those of the last run. Errors: as there.
    [[nodiscard]] core::Result<> runAgain();

    /// Whether other shapes of inputs need another runtime, and reshape() is not enough.
    [[nodiscard]] bool isForOneShape() const { return oneShape; }
    /// The library's nodes, before it fused some.
    [[nodiscard]] std::span<const LibraryNode> nodes() const { return libraryNodes; }
    /// What the library calls its operators, in the order in which they run. It has been made for profiling
    /// and been reshaped. Errors: Unsupported.
    [[nodiscard]] core::Result<std::vector<std::string>> operatorNames() const;
    /// How long each of them took in the last run. Gives their number. Errors: Unsupported.
    [[nodiscard]] core::Result<std::size_t> operatorTimes(std::span<std::uint64_t> microseconds) const;

  private:
    core::Result<> checkOutput(std::uint32_t external, const ValueSizes& expected) const;

    std::shared_ptr<SharedMemory> shared;
    std::unique_ptr<std::remove_pointer_t<xnn_runtime_t>, RuntimeDeleter> runtime;
    std::vector<xnn_external_value> externals;
    std::vector<LibraryNode> libraryNodes;
    bool oneShape = false;
    std::uint64_t setUpAt = 0;  ///< shared->reshapes of the last setup; 0: none for these addresses
};

}  // namespace et::backends::xnnpack

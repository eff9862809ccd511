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
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {

struct WorkspaceDeleter {
    void operator()(xnn_workspace_t workspace) const { xnn_release_workspace(workspace); }
};
struct RuntimeDeleter {
    void operator()(xnn_runtime_t runtime) const { xnn_delete_runtime(runtime); }
};

/// One-time initialization of the process: the library detects the processor, which takes 0.1 ms. Errors:
/// Unsupported (it does not run on this CPU), Limit.
core::Result<> initializeLibrary();

/// Memory for intermediate values of delegates that never run at the same time.
struct Workspace {
    /// Errors: Unsupported (the library does not run on this CPU), Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<Workspace>> make();
    /// The workspace of all modules of the process that ask for it while one of them exists. Errors: as
    /// make().
    [[nodiscard]] static core::Result<std::shared_ptr<Workspace>> ofProcess();

    /// Locks a workspace that modules share, which may run on several threads.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> lock();

    std::unique_ptr<std::remove_pointer_t<xnn_workspace_t>, WorkspaceDeleter> handle;
    std::uint64_t reshapes = 0;  ///< each may have moved the workspace
    std::uint64_t bytes = 0;
    std::vector<std::byte> between;  ///< values passed between the parts of a graph in a run
    bool isOfProcess = false;

  private:
    std::recursive_mutex mutex;
};

/// Packed weights and workspace of a delegate; by default, those of its module.
class SharedMemory final : public executor::SharedState {
  public:
    SharedMemory(std::shared_ptr<WeightsCache> cache, std::shared_ptr<Workspace> values)
        : weights(std::move(cache)), workspace(std::move(values)) {}
    /// Errors: as Workspace::make().
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> make();

    std::shared_ptr<WeightsCache> weights;
    std::shared_ptr<Workspace> workspace;
};

/// A library graph that is ready to run.
class LibraryRuntime {
  public:
    struct Options {
        bool widenHalf = false;  ///< compute fp16 as fp32
        bool profiled = false;   ///< measure the time of each operator
    };

    /// Packs the weights into at most `memoryBytes`. Errors: those of buildSubgraph().
    [[nodiscard]] static core::Result<LibraryRuntime> make(const Payload& payload,
                                                           const ConstantData& constants,
                                                           const Shapes& shapes,
                                                           std::shared_ptr<SharedMemory> shared,
                                                           const kernels::ThreadPool& threads,
                                                           Options options, std::uint64_t memoryBytes);

    /// Plans memory for inputs of other shapes; `shapes` were propagated through the payload. Errors:
    /// Unsupported, Limit.
    [[nodiscard]] core::Result<> reshape(const Payload& payload, const Shapes& shapes);

    /// Runs with these addresses of the payload's externals. Errors: Unsupported.
    [[nodiscard]] core::Result<> run(std::span<void* const> addresses);
    /// Runs with the addresses of the last run. Errors: those of run().
    [[nodiscard]] core::Result<> runAgain();

    /// Whether inputs of other shapes need a new runtime instead of reshape().
    [[nodiscard]] bool isForOneShape() const { return oneShape; }
    /// The library's nodes before fusion.
    [[nodiscard]] std::span<const LibraryNode> nodes() const { return libraryNodes; }
    /// Names of the library's operators in execution order. Requires a runtime made for profiling and
    /// reshaped. Errors: Unsupported.
    [[nodiscard]] core::Result<std::vector<std::string>> operatorNames() const;
    /// Writes the time of each operator in the last run, and returns their number. Errors: Unsupported.
    [[nodiscard]] core::Result<std::size_t> operatorTimes(std::span<std::uint64_t> microseconds) const;

  private:
    core::Result<> checkOutput(std::uint32_t external, const ValueSizes& expected) const;

    std::shared_ptr<SharedMemory> shared;
    std::unique_ptr<std::remove_pointer_t<xnn_runtime_t>, RuntimeDeleter> runtime;
    std::vector<xnn_external_value> externals;
    std::vector<LibraryNode> libraryNodes;
    bool oneShape = false;
    std::uint64_t setUpAt =
        0;  ///< reshapes of the workspace at the last setup; 0: not set up for these addresses
};

}  // namespace et::backends::xnnpack

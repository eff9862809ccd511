#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/library/library_runtime.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

inline constexpr std::uint64_t nanosecondsPerMicrosecond = 1000;  ///< the library reports whole microseconds

/// A payload's graph, ready to run: one library graph, or several library graphs between nodes of custom
/// kernels (see node_path.h).
class GraphRuntime {
  public:
    using Options = LibraryRuntime::Options;

    /// `payload`, `constants` and `threads` must outlive it. `memoryBytes`: see LibraryRuntime::make().
    /// Errors: those of LibraryRuntime::make(), Unsupported (a custom kernel does not support the node's
    /// form).
    [[nodiscard]] static core::Result<GraphRuntime> make(const Payload& payload,
                                                         const ConstantData& constants, const Shapes& shapes,
                                                         const std::shared_ptr<SharedMemory>& shared,
                                                         const kernels::ThreadPool& threads, Options options,
                                                         std::uint64_t memoryBytes);

    /// Plans memory for inputs of other shapes; `shapes` were propagated through the payload. Errors: those
    /// of LibraryRuntime::reshape().
    [[nodiscard]] core::Result<> reshape(const Shapes& shapes);

    /// Runs with these addresses of the payload's externals. Does not allocate. Errors: Unsupported.
    [[nodiscard]] core::Result<> run(std::span<void* const> addresses);
    /// The same if the addresses are those of the last run.
    [[nodiscard]] core::Result<> runAgain(std::span<void* const> addresses) {
        return places.empty() ? steps.front().library->runAgain() : run(addresses);
    }

    /// Bytes of weights packed for custom kernels.
    [[nodiscard]] std::uint64_t packedBytes() const;
    /// Whether inputs of other shapes need a new runtime instead of reshape().
    [[nodiscard]] bool isForOneShape() const { return oneShape; }
    /// The nodes before the library fuses some.
    [[nodiscard]] std::span<const LibraryNode> nodes() const { return allNodes; }
    /// Names of operators in execution order, including custom kernels. Requires a runtime made for profiling
    /// and reshaped. Errors: Unsupported.
    [[nodiscard]] core::Result<std::vector<std::string>> operatorNames() const;
    /// Time of each operator in the last run. Errors: Unsupported.
    [[nodiscard]] core::Result<> operatorTimes(std::span<std::uint64_t> microseconds) const;

  private:
    /// A bfloat16 value that the library computed in fp32.
    struct RoundedValue {
        ValueIndex value = 0;
        std::size_t count = 0;
    };
    /// Nodes computed as one library graph, or by one custom kernel.
    struct Step {
        std::unique_ptr<Payload> part{};  ///< null for the payload itself
        std::optional<LibraryRuntime> library{};
        std::vector<void*> addresses{};  ///< addresses of the part's externals
        std::unique_ptr<CustomNode> own{};
        std::vector<RoundedValue> rounded{};  ///< rounded after the step
        std::uint64_t microseconds = 0;       ///< of the custom kernel in the last run
    };
    /// A value passed from one step to another.
    struct Inner {
        ValueIndex value = 0;
        std::size_t firstStep = 0;  ///< writes it
        std::size_t lastStep = 0;   ///< reads it
        std::size_t bytes = 0;
        std::size_t offset = 0;  ///< in SharedMemory::between
    };
    class Maker;

    /// Places these values in memory that is reused according to their lifetimes.
    core::Result<> placeInner();
    void round(const Step& step) const;

    const Payload* payload = nullptr;
    bool widenHalf = false;
    bool profiled = false;
    bool oneShape = false;
    std::vector<LibraryNode> allNodes;
    std::vector<Step> steps;
    std::vector<Inner> inner;
    std::shared_ptr<SharedMemory> shared;
    std::vector<void*> places;  ///< by ValueIndex; empty if there is only one step
};

}  // namespace et::backends::xnnpack

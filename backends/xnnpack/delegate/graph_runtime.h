#pragma once

#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/own/own_node.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

inline constexpr std::uint64_t nanosecondsPerMicrosecond = 1000;  ///< the library counts whole microseconds

/// A payload's graph, ready to run: one graph of the library, or parts of it between nodes that we compute
/// (see node_path.h).
class GraphRuntime {
  public:
    using Options = LibraryRuntime::Options;

    /// `payload`, `constants` and `threads` outlive it. `memoryBytes`: as in LibraryRuntime::make(). Errors:
    /// as there, Unsupported (a node of ours in a form that we do not compute).
    [[nodiscard]] static core::Result<GraphRuntime> make(const Payload& payload,
                                                         const ConstantData& constants, const Shapes& shapes,
                                                         const std::shared_ptr<SharedMemory>& shared,
                                                         const kernels::ThreadPool& threads, Options options,
                                                         std::uint64_t memoryBytes);

    /// Plans memory for inputs of other shapes; `shapes` were followed through the payload. Errors: as
    /// LibraryRuntime::reshape().
    [[nodiscard]] core::Result<> reshape(const Shapes& shapes);

    /// Runs with these addresses of the payload's externals. Takes no memory. Errors: Unsupported.
    [[nodiscard]] core::Result<> run(std::span<void* const> addresses);
    /// The same where these are the addresses of the last run.
    [[nodiscard]] core::Result<> runAgain(std::span<void* const> addresses) {
        return places.empty() ? steps.front().library->runAgain() : run(addresses);
    }

    /// Weights that nodes of ours keep in a form of their own.
    [[nodiscard]] std::uint64_t packedBytes() const;
    /// Whether other shapes of inputs need another runtime, and reshape() is not enough.
    [[nodiscard]] bool isForOneShape() const { return oneShape; }
    /// The nodes that run, before the library fused some.
    [[nodiscard]] std::span<const LibraryNode> nodes() const { return allNodes; }
    /// What the library calls its operators, in the order in which they run, ours among them. It has been
    /// made for profiling and been reshaped. Errors: Unsupported.
    [[nodiscard]] core::Result<std::vector<std::string>> operatorNames() const;
    /// How long each of them took in the last run. Errors: Unsupported.
    [[nodiscard]] core::Result<> operatorTimes(std::span<std::uint64_t> microseconds) const;

  private:
    /// Nodes that the library computes as one graph, or one that we do.
    struct Step {
        std::unique_ptr<Payload> part{};  ///< null: the payload itself
        std::optional<LibraryRuntime> library{};
        std::vector<void*> addresses{};  ///< of the part's externals
        std::unique_ptr<OwnNode> own{};
        std::uint64_t microseconds = 0;  ///< of our own, in the last run
    };
    /// A value that one step hands to another.
    struct Inner {
        ValueIndex value = 0;
        std::size_t firstStep = 0;  ///< writes it
        std::size_t lastStep = 0;   ///< reads it
        std::size_t bytes = 0;
        std::size_t offset = 0;  ///< in SharedMemory::between
    };
    class Maker;

    /// Gives them memory that they share by when they are in use.
    core::Result<> placeInner();

    const Payload* payload = nullptr;
    bool widenHalf = false;
    bool profiled = false;
    bool oneShape = false;
    std::vector<LibraryNode> allNodes;
    std::vector<Step> steps;
    std::vector<Inner> inner;
    std::shared_ptr<SharedMemory> shared;
    std::vector<void*> places;  ///< by ValueIndex; none where there is only one step
};

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Runs an exported graph (Edge or ATen dialect) with our own operators: the yardstick of the numeric gap and
// the engine of emulated delegates.
namespace et::backends::reference {

enum class Precision : std::uint8_t {
    AsExported,
    Double,  ///< every float, half and bfloat16 tensor is computed as float64
};

/// Borrowed; lives as long as the interpreter.
struct InterpreterOptions {
    const kernels::KernelRegistry& kernels;
    const kernels::ThreadPool& threads;
    Precision precision = Precision::AsExported;
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;  ///< that values may take together
    const std::atomic<bool>* cancel = nullptr;
    std::uint64_t steps = 10'000'000;  ///< nodes of a run: more means a loop that does not end
};

/// A node of a graph has run: its outputs, in the node's order. Subgraphs of control flow are told as well,
/// with their own graph.
using NodeObserver = std::function<core::Result<>(
    const etrecord::ExportedGraph& graph, etrecord::NodeIndex node, std::span<const ReferenceValue> outputs)>;

/// One graph of a record with its parameters, buffers and constants. Not for several threads at a time.
class Interpreter {
  public:
    /// The Edge graph of a method. The record must live as long. Errors: NotFound (no such method, an archive
    /// or a tensor that the record lacks: names it), Unsupported (an operator that we do not have: names it
    /// and its node), as the readers of the record.
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> edge(const etrecord::Record& record,
                                                                         std::string_view method,
                                                                         const InterpreterOptions& options);
    /// The exported (ATen) program, `forward`. Errors: as above.
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> exported(
        const etrecord::Record& record, const InterpreterOptions& options);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    [[nodiscard]] const etrecord::ExportedGraph& graph() const;

    /// Runs the graph on its user inputs and gives its user outputs, which may share memory with the inputs.
    /// Mutated buffers keep their new values for the next run. Errors: InvalidArgument (count, kind, dtype or
    /// shape of an input; an operator's arguments: names the node), Limit, Cancelled.
    [[nodiscard]] core::Result<std::vector<ReferenceValue>> run(std::span<const ReferenceValue> inputs,
                                                                const NodeObserver& observer = {});

    /// Values of the graph by name: what a run saw, or what somebody puts in its place.
    using Values = std::map<std::string, ReferenceValue, std::less<>>;
    /// Runs some nodes alone, in graph order. What they read comes from `given`, else from the nodes among
    /// them, else from parameters, buffers and constants. Gives all that they made. Errors: as run();
    /// NotFound (an unknown value).
    [[nodiscard]] core::Result<Values> replay(std::span<const etrecord::NodeIndex> nodes,
                                              const Values& given);

    /// Computes some values from others: runs just the nodes that `wanted` need and that `given` does not
    /// make superfluous. Gives the wanted ones. Errors: as run(); NotFound (a value that is needed and that
    /// nothing has: names it).
    /// With `subgraph`, a graph of control flow in graph(), all names are of that one.
    [[nodiscard]] core::Result<Values> evaluate(std::span<const std::string> wanted, const Values& given,
                                                const etrecord::ExportedGraph* subgraph = nullptr);
    /// Another value for a buffer, by its name in the graph, for the runs from now on. Errors: NotFound.
    [[nodiscard]] core::Result<> setBuffer(std::string_view name, const ReferenceValue& value);

  private:
    struct Impl;
    explicit Interpreter(std::unique_ptr<Impl> loaded);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::backends::reference

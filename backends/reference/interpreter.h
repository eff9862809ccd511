#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/kernels/kv_caches.h"
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

// Runs an exported graph (Edge or ATen dialect) with reference operators; used for the numeric gap and for
// emulated delegates.
namespace et::backends::reference {

class ValueBudget;

enum class Precision : std::uint8_t {
    AsExported,
    Double,  ///< compute float, half and bfloat16 tensors as float64
};

/// Borrowed members must outlive the interpreter.
struct InterpreterOptions {
    const kernels::KernelRegistry& kernels;
    const kernels::ThreadPool& threads;
    Precision precision = Precision::AsExported;
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;  ///< total limit of all values
    const std::atomic<bool>* cancel = nullptr;
    std::uint64_t steps = 10'000'000;  ///< limit of executed nodes per run, to stop endless loops
    /// Limit of all values of several interpreters together, instead of `memoryBytes` for each; null: none.
    std::shared_ptr<ValueBudget> budget = nullptr;
    /// KV caches for kvcache::update_and_attend; null: the interpreter keeps its own.
    kernels::KvCaches* caches = nullptr;
};

/// Whether the weights of a graph stay in memory between steps.
enum class Weights : std::uint8_t {
    Kept,
    ReadByStep,  ///< each step reads its own from the record: slower in repeated runs, but only the weights
                 ///< of one operator are in memory
};

/// Called after a node of a graph has run, with its outputs in the node's order. Also called for subgraphs of
/// control flow, with their graph.
using NodeObserver = std::function<core::Result<>(
    const etrecord::ExportedGraph& graph, etrecord::NodeIndex node, std::span<const ReferenceValue> outputs)>;

/// One graph of a record with its parameters, buffers and constants. Not thread-safe.
class Interpreter {
  public:
    /// Loads the Edge graph of a method. The record must outlive it. Errors: NotFound (no such method; an
    /// archive or tensor that the record lacks, named), Unsupported (an unsupported operator; names it and
    /// its node), those of the readers of the record.
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> edge(const etrecord::Record& record,
                                                                         std::string_view method,
                                                                         const InterpreterOptions& options);
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> edge(const etrecord::Record& record,
                                                                         std::string_view method,
                                                                         const InterpreterOptions& options,
                                                                         Weights weights);
    /// Loads the exported (ATen) program, `forward`. Errors: as above.
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> exported(
        const etrecord::Record& record, const InterpreterOptions& options);
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> exported(
        const etrecord::Record& record, const InterpreterOptions& options, Weights weights);
    /// A graph without parameters of its own: evaluate() takes all values that its nodes do not compute. The
    /// graph must outlive it. Errors: Unsupported (as above).
    [[nodiscard]] static core::Result<std::unique_ptr<Interpreter>> of(const etrecord::ExportedGraph& graph,
                                                                       const InterpreterOptions& options);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    [[nodiscard]] const etrecord::ExportedGraph& graph() const;

    /// Runs the graph on its user inputs and returns its user outputs, which may share memory with the
    /// inputs. Mutated buffers keep their new values for the next run. Errors: InvalidArgument (count, kind,
    /// dtype or shape of an input; an operator's arguments; names the node), Limit, Cancelled.
    [[nodiscard]] core::Result<std::vector<ReferenceValue>> run(std::span<const ReferenceValue> inputs,
                                                                const NodeObserver& observer = {});

    /// Values of the graph by name: observed in a run, or given as replacements.
    using Values = std::map<std::string, ReferenceValue, std::less<>>;
    /// Runs only some nodes, in graph order. Their inputs come from `given`, otherwise from nodes among them,
    /// otherwise from parameters, buffers and constants. Returns all values they produce. Errors: those of
    /// run(); NotFound (an unknown value).
    [[nodiscard]] core::Result<Values> replay(std::span<const etrecord::NodeIndex> nodes,
                                              const Values& given);

    /// Computes `wanted` from `given`, running only the nodes that are still needed. Errors: those of run();
    /// NotFound (a needed value without a source; names it). With `subgraph`, a control flow graph in
    /// graph(), all names refer to that graph.
    [[nodiscard]] core::Result<Values> evaluate(std::span<const std::string> wanted, const Values& given,
                                                const etrecord::ExportedGraph* subgraph = nullptr);
    /// Replaces the value of a buffer, by its name in the graph, for subsequent runs. Errors: NotFound.
    [[nodiscard]] core::Result<> setBuffer(std::string_view name, const ReferenceValue& value);

  private:
    struct Impl;
    explicit Interpreter(std::unique_ptr<Impl> loaded);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::backends::reference

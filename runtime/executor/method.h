#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/limits.h"
#include "runtime/executor/remote_executor.h"
#include "runtime/executor/snapshot.h"
#include "runtime/kernels/kv_caches.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::executor {

/// Source of memory for the planned tensors of methods.
class PlannedMemory {
  public:
    virtual ~PlannedMemory() = default;
    /// Returns memory for an arena of a method, aligned to 64 bytes and at least `bytes` + readableBehind
    /// long, which outlives the module; it is filled with zeros. Empty: the module allocates it.
    [[nodiscard]] virtual std::span<std::byte> take(std::string_view method, std::size_t arena,
                                                    std::uint64_t bytes) = 0;
};

class MemoryGuard;

/// Dependencies of methods. Everything is borrowed and must outlive the module.
struct Environment {
    const kernels::KernelRegistry& kernels;
    std::span<const Backend* const> backends = {};
    /// Source of data that the program does not contain, for tensors and delegates; the first file that has a
    /// name wins.
    std::span<const std::shared_ptr<const program::TensorData>> tensorData = {};
    const kernels::ThreadPool& threads;
    Limits limits = {};
    core::KvCacheSettings caches = {};  ///< KV caches that the program expects from its host
    std::uint64_t seed = 0;             ///< seed of operators that draw random numbers
    core::EventTracer* tracer = nullptr;
    /// May be set to true from anywhere (a signal handler, another thread): executions end with Cancelled
    /// before the next instruction.
    const std::atomic<bool>* cancel = nullptr;
    /// Remote executor of the instructions; null runs them in this process. A remote executor uses its own
    /// kernels and backends.
    RemoteExecutor* elsewhere = nullptr;
    PlannedMemory* plannedMemory = nullptr;  ///< null: the module allocates all planned memory
    MemoryGuard* guard = nullptr;  ///< checks the memory accesses of kernels and delegates; null: none
    std::span<const BackendOption> backendOptions = {};
};

/// A dense tensor for an input, in the order `dimOrder` (row-major if empty).
struct TensorInput {
    core::ScalarType dtype = core::ScalarType::Float;
    std::span<const std::int64_t> sizes;
    std::span<const std::uint8_t> dimOrder = {};
    core::Bytes data;
};

/// monostate: None.
using InputValue = std::variant<std::monostate, TensorInput, std::int64_t, double, bool>;

/// Memory of a delegate in addition to its payload, in bytes.
struct DelegateMemory {
    std::uint64_t packedWeights = 0;  ///< without weights already packed by an earlier delegate
    std::uint64_t workspace = 0;      ///< current; only the bytes it added if delegates share a workspace
};

/// Memory of a loaded method, in bytes.
struct MemoryReport {
    std::vector<std::uint64_t> arenas;  ///< by memory id, as planned; shared arenas are included for every
                                        ///< method
    std::uint64_t constants = 0;        ///< constants of the program and of tensor data files, mapped
    std::uint64_t copiedConstants = 0;  ///< copied because they are not aligned for their dtype in the file
    std::uint64_t unplannedIo = 0;  ///< inputs and outputs for which neither plan nor caller provides memory
    std::uint64_t growing = 0;      ///< current memory of tensors whose size was unknown before execution
    std::uint64_t temporaryPeak = 0;        ///< maximum over all instructions
    std::uint64_t packedWeights = 0;        ///< kept by kernels and delegates
    std::uint64_t workspace = 0;            ///< current workspace of delegates for intermediate results
    std::vector<DelegateMemory> delegates;  ///< both of the above per delegate, by program::DelegateId
};

/// The next instruction of a running execution.
struct Position {
    std::int32_t chain = 0;
    std::int32_t instruction = 0;  ///< index in the chain
    std::uint64_t executed = 0;    ///< number of instructions run so far; loops repeat instructions

    friend bool operator==(const Position&, const Position&) = default;
};

/// A method that is ready to run. Not thread-safe.
class Method {
  public:
    ~Method();
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;

    /// The method as described by the program.
    [[nodiscard]] const program::Method& description() const;

    [[nodiscard]] std::size_t inputCount() const;
    [[nodiscard]] std::size_t outputCount() const;

    /// Copies a value into input `index`. All inputs must be set before each execution, because the memory
    /// plan may reuse their memory. Errors: InvalidArgument (no such input; kind, dtype, rank or size differs
    /// from the program's; a scalar differs from its value at export), Limit.
    [[nodiscard]] core::Result<> setInput(std::size_t index, const InputValue& value);
    /// Sets all inputs. Errors: InvalidArgument (wrong count), as setInput().
    [[nodiscard]] core::Result<> setInputs(std::span<const InputValue> values);

    /// Binds memory of the caller to an input or output tensor that the program does not plan; the caller
    /// keeps it alive. A bound input counts as set, with its planned sizes. Errors: InvalidArgument (no such
    /// input or output, not a tensor, planned by the program, too small, not aligned to its elements).
    [[nodiscard]] core::Result<> bindInput(std::size_t index, std::span<std::byte> memory);
    [[nodiscard]] core::Result<> bindOutput(std::size_t index, std::span<std::byte> memory);

    /// Packs constant weights for kernels that need it and prepares the delegates, once; loading does
    /// neither. Errors: Limit (no memory for the weights); as LoadedDelegate::prepare().
    [[nodiscard]] core::Result<> prepare();

    /// Runs all instructions after calling prepare(), which is not traced. Mutable buffers keep their values
    /// for the next execution. Errors: as prepare(); InvalidArgument (an input is not set; an instruction's
    /// arguments are invalid: the message names the instruction and operator), Unsupported, Limit, Cancelled.
    [[nodiscard]] core::Result<> execute();

    /// Starts an execution without running an instruction: the first part of execute(). Discards an
    /// unfinished one. Errors: as execute(); Unsupported (the method runs remotely).
    [[nodiscard]] core::Result<> begin();
    /// Runs the next instruction, never fused with others. Returns false if it was the last one: the
    /// execution is then finished. After an error, the position is still that of the failed instruction.
    /// Errors: as execute(); InvalidArgument (no execution is running).
    [[nodiscard]] core::Result<bool> step();
    /// As step(), but does not run the instruction; a jump continues with the following one.
    [[nodiscard]] core::Result<bool> skip();
    /// Nothing if no execution is running.
    [[nodiscard]] std::optional<Position> position() const;

    /// Valid until the next execution.
    [[nodiscard]] core::Value& output(std::size_t index);

    /// The value after the last execution, for inspecting state; `id` refers to description(). Its memory may
    /// have been reused by a value that the plan placed at the same address.
    [[nodiscard]] core::Value& value(program::ValueId id);

    /// Memory of the planned tensors, by program::ArenaId.
    [[nodiscard]] std::span<const core::Bytes> plannedMemory() const;

    /// Number of instructions run by the last execution.
    [[nodiscard]] std::uint64_t executedInstructions() const;

    [[nodiscard]] MemoryReport memory() const;

    /// Times reported by the remote executor for the last execution and for loading; empty if the method runs
    /// in this process.
    [[nodiscard]] std::optional<RemoteTimes> remoteExecutionTimes() const;
    [[nodiscard]] std::optional<RemoteTimes> remoteLoadTimes() const;

    /// Takes effect with the next execution; null disables tracing.
    void setTracer(core::EventTracer* tracer);

  private:
    friend class Module;
    struct Impl;
    explicit Method(std::unique_ptr<Impl> loaded);
    std::unique_ptr<Impl> impl;
};

/// A program and its loaded methods. A memory id from 2 on that has the same size in several methods is
/// shared: the exporter uses these for state that methods share.
class Module {
  public:
    explicit Module(std::shared_ptr<const program::Program> program, const Environment& environment);
    ~Module();
    Module(Module&&) noexcept;
    Module& operator=(Module&&) noexcept;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    [[nodiscard]] const program::Program& program() const;

    /// KV caches that the program expects from its host: kept between executions, shared by all methods. A
    /// caller that starts another conversation clears them, unless it starts at position 0.
    [[nodiscard]] kernels::KvCaches& caches();
    [[nodiscard]] const kernels::KvCaches& caches() const;

    /// Loads the method, or returns it if it is loaded already: values, constants, delegates, packed weights.
    /// Errors: NotFound (no such method; an operator, a backend or named data is missing: the message
    /// explains how to supply it), Format, Unsupported, Limit.
    [[nodiscard]] core::Result<Method*> load(std::string_view method);

    /// Saves the state of all loaded methods, at any position. `previous` is a snapshot of this module with
    /// which equal pages are shared; null: none. Errors: Unsupported (the module runs remotely), those of the
    /// delegates.
    [[nodiscard]] core::Result<std::shared_ptr<const Snapshot>> saveState(
        const Snapshot* previous = nullptr) const;
    /// Restores a state of this module. Methods that were loaded later keep theirs. Errors: InvalidArgument
    /// (the snapshot is of another module), those of the delegates.
    [[nodiscard]] core::Result<> restoreState(const Snapshot& snapshot);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::executor

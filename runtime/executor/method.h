#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/elsewhere.h"
#include "runtime/executor/limits.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::executor {

/// What methods run with. Everything is borrowed and must live as long as the module.
struct Environment {
    const kernels::KernelRegistry& kernels;
    std::span<const Backend* const> backends = {};
    /// Where tensors and delegates find data that the program does not hold; the first file that has a name
    /// wins.
    std::span<const std::shared_ptr<const program::TensorData>> tensorData = {};
    const kernels::ThreadPool& threads;
    Limits limits = {};
    std::uint64_t seed = 0;  ///< of operators that draw random numbers
    core::EventTracer* tracer = nullptr;
    /// Set to true from anywhere (a signal handler, another thread): executions end with Cancelled before the
    /// next instruction.
    const std::atomic<bool>* cancel = nullptr;
    /// Where instructions are carried out; null: here. Kernels and backends are those of that place then.
    Elsewhere* elsewhere = nullptr;
};

/// A tensor for an input: dense, in the order `dimOrder` (none: row-major).
struct TensorInput {
    core::ScalarType dtype = core::ScalarType::Float;
    std::span<const std::int64_t> sizes;
    std::span<const std::uint8_t> dimOrder = {};
    core::Bytes data;
};

/// monostate: None.
using InputValue = std::variant<std::monostate, TensorInput, std::int64_t, double, bool>;

/// What a delegate takes beside its payload, in bytes.
struct DelegateMemory {
    std::uint64_t packedWeights = 0;  ///< without those that a delegate before it has packed
    std::uint64_t workspace = 0;      ///< now; what it added where delegates share theirs
};

/// What a loaded method takes, in bytes.
struct MemoryReport {
    std::vector<std::uint64_t> arenas;  ///< by memory id, as planned; those that methods share are in each
    std::uint64_t constants = 0;        ///< of the program and of tensor data files, mapped
    std::uint64_t copiedConstants = 0;  ///< copied, because the file has them where no dtype can be read
    std::uint64_t unplannedIo = 0;      ///< inputs and outputs that neither plan nor caller has memory for
    std::uint64_t growing = 0;          ///< tensors whose size knew before, now
    std::uint64_t temporaryPeak = 0;    ///< the most that one instruction needed
    std::uint64_t packedWeights = 0;    ///< that kernels and delegates keep
    std::uint64_t workspace = 0;        ///< of delegates, for what they compute in between, now
    std::vector<DelegateMemory> delegates;  ///< the parts of both, by program::DelegateId
};

/// A method that is ready to run. Not for several threads at a time.
class Method {
  public:
    ~Method();
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;

    /// As the program describes it.
    [[nodiscard]] const program::Method& description() const;

    [[nodiscard]] std::size_t inputCount() const;
    [[nodiscard]] std::size_t outputCount() const;

    /// Copies a value into input `index`. All inputs must be set before each execution, since the memory plan
    /// may put other values over them. Errors: InvalidArgument (no such input; another kind, dtype, rank or
    /// size than the program takes; another number than it was exported for), Limit.
    [[nodiscard]] core::Result<> setInput(std::size_t index, const InputValue& value);
    /// All of them. Errors: InvalidArgument (another count), as setInput().
    [[nodiscard]] core::Result<> setInputs(std::span<const InputValue> values);

    /// The caller's own memory for an input or output tensor that the program does not plan; the caller keeps
    /// it alive. An input counts as set, with its sizes as planned. Errors: InvalidArgument (no such input or
    /// output, not a tensor, planned by the program, too small, not aligned to its elements).
    [[nodiscard]] core::Result<> bindInput(std::size_t index, std::span<std::byte> memory);
    [[nodiscard]] core::Result<> bindOutput(std::size_t index, std::span<std::byte> memory);

    /// Packs constant weights for the kernels that want them so, and prepares the delegates, once: loading
    /// does neither. Errors: Limit (no memory for the weights); as LoadedDelegate::prepare().
    [[nodiscard]] core::Result<> prepare();

    /// Runs all instructions, after prepare(), which the tracer hears nothing of. State that the program
    /// keeps stays for the next execution. Errors: as prepare(); InvalidArgument (an input is not set; an
    /// instruction's arguments are wrong: says which instruction and operator), Unsupported, Limit,
    /// Cancelled.
    [[nodiscard]] core::Result<> execute();

    /// Valid until the next execution.
    [[nodiscard]] core::Value& output(std::size_t index);

    /// Any value as the last execution left it, for those who look at state; `id` is one of description()'s.
    /// What the plan has put another value over is that one's.
    [[nodiscard]] core::Value& value(program::ValueId id);

    /// Instructions that the last execution ran.
    [[nodiscard]] std::uint64_t executedInstructions() const;

    [[nodiscard]] MemoryReport memory() const;

    /// What the place that it runs in told of the last execution, and of loading. Nothing: it runs here.
    [[nodiscard]] std::optional<TimesElsewhere> executedElsewhere() const;
    [[nodiscard]] std::optional<TimesElsewhere> loadedElsewhere() const;

    /// From the next execution on; null: no tracing.
    void setTracer(core::EventTracer* tracer);

  private:
    friend class Module;
    struct Impl;
    explicit Method(std::unique_ptr<Impl> loaded);
    std::unique_ptr<Impl> impl;
};

/// A program and its loaded methods. Memory ids from 2 on that have the same size in several methods are the
/// same memory: that is where the exporter puts state that methods share.
class Module {
  public:
    explicit Module(std::shared_ptr<const program::Program> program, const Environment& environment);
    ~Module();
    Module(Module&&) noexcept;
    Module& operator=(Module&&) noexcept;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    [[nodiscard]] const program::Program& program() const;

    /// Loads the method, or gives the one that is loaded already: values, constants, delegates, packed
    /// weights. Errors: NotFound (no such method, an operator, a backend or named data is missing: says how
    /// to supply it), Format, Unsupported, Limit.
    [[nodiscard]] core::Result<Method*> load(std::string_view method);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::executor

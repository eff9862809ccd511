#pragma once

#include <et_inspect/api.h>
#include <et_inspect/kernel.h>
#include <et_inspect/result.h>
#include <et_inspect/source.h>
#include <et_inspect/value.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace et_inspect {

/// Returns memory for an arena of a method: aligned to 64 bytes, `bytes` + 64 long, and alive as long as the
/// module and its outputs. The module fills it with zeros. An empty span: the module allocates the arena.
using ArenaSource =
    std::function<std::span<std::byte>(std::string_view method, std::size_t arena, std::uint64_t bytes)>;

struct ModuleOptions {
    LoadMode load_mode = LoadMode::Mmap;  ///< of a program and weights given as paths
    std::size_t threads = 1;              ///< of kernels and delegates; 0: as many as there are processors
    std::uint64_t seed = 0;               ///< of operators that draw random numbers
    std::uint64_t memory_limit = std::uint64_t{8} << 30;  ///< of all values of all methods, in bytes
    std::uint64_t instruction_limit = 1'000'000;          ///< per execution
    ArenaSource arenas{};                ///< memory of planned tensors; empty: the module allocates it
    std::vector<Kernel> kernels{};       ///< operators of the caller
    std::vector<std::string> plugins{};  ///< shared libraries with operators and backends
};

/// Values that a trace records besides times.
enum class TraceValues : std::uint8_t { None, Outputs, Intermediates };

struct TraceOptions {
    /// An ETDump, which tools of ExecuTorch and et-inspect read; empty: kept in memory, see Module::trace().
    std::string path{};
    TraceValues values = TraceValues::None;
    std::string debug_path{};            ///< file for values; empty: kept in memory, see trace_values()
    std::size_t max_events = 4'000'000;  ///< later ones are dropped
};

/// Declaration of an input or output.
struct ValueInfo {
    enum class Kind : std::uint8_t { None, Tensor, Int, Double, Bool, String, Other };
    Kind kind = Kind::None;
    DType dtype = DType::Float32;           ///< of a tensor
    Sizes sizes{};                          ///< of a tensor; the maximum of those that can change
    std::vector<std::uint8_t> dim_order{};  ///< of a tensor
    bool is_planned = false;                ///< its memory is part of an arena
};

/// Declaration of a method.
struct MethodInfo {
    std::string name{};
    std::vector<ValueInfo> inputs{};
    std::vector<ValueInfo> outputs{};
    std::vector<std::uint64_t> arenas{};   ///< bytes of planned memory, by number
    std::vector<std::string> backends{};   ///< of its delegates, each once
    std::vector<std::string> operators{};  ///< "aten::add.out", each once
    std::size_t instructions = 0;
};

/// Memory of a loaded method in bytes.
struct MemoryInfo {
    std::uint64_t planned = 0;         ///< all arenas
    std::uint64_t constants = 0;       ///< weights of the program and of data files, mapped
    std::uint64_t packed_weights = 0;  ///< copies in the layout of kernels and delegates
    std::uint64_t temporary_peak = 0;  ///< of a single operator
    std::uint64_t other = 0;  ///< of delegates, and for inputs, outputs and tensors without planned memory
};

/// A program and its loaded methods. Programs and methods load when they are first used; load() and
/// load_method() do it earlier. Not thread-safe, except cancel(). Several modules may run at the same time.
///
///     et_inspect::Module module("model.pte");
///     auto outputs = module.forward(et_inspect::ones({1, 3}));
///
/// Errors of all functions: those of loading the program (Io, Format, Unsupported, Limit, Mismatch) and of
/// loading a method (NotFound, Unsupported: the message names the missing operator or backend).
class ET_INSPECT_API Module {
  public:
    explicit Module(Source program, ModuleOptions options = {});
    /// `weights`: tensor data (.ptd) for constants that the program does not contain; the first file that has
    /// a name wins.
    Module(Source program, Source weights, ModuleOptions options = {});
    Module(Source program, std::vector<Source> weights, ModuleOptions options = {});
    ~Module();
    Module(Module&&) noexcept;
    Module& operator=(Module&&) noexcept;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    Result<void> load();
    bool is_loaded() const;
    /// Values, constants and delegates; packs weights. The first execution is then as fast as later ones.
    Result<void> load_method(std::string_view method = "forward");
    bool is_method_loaded(std::string_view method = "forward") const;

    Result<std::vector<std::string>> method_names();
    Result<MethodInfo> method_info(std::string_view method = "forward");
    /// Loads the method.
    Result<MemoryInfo> memory(std::string_view method = "forward");

    /// Sets an input of the next executions, until it is set again. A tensor is read at each execution, so
    /// its elements may change in between. Errors: InvalidArgument (no such input; kind, dtype or shape
    /// differs from the program's), Limit.
    Result<void> set_input(Value value, std::size_t index = 0, std::string_view method = "forward");
    Result<void> set_inputs(std::vector<Value> values, std::string_view method = "forward");
    /// Writes an output of the next executions to memory of the caller: without a copy if the program does
    /// not plan the output. Errors: InvalidArgument (no such output, not a tensor, another dtype, too small).
    Result<void> set_output(Tensor tensor, std::size_t index = 0, std::string_view method = "forward");

    /// Runs a method. `inputs` are set as by set_inputs() before. The tensors of the result show the memory
    /// of the method: the next execution overwrites them, and clone() keeps them. They keep the module's
    /// memory alive. Errors: InvalidArgument (an input is missing or differs from the program's; the
    /// arguments of an operator are wrong: the message names it), Unsupported, Limit, Cancelled.
    Result<std::vector<Value>> execute(std::string_view method, std::vector<Value> inputs = {});
    /// execute("forward", {inputs...}).
    template <class... Inputs>
        requires(std::is_constructible_v<Value, Inputs &&> && ...)
    Result<std::vector<Value>> forward(Inputs&&... inputs) {
        std::vector<Value> values;
        values.reserve(sizeof...(inputs));
        (values.emplace_back(std::forward<Inputs>(inputs)), ...);
        return execute("forward", std::move(values));
    }
    Result<std::vector<Value>> forward(std::vector<Value> inputs) {
        return execute("forward", std::move(inputs));
    }

    /// Ends running and later executions with Cancelled before the next operator. May be called from another
    /// thread or a signal handler. resume() allows executions again.
    void cancel();
    void resume();

    /// Records executions as an ETDump from now on, and loading if the program is not loaded yet. Errors: Io,
    /// InvalidArgument (a trace is being recorded).
    Result<void> start_trace(TraceOptions options = {});
    /// Stops and continues recording; executions without recording have no cost.
    void set_tracing(bool enabled);
    /// The ETDump so far. Errors: InvalidArgument (no trace is being recorded), Limit.
    Result<std::vector<std::byte>> trace() const;
    /// The recorded values so far, if they have no file.
    Result<std::vector<std::byte>> trace_values() const;
    /// Completes the files. Errors: InvalidArgument (no trace is being recorded), Io, Limit.
    Result<void> finish_trace();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl;
};

}  // namespace et_inspect

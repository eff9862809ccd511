#pragma once

#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

// Checks of the memory accesses of kernels and delegates, implemented by the caller of the runtime.
namespace et::executor {

/// A call of a kernel or delegate.
struct GuardedCall {
    enum class Kind : std::uint8_t { Prepare, Kernel, Delegate };

    Kind kind = Kind::Kernel;
    std::int32_t chain = 0;
    std::int32_t instruction = 0;
    std::span<core::Value* const> arguments;
    std::uint64_t written = 0;  ///< bit i is set if a kernel's argument i is an out argument; 0 for delegates
    const void* function = nullptr;  ///< the called kernel; null for delegates
    bool isRepeatable = false;       ///< a second call with equal arguments has an equal result
};

/// Checks one method.
class MethodGuard {
  public:
    virtual ~MethodGuard() = default;

    /// Source of temporary memory; null: the executor's own.
    [[nodiscard]] virtual kernels::ScratchSource* scratch() { return nullptr; }

    /// Called when all inputs of an execution are set, before its first instruction.
    virtual void begin() {}
    /// Calls `run` at least once; twice only if the call is repeatable. Errors: those of `run`; Limit.
    [[nodiscard]] virtual core::Result<> call(const GuardedCall& call,
                                              const std::function<core::Result<>()>& run) = 0;
    /// Called after the last instruction, or after an error.
    virtual void end(bool succeeded) { static_cast<void>(succeeded); }
};

/// Checks the methods of modules. Must outlive them.
class MemoryGuard {
  public:
    virtual ~MemoryGuard() = default;

    /// Called after the values of a method are created, by program::ValueId; may move the memory of tensors.
    /// `module` identifies the module; the other arguments outlive the result. Errors: Limit.
    [[nodiscard]] virtual core::Result<std::unique_ptr<MethodGuard>> load(const void* module,
                                                                          const program::Method& method,
                                                                          std::span<core::Value> values) = 0;
};

}  // namespace et::executor

#pragma once

#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

// Values of delegates that an interpreter computes.
namespace et::backends::reference {

/// An argument of a delegate call as a value that borrows its memory. Errors: Unsupported (its kind).
[[nodiscard]] core::Result<ReferenceValue> referenceOf(const core::Value& argument);

/// Writes a result to an argument of a delegate call, which is resized. Errors: Mismatch (its kind or dtype),
/// Unsupported (neither a tensor nor a number), those of Tensor::resize().
[[nodiscard]] core::Result<> writeArgument(const ReferenceValue& from, core::Value& to,
                                           const kernels::ThreadPool& threads);

/// Values of a delegate's mutable buffers, by their names in the graph. Their tensors are immutable and
/// shared.
struct BufferState final : executor::DelegateState {
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const override;

    Interpreter::Values buffers;
};

/// The current values of buffers; null without names. Errors: those of Interpreter::evaluate().
[[nodiscard]] core::Result<std::shared_ptr<const executor::DelegateState>> saveBuffers(
    Interpreter& interpreter, const std::vector<std::string>& names);
/// Errors: those of Interpreter::setBuffer().
[[nodiscard]] core::Result<> restoreBuffers(Interpreter& interpreter, const executor::DelegateState& state);

}  // namespace et::backends::reference

#pragma once

#include "backends/reference/interpreter.h"
#include "backends/reference/operators.h"
#include "backends/reference/value_memory.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::reference {

/// Runs operators on values. Not thread-safe.
class Calls {
  public:
    explicit Calls(const InterpreterOptions& options);

    /// State that a kernel keeps between runs of a node.
    using State = std::unique_ptr<kernels::KernelState>;
    using Results = std::vector<ReferenceValue>;

    /// `arguments`: all that the row declares, in its order. Returns one value for each of `results`. Errors:
    /// NotFound (the registry lacks the kernel), InvalidArgument, Unsupported, Limit.
    [[nodiscard]] core::Result<Results> run(const Operator& row, std::span<const ReferenceValue> arguments,
                                            std::span<const ResultKind> results, State* state = nullptr);

    /// For composed operators: runs the named operator, with defaults for missing trailing arguments, and
    /// returns one tensor of `dtype`. Errors: those of run().
    [[nodiscard]] core::Result<ReferenceTensor> tensor(std::string_view name,
                                                       std::initializer_list<ReferenceValue> arguments,
                                                       core::ScalarType dtype);
    /// The same for other results.
    [[nodiscard]] core::Result<Results> several(std::string_view name,
                                                std::span<const ReferenceValue> arguments,
                                                std::span<const ResultKind> results);

    /// A converted copy, or the tensor itself if it already has the dtype. Errors: Unsupported, Limit.
    [[nodiscard]] core::Result<ReferenceTensor> converted(const ReferenceTensor& tensor,
                                                          core::ScalarType dtype);
    /// A row-major copy, or the tensor itself if it already is row-major. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceTensor> rowMajor(const ReferenceTensor& tensor);
    /// A copy of the value if it borrows the caller's memory. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceValue> owned(const ReferenceValue& value);
    /// A tensor without dimensions: int64, float64 or bool. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceTensor> wrapped(const core::Scalar& number);
    /// An uninitialized result tensor. Errors: Limit.
    [[nodiscard]] core::Result<ResultTensor> empty(core::ScalarType dtype,
                                                   std::span<const std::int64_t> sizes) const {
        return ResultTensor::make(dtype, sizes, budget);
    }

    /// The dtype used to compute elements of dtype `exported`.
    [[nodiscard]] core::ScalarType computedType(core::ScalarType exported) const;
    [[nodiscard]] Precision precision() const { return options.precision; }
    [[nodiscard]] const kernels::ThreadPool& threads() const { return options.threads; }
    [[nodiscard]] kernels::KvCaches& caches() {
        return options.caches == nullptr ? ownCaches : *options.caches;
    }
    [[nodiscard]] const std::atomic<bool>* cancel() const { return options.cancel; }

  private:
    core::Result<Results> runKernel(const kernels::Kernel& kernel, const Operator& row,
                                    std::span<const ReferenceValue> arguments,
                                    std::span<const ResultKind> results, State& state);
    core::Result<Results> runNarrowed(const kernels::Kernel& kernel, const Operator& row,
                                      std::span<const ReferenceValue> arguments,
                                      std::span<const ResultKind> results);

    InterpreterOptions options;
    std::shared_ptr<ValueBudget> budget;
    kernels::ScratchMemory scratch;
    std::mt19937_64 generator;
    kernels::KvCaches ownCaches;
    std::uint32_t depth = 0;  ///< nesting depth of composed operators
};

/// The number in a value; nothing if it is not a number.
[[nodiscard]] std::optional<core::Scalar> scalarOf(const ReferenceValue& value);
/// "Tensor float32 [2, 3]", "Int", "List", "None", …
[[nodiscard]] std::string kindOf(const ReferenceValue& value);

}  // namespace et::backends::reference

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

/// Runs operators on values. Not for several threads at a time.
class Calls {
  public:
    explicit Calls(const InterpreterOptions& options);

    /// What a kernel keeps from one run of a node to the next.
    using State = std::unique_ptr<kernels::KernelState>;
    using Results = std::vector<ReferenceValue>;

    /// `arguments` as many as the row declares, in its order. Gives one value for each of `results`. Errors:
    /// NotFound (the registry lacks the kernel), InvalidArgument, Unsupported, Limit.
    [[nodiscard]] core::Result<Results> run(const Operator& row, std::span<const ReferenceValue> arguments,
                                            std::span<const ResultKind> results, State* state = nullptr);

    /// For composed operators: an operator by name, whose missing last arguments have their defaults and
    /// which gives one tensor of `dtype`. Errors: as run().
    [[nodiscard]] core::Result<ReferenceTensor> tensor(std::string_view name,
                                                       std::initializer_list<ReferenceValue> arguments,
                                                       core::ScalarType dtype);
    /// Likewise with other results.
    [[nodiscard]] core::Result<Results> several(std::string_view name,
                                                std::span<const ReferenceValue> arguments,
                                                std::span<const ResultKind> results);

    /// A copy with other elements' type, or the tensor itself where it has it. Errors: Unsupported, Limit.
    [[nodiscard]] core::Result<ReferenceTensor> converted(const ReferenceTensor& tensor,
                                                          core::ScalarType dtype);
    /// Row-major; the tensor itself where it is. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceTensor> rowMajor(const ReferenceTensor& tensor);
    /// The value with memory of its own, where it borrows what is the caller's. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceValue> owned(const ReferenceValue& value);
    /// A tensor without dimensions: int64, float64 or bool. Errors: Limit.
    [[nodiscard]] core::Result<ReferenceTensor> wrapped(const core::Scalar& number);
    /// A tensor to fill. Errors: Limit.
    [[nodiscard]] core::Result<ResultTensor> empty(core::ScalarType dtype,
                                                   std::span<const std::int64_t> sizes) const {
        return ResultTensor::make(dtype, sizes, budget);
    }

    /// The dtype that elements of `exported` are computed with.
    [[nodiscard]] core::ScalarType computedType(core::ScalarType exported) const;
    [[nodiscard]] Precision precision() const { return options.precision; }
    [[nodiscard]] const kernels::ThreadPool& threads() const { return options.threads; }
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
    std::uint32_t depth = 0;  ///< of composed operators
};

/// The number in a value; nothing where it has none.
[[nodiscard]] std::optional<core::Scalar> scalarOf(const ReferenceValue& value);
/// "Tensor float32 [2, 3]", "Int", "List", "None", …
[[nodiscard]] std::string kindOf(const ReferenceValue& value);

}  // namespace et::backends::reference

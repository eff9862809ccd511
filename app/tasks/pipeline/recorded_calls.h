#pragma once

#include "app/tasks/pipeline/pipeline_walk.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// A call of a stage with its values.
struct RecordedCall {
    const PipelineStage* stage = nullptr;
    std::string iteration;  ///< see iterationText()
    std::vector<ReferenceTensor> inputs;
    std::vector<ReferenceTensor> outputs;  ///< those that the stage names
};

/// The calls of a run in order, within a limit of memory.
class RecordedCalls {
  public:
    explicit RecordedCalls(std::uint64_t limit) : maxBytes(limit) {}

    /// Errors: Limit.
    [[nodiscard]] core::Result<> add(const StageCall& call);
    [[nodiscard]] const std::vector<RecordedCall>& all() const { return calls; }
    /// The call of a stage in an iteration; null: none.
    [[nodiscard]] const RecordedCall* find(std::string_view path, std::string_view iteration) const;
    /// The first call of a stage; null: none.
    [[nodiscard]] const RecordedCall* firstOf(const PipelineStage& stage) const;
    /// The calls of the same stage before and after a call; null: none.
    [[nodiscard]] const RecordedCall* before(const RecordedCall& call) const;
    [[nodiscard]] const RecordedCall* after(const RecordedCall& call) const;

  private:
    std::uint64_t maxBytes;
    std::uint64_t bytes = 0;
    std::vector<RecordedCall> calls;
};

/// Difference of two tensors.
struct TensorDifference {
    bool isComparable = true;  ///< equal sizes and dtypes
    std::string types;         ///< otherwise: "float16 [2] instead of float32 [2]"
    double relative = 0;       ///< norm of the difference over the norm of the reference
    double largest = 0;        ///< largest absolute difference
    std::size_t differing = 0;
    std::size_t elements = 0;

    bool isInteger = false;

    /// Whether the difference exceeds a relative error; integers must be equal. 0 requires equal numbers.
    [[nodiscard]] bool exceeds(double tolerance) const;
};

[[nodiscard]] TensorDifference differenceOf(const ReferenceTensor& given, const ReferenceTensor& expected);
/// Whether all are within the tolerance; false for another number of tensors.
[[nodiscard]] bool areClose(const std::vector<ReferenceTensor>& given,
                            const std::vector<ReferenceTensor>& expected, double tolerance);

}  // namespace et::tasks

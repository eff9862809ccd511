#pragma once

#include "app/tasks/model/inputs.h"
#include "bundled_program/bundle.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace et::tasks {

/// A case with the memory of its tensors.
class CaseMaker {
  public:
    explicit CaseMaker(const program::Method& called) : method(called) {}

    /// Sets values in the format of --input and --expected. Tensors are converted to the dim order planned by
    /// the method, because files are row-major. `set` must outlive the case.
    [[nodiscard]] core::Result<> setInputs(const InputSet& set);
    [[nodiscard]] core::Result<> setExpected(const InputSet& set);
    /// Copies the method's outputs of its last execution. Errors: Unsupported (a kind of value that the
    /// format cannot store).
    [[nodiscard]] core::Result<> setExpected(executor::Method& ran);
    /// Copies another case, whose tensors may have other dim orders than planned. `from` must outlive the
    /// case. Errors: Format (a tensor has more or fewer bytes than its sizes).
    [[nodiscard]] core::Result<> setCase(const bundled_program::TestCase& from);

    [[nodiscard]] const bundled_program::TestCase& made() const { return testCase; }

  private:
    [[nodiscard]] core::Result<std::vector<bundled_program::BundledValue>> convert(
        const InputSet& set, const std::vector<program::ValueId>& ids);
    [[nodiscard]] core::Result<std::vector<bundled_program::BundledValue>> convert(
        const std::vector<bundled_program::BundledValue>& from, const std::vector<program::ValueId>& ids);
    /// Returns the tensor in the dim order of the plan.
    [[nodiscard]] core::Result<bundled_program::BundledTensor> planned(bundled_program::BundledTensor given,
                                                                       const program::Value& plan);

    const program::Method& method;
    bundled_program::TestCase testCase;
    std::deque<std::vector<std::byte>> owned;
};

}  // namespace et::tasks

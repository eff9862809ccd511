#pragma once

#include "app/tasks/sanitize/checked_call.h"
#include "app/tasks/sanitize/result_check.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace et::tasks {

/// Compares the results of calls in both worlds, and finds out why they differ.
class ResultReport {
  public:
    explicit ResultReport(const CheckContext& shared) : context(shared) {}

    /// Compares all outputs and makes them equal. Unwritten bytes are reported when the value is used.
    void compare(CheckedCall& call) const;
    /// Reports that the value of a storage, which is used now, is not fully written.
    void use(ValueStorage& storage) const;

  private:
    [[nodiscard]] bool readsUndefined(const CheckedCall& call) const;
    void take(CheckedCall& call, const TensorArgument& argument) const;
    [[nodiscard]] MemoryFinding explain(CheckedCall& call, const TensorArgument& argument) const;
    /// Whether a run in the second world after `change` has a result other than `expected`.
    [[nodiscard]] bool changes(CheckedCall& call, const TensorArgument& argument,
                               const std::vector<std::byte>& expected, std::byte scratchPoison,
                               std::optional<std::byte> outputPoison,
                               const std::function<void()>& change) const;
    /// The read argument whose undefined memory the result depends on.
    [[nodiscard]] std::optional<MemoryFinding> explainByArguments(
        CheckedCall& call, const TensorArgument& argument, const std::vector<std::byte>& expected) const;

    const CheckContext& context;
};

}  // namespace et::tasks

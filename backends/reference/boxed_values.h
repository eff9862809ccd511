#pragma once

#include "backends/reference/operators.h"
#include "backends/reference/value_memory.h"
#include "runtime/core/value.h"

#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace et::backends::reference {

/// The arguments and results of one call in the form that kernels accept. Borrows the reference values.
class BoxedValues {
  public:
    explicit BoxedValues(const std::shared_ptr<ValueBudget>& counted) : budget(counted) {}

    /// Errors: InvalidArgument (a list that no kernel accepts, too deeply nested).
    [[nodiscard]] core::Result<> addArgument(const ReferenceValue& value);
    /// Errors: Unsupported (an unsupported dtype).
    [[nodiscard]] core::Result<> addResult(const ResultKind& kind);

    [[nodiscard]] std::span<core::Value* const> arguments() const { return passed; }
    /// Values written by the kernel, one per result.
    [[nodiscard]] std::vector<ReferenceValue> takeResults();

  private:
    struct Written {
        core::Value* value = nullptr;
        ResultKind::Kind kind = ResultKind::Kind::None;
        std::vector<core::Value*> items;                   ///< the tensors
        std::vector<std::shared_ptr<ValueMemory>> memory;  ///< theirs
    };

    core::Result<core::Value*> box(const ReferenceValue& value);
    core::Result<core::Value*> boxList(const ReferenceValue::List& list);
    core::Result<core::Value*> boxTensors(const ReferenceValue::List& list);
    core::Value* boxNumbers(const ReferenceValue::List& list);
    core::Result<> addTensor(core::ScalarType dtype, Written& written);
    core::Value* keep(core::Value::Kind content) { return &values.emplace_back(std::move(content)); }

    std::shared_ptr<ValueBudget> budget;
    std::deque<core::Value> values;  ///< addresses are stable
    std::vector<core::Value*> passed;
    std::vector<Written> written;
};

}  // namespace et::backends::reference

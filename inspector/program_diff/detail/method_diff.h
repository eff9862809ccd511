#pragma once

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <memory>
#include <span>

namespace et::inspector::program_diff::detail {

/// A method with the data needed to inspect it.
struct MethodSide {
    const program::Method& method;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData;
    const executor::NamedDataSource& namedData;
};

using Backends = std::span<const executor::Backend* const>;

/// Compares a method that both sides have. Errors: Limit.
[[nodiscard]] core::Result<MethodDiff> diffMethods(const MethodSide& before, const MethodSide& after,
                                                   Backends backends, ConstantComparer& comparer);

/// Describes a method that only one side has: all of it is added or removed. Errors: Limit.
[[nodiscard]] core::Result<MethodDiff> loneMethod(const MethodSide& side, Change change, Backends backends);

}  // namespace et::inspector::program_diff::detail

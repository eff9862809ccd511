#pragma once

#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/thread_pool.h"

#include <cstdint>
#include <variant>

namespace et::tasks {

/// A copy of a value: an input, an edit or a recorded result. monostate: None.
using StoredValue = std::variant<std::monostate, inspector::HostTensor, std::int64_t, double, bool>;

[[nodiscard]] StoredValue storedValue(const executor::InputValue& value);
/// Lists and texts, which instructions do not change, become None.
[[nodiscard]] StoredValue storedValue(const core::Value& value);
/// Borrows from `value`.
[[nodiscard]] executor::InputValue inputOf(const StoredValue& value);

/// Assigns `from` to a value of a method. Errors: InvalidArgument (another kind or dtype, unsuitable sizes, a
/// constant), Limit.
[[nodiscard]] core::Result<> assign(const StoredValue& from, core::Value& to,
                                    const kernels::ThreadPool& threads);

}  // namespace et::tasks

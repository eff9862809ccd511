#pragma once

#include "app/python/watched_call.h"

#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

namespace et::python {

/// Returns the result of `work(cancel)`, with the GIL released; Ctrl-C sets `cancel`, and KeyboardInterrupt
/// is raised once the work has ended. `work` must not use Python.
template <class Work>
[[nodiscard]] auto cancellable(Work&& work) {
    std::atomic<bool> cancel = false;
    std::optional<std::invoke_result_t<Work&, const std::atomic<bool>&>> result;
    watchedCall({.cancel = cancel, .timeoutSeconds = {}}, [&] { result.emplace(work(cancel)); });
    return *std::move(result);
}

}  // namespace et::python

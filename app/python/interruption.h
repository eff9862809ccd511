#pragma once

#include "app/python/watched_call.h"

#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

namespace et::python {

/// What `work(cancel)` returns, while other threads of Python run; Ctrl-C sets `cancel`, and
/// KeyboardInterrupt is raised once the work has ended. `work` touches nothing of Python.
template <class Work>
[[nodiscard]] auto interruptibly(Work&& work) {
    std::atomic<bool> cancel = false;
    std::optional<std::invoke_result_t<Work, const std::atomic<bool>&>> result;
    watchedCall({.cancel = cancel, .timeoutSeconds = std::nullopt},
                [&] { result.emplace(std::forward<Work>(work)(cancel)); });
    return *std::move(result);
}

}  // namespace et::python

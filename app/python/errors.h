#pragma once

#include "runtime/core/result.h"

#include <nanobind/nanobind.h>

#include <type_traits>
#include <utility>

namespace et::python {

/// Raises `error` as the exception of et_inspect.errors that stands for its code.
[[noreturn]] void raise(const core::Error& error);

/// The value of a result; raises its error.
template <class T>
[[nodiscard]] T unwrap(core::Result<T>&& result) {
    if (!result) {
        raise(result.error());
    }
    return *std::move(result);
}
inline void unwrap(core::Result<>&& result) {
    if (!result) {
        raise(result.error());
    }
}

/// What `work` returns, while other threads of Python run. `work` touches nothing of Python.
template <class Work>
[[nodiscard]] auto withoutGil(Work&& work) {
    const nanobind::gil_scoped_release released;
    return std::forward<Work>(work)();
}

}  // namespace et::python

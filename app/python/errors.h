#pragma once

#include "runtime/core/result.h"

#include <nanobind/nanobind.h>

#include <type_traits>
#include <utility>

namespace et::python {

/// Raises `error` as the et_inspect.errors exception for its code.
[[noreturn]] void raise(const core::Error& error);

/// Returns the value of a result, or raises its error.
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

/// Returns the result of `work`, with the GIL released. `work` must not use Python.
template <class Work>
[[nodiscard]] auto withoutGil(Work&& work) {
    const nanobind::gil_scoped_release released;
    return std::forward<Work>(work)();
}

}  // namespace et::python

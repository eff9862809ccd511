#pragma once

#include "runtime/core/result.h"

#include <string>
#include <type_traits>
#include <utility>

namespace et::serve {

/// An error of a function, as a Python exception. Thrown by functions and caught by Calls::answer(); never
/// leaves this folder.
struct Failure {
    std::string exception;  ///< class of et_inspect.errors, or a built-in one
    core::Error error;
    bool isOfKernel = false;  ///< a kernel in Python raised an exception, which is more specific
};

/// Throws `error` as the et_inspect.errors exception for its code.
[[noreturn]] void raise(core::Error error);
/// Throws a built-in exception.
[[noreturn]] void raise(std::string exception, std::string message);

/// Returns the value of a result, or throws its error.
template <class T>
[[nodiscard]] T unwrap(core::Result<T>&& result) {
    if (!result) {
        raise(std::move(result).error());
    }
    return *std::move(result);
}
inline void unwrap(core::Result<>&& result) {
    if (!result) {
        raise(std::move(result).error());
    }
}

}  // namespace et::serve

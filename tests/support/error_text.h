#pragma once

#include "runtime/core/result.h"

#include <string>

namespace et::test {

/// The message of an error, "" for success.
template <class T>
std::string errorText(const core::Result<T>& result) {
    return result ? "" : result.error().toString();
}

}  // namespace et::test

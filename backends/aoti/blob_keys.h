#pragma once

#include "backends/delegate_data.h"
#include "runtime/program/method.h"

#include <string_view>

namespace et::backends::aoti {

/// Names of the library and the weights of a delegate, in this order. Incomplete if the payload is not two
/// lines.
[[nodiscard]] DelegateDataList blobKeys(const program::Delegate& delegate, std::string_view method);

}  // namespace et::backends::aoti

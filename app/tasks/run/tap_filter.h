#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tap.h"

#include <functional>
#include <string>

namespace et::app {

/// What --taps says: "all", or a regular expression that is found in the kind of the node that makes a value
/// ("XNNConv2d"), or is the whole of its id in the delegate ("12") or of its debug handle ("handle:5").
/// Errors: InvalidArgument, Limit.
[[nodiscard]] core::Result<std::function<bool(const core::TapSite&)>> tapFilter(const std::string& text);

}  // namespace et::app

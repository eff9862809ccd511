#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tap.h"

#include <functional>
#include <string>

namespace et::tasks {

/// Parses --taps: "all", or a regular expression that is searched in the kind of the node that produces a
/// value ("XNNConv2d"), or that matches its whole id in the delegate ("12") or its whole debug handle
/// ("handle:5"). Errors: InvalidArgument, Limit.
[[nodiscard]] core::Result<std::function<bool(const core::TapSite&)>> tapFilter(const std::string& text);

}  // namespace et::tasks

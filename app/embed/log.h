#pragma once

#include <et_inspect/platform.h>

#include <string_view>

namespace et_inspect::detail {

/// Passes a line to the function of set_log().
void log(LogLevel level, std::string_view line);

}  // namespace et_inspect::detail

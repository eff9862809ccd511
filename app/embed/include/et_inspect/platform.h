#pragma once

#include <et_inspect/api.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace et_inspect {

/// "1.0.0".
ET_INSPECT_API std::string_view version();

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

/// Receives messages of the library, one line each, on the thread that called it: files and methods as they
/// load (Debug, with times), what a model does not state clearly (Warning), and every error that is returned
/// (Error). An empty function, the default, drops them. Set before other threads use the library.
ET_INSPECT_API void set_log(std::function<void(LogLevel, std::string_view)> log);

/// Replaces the clock of traces and statistics: nanoseconds that never decrease. Null: the system's monotonic
/// clock.
ET_INSPECT_API void set_clock(std::uint64_t (*nanoseconds)());

}  // namespace et_inspect

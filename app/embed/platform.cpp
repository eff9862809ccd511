#include "app/embed/log.h"
#include "runtime/core/event_tracer.h"

#include <et_inspect/platform.h>

#include <utility>

namespace et_inspect {
namespace {

std::function<void(LogLevel, std::string_view)>& logFunction() {
    static std::function<void(LogLevel, std::string_view)> function;
    return function;
}

}  // namespace

std::string_view version() {
    return ET_INSPECT_VERSION;
}

void set_log(std::function<void(LogLevel, std::string_view)> log) {
    logFunction() = std::move(log);
}

void set_clock(std::uint64_t (*nanoseconds)()) {
    et::core::hostClock.store(nanoseconds);
}

namespace detail {

void log(LogLevel level, std::string_view line) {
    if (const auto& function = logFunction()) {
        function(level, line);
    }
}

}  // namespace detail
}  // namespace et_inspect

#pragma once

#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/types.h>

#include <cinttypes>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>

#ifndef ET_MIN_LOG_LEVEL
#define ET_MIN_LOG_LEVEL Info
#endif
#ifndef ET_LOG_ENABLED
#define ET_LOG_ENABLED 1
#endif

namespace executorch::runtime {

enum class LogLevel : uint8_t { Debug, Info, Error, Fatal, NumLevels };

namespace internal {

et_timestamp_t get_log_timestamp();

ET_PRINTFLIKE(6, 0)
void vlogf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
           const char* format, va_list arguments);

ET_PRINTFLIKE(6, 7)
inline void logf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function,
                 size_t line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vlogf(level, timestamp, filename, function, line, format, arguments);
    va_end(arguments);
}

}  // namespace internal
}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::LogLevel;
}

#if ET_LOG_ENABLED
#define ET_LOG(level_, format_, ...)                                                                        \
    do {                                                                                                    \
        if (::executorch::runtime::LogLevel::level_ >= ::executorch::runtime::LogLevel::ET_MIN_LOG_LEVEL) { \
            ::executorch::runtime::internal::logf(::executorch::runtime::LogLevel::level_,                  \
                                                  ::executorch::runtime::internal::get_log_timestamp(),     \
                                                  ET_SHORT_FILENAME, ET_FUNCTION, ET_LINE, format_,         \
                                                  ##__VA_ARGS__);                                           \
        }                                                                                                   \
    } while (0)
#define ET_CHECK_OR_LOG_ERROR(condition_, format_, ...) \
    do {                                                \
        if (!(condition_)) {                            \
            ET_LOG(Error, format_, ##__VA_ARGS__);      \
        }                                               \
    } while (0)
#else
#define ET_LOG(level_, format_, ...) ((void)0)
#define ET_CHECK_OR_LOG_ERROR(condition_, format_, ...) ((void)0)
#endif

#pragma once

#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/types.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {

typedef struct {
    uint64_t numerator;
    uint64_t denominator;
} et_tick_ratio_t;

typedef enum { kDebug = 'D', kInfo = 'I', kError = 'E', kFatal = 'F', kUnknown = '?' } et_pal_log_level_t;

void et_pal_init(void);
ET_NORETURN void et_pal_abort(void);
et_timestamp_t et_pal_current_ticks(void);
et_tick_ratio_t et_pal_ticks_to_ns_multiplier(void);
void et_pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                             const char* function, size_t line, const char* message, size_t length);
void* et_pal_allocate(size_t size);
void et_pal_free(void* memory);
}

namespace executorch::runtime {

inline void pal_init() {
    et_pal_init();
}
ET_NORETURN inline void pal_abort() {
    et_pal_abort();
}
inline et_timestamp_t pal_current_ticks() {
    return et_pal_current_ticks();
}
inline et_tick_ratio_t pal_ticks_to_ns_multiplier() {
    return et_pal_ticks_to_ns_multiplier();
}
inline void* pal_allocate(size_t size) {
    return et_pal_allocate(size);
}
inline void pal_free(void* memory) {
    et_pal_free(memory);
}

}  // namespace executorch::runtime

#pragma once

#include <stdint.h>

extern "C" {
/// Nanoseconds of a steady clock.
typedef uint64_t et_timestamp_t;
}

#pragma once

/// Marks the functions and classes that the library exports.
#define ET_INSPECT_API __attribute__((visibility("default")))

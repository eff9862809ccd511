#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The former profiler's macros. The host measures operators and delegates itself.
#define EXECUTORCH_PROFILE_CREATE_BLOCK(name) ((void)(name))
#define EXECUTORCH_BEGIN_PROF(name) 0
#define EXECUTORCH_END_PROF(token) ((void)(token))
#define EXECUTORCH_SCOPE_PROF(name) ((void)(name))
#define EXECUTORCH_PROFILE_INSTRUCTION_SCOPE(chain, instruction) ((void)(chain), (void)(instruction))
#define EXECUTORCH_TRACK_ALLOCATOR(name) ((void)(name), -1)
#define EXECUTORCH_TRACK_ALLOCATION(id, size) ((void)(id), (void)(size))

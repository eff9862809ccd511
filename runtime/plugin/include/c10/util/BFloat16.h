#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>

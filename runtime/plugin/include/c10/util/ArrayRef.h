#pragma once

#include <executorch/runtime/core/array_ref.h>

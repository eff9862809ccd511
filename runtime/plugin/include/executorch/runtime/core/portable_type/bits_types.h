#pragma once

#include <executorch/runtime/core/portable_type/qint_types.h>

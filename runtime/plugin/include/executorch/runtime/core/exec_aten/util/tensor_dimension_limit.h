#pragma once

#include <cstddef>

namespace executorch::runtime {
constexpr size_t kTensorDimensionLimit = 16;
}

namespace torch::executor {
using ::executorch::runtime::kTensorDimensionLimit;
}

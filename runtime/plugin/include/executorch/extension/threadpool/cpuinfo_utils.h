#pragma once

#include <cstdint>

namespace executorch::extension::cpuinfo {
/// The number of threads of the host.
uint32_t get_num_performant_cores();
}  // namespace executorch::extension::cpuinfo

namespace torch::executorch::cpuinfo {
using ::executorch::extension::cpuinfo::get_num_performant_cores;
}

#include "backends/xnnpack/lower/partitioner.h"
namespace et::backends::xnnpack {
lowering::Partitioner makePartitioner() { return {}; }
}

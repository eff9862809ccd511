#pragma once

#include <executorch/runtime/platform/platform.h>

namespace executorch::runtime {

inline uint64_t ticks_to_ns(et_timestamp_t ticks) {
    const et_tick_ratio_t ratio = et_pal_ticks_to_ns_multiplier();
    return ticks * ratio.numerator / ratio.denominator;
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::ticks_to_ns;
}

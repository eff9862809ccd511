#pragma once

#include "inspector/events/event_rows.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::inspector::events {

/// An operator of a trace, ranked by its own time.
struct SlowOperator {
    std::string name;       ///< "conv2d · features.18.0"
    std::string source;     ///< "mobilenetv2.py:174"; empty without a record
    double share = 0;       ///< of its block's typical time, 0 to 1
    double time = 0;        ///< of one run, in the target unit
    std::size_t block = 0;  ///< into EventRows::blocks
    std::size_t event = 0;  ///< into Block::events
};

/// Returns at most `most` operators with the largest share of their block's time, largest first. Excludes
/// events that contain others: the operators inside a delegate replace its call.
[[nodiscard]] std::vector<SlowOperator> slowestOperators(const EventRows& rows, std::size_t most);

}  // namespace et::inspector::events

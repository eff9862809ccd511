#include "runtime/program/segment.h"

#include <array>
#include <utility>

namespace et::program {

std::string_view segmentUseName(SegmentUse use) {
    static constexpr std::array<std::string_view, 5> names{"unused", "constants", "mutable state",
                                                           "delegate payload", "named data"};
    return names[std::to_underlying(use)];
}

}  // namespace et::program

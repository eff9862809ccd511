#include "runtime/kernels/torchao/bit_layout.h"

#include <algorithm>
#include <array>

namespace et::kernels::torchao {
namespace {

using Fields = std::span<const BitField>;
using namespace fields;

BitLayout layoutOf(std::size_t lanes, Fields fields) {
    BitLayout layout{.lanes = lanes, .slots = 0, .planes = 0, .fields = fields};
    for (const BitField& field : fields) {
        layout.slots = std::max<std::size_t>(layout.slots, field.slot + 1U);
        layout.planes = std::max<std::size_t>(layout.planes, field.plane + 1U);
    }
    return layout;
}

/// Lanes of layouts with eight slots: as many as the run has integers for, but bytes of 32 integers follow
/// the order of the integers.
std::size_t lanesOfEight(std::size_t count) {
    return count == 32 ? 1 : count / 8;
}

}  // namespace

BitLayout bitLayout(int bits, std::size_t count) {
    switch (bits) {
        case 1:
            return layoutOf(lanesOfEight(count), count == 64 ? Fields(oneBitOf64) : Fields(descending<1>));
        case 2:
            return layoutOf(count == 32 ? 8 : 16, descending<2>);
        case 3:
            return layoutOf(lanesOfEight(count), threeBits);
        case 4:
            return layoutOf(16, fourBits);
        case 5:
            return layoutOf(lanesOfEight(count), count == 64 ? Fields(fiveBitsOf64) : Fields(fiveBits));
        case 6:
            return layoutOf(count == 32 ? 8 : 16, sixBits);
        case 7:
            return layoutOf(lanesOfEight(count), sevenBits);
        default:
            return layoutOf(16, eightBits);
    }
}

}  // namespace et::kernels::torchao

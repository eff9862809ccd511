#include "backends/xnnpack/custom_kernels/byte_rows.h"

#include <algorithm>
#include <utility>

namespace et::backends::xnnpack {
namespace {

/// Shorter rows cost more overhead than computation.
constexpr std::size_t minRow = 2048;

std::size_t sizeOf(const ValueSizes& sizes, std::size_t fromLast) {
    return fromLast < sizes.size() ? sizes[sizes.size() - 1 - fromLast] : 1;
}

}  // namespace

void ByteRows::reshape(const ValueSizes& left, const ValueSizes& right, const ValueSizes& result) {
    std::vector<Dimension> dimensions;  // starting with the last one
    std::size_t leftBytes = 1;
    std::size_t rightBytes = 1;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t size = sizeOf(result, i);
        const Dimension next{.size = size,
                             .leftStep = sizeOf(left, i) == 1 ? 0 : leftBytes,
                             .rightStep = sizeOf(right, i) == 1 ? 0 : rightBytes};
        leftBytes *= sizeOf(left, i);
        rightBytes *= sizeOf(right, i);
        if (size == 1) {
            continue;
        }
        const bool goesOn = !dimensions.empty() &&
                            (dimensions.back().leftStep == 0) == (next.leftStep == 0) &&
                            (dimensions.back().rightStep == 0) == (next.rightStep == 0);
        if (goesOn) {
            dimensions.back().size *= size;
        } else {
            dimensions.push_back(next);
        }
    }
    split(std::move(dimensions));
}

/// A block is the innermost dimension, together with the next outer one if an input repeats along it.
void ByteRows::split(std::vector<Dimension> dimensions) {
    const auto sideOf = [&](std::size_t i) {
        return i >= dimensions.size() || (dimensions[i].leftStep != 0 && dimensions[i].rightStep != 0)
                   ? Side::Neither
               : dimensions[i].leftStep == 0 ? Side::Left
                                             : Side::Right;
    };
    const std::size_t inner = dimensions.empty() ? 1 : dimensions.front().size;
    std::size_t used = std::min<std::size_t>(dimensions.size(), 1);
    repeated = sideOf(0);
    period = 1;
    block = inner;
    if (repeated == Side::Neither && dimensions.size() > 1) {
        repeated = sideOf(1);
        period = inner;
        block *= dimensions[1].size;
        used = 2;
    }
    row = period;
    pattern.clear();
    if (repeated != Side::Neither && period != 0 && period < minRow) {
        row = std::min((minRow + period - 1) / period * period, block);
        pattern.resize(row);
    }
    outer.assign(dimensions.begin() + static_cast<std::ptrdiff_t>(used), dimensions.end());
    groups = block == 0 ? 0 : 1;
    for (const Dimension& dimension : outer) {
        groups *= dimension.size;
    }
}

std::size_t ByteRows::offsetOf(std::size_t group, std::size_t Dimension::* step) const {
    std::size_t offset = 0;
    for (const Dimension& dimension : outer) {
        offset += group % dimension.size * (dimension.*step);
        group /= dimension.size;
    }
    return offset;
}

const std::uint8_t* ByteRows::repeat(const std::uint8_t* from) {
    if (pattern.empty()) {
        return from;
    }
    std::copy_n(from, std::min(period, row), pattern.begin());
    for (std::size_t done = period; done < row; done *= 2) {
        std::copy_n(pattern.begin(), std::min(done, row - done),
                    pattern.begin() + static_cast<std::ptrdiff_t>(done));
    }
    return pattern.data();
}

}  // namespace et::backends::xnnpack

#include "runtime/kernels/move_elements.h"

#include <hwy/highway.h>

#include <array>
#include <cassert>
#include <cstring>

namespace et::kernels {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t registerBytes = 16;

using Word16 = std::array<std::uint64_t, 2>;

// Tensors of any dtype are passed as bytes, so words are also read and written as bytes.
template <class Word>
Word load(const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}
template <class Word>
void store(Word word, std::byte* to) {
    std::memcpy(to, &word, sizeof word);
}

template <class Word>
void moveRow(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
             std::int64_t count) {
    constexpr std::int64_t width = sizeof(Word);
    if (fromStep == 0 && toStep == width) {
        const auto word = load<Word>(from);
        for (std::int64_t i = 0; i < count; ++i) {
            store(word, to + i * width);
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        store(load<Word>(from + i * fromStep), to + i * toStep);
    }
}

/// The inner loop uses the smaller steps: large ones are often powers of two, and cache lines at such
/// distances evict each other.
bool innerIsB(std::int64_t fromStep, std::int64_t toStep) {
    return fromStep < toStep;
}

template <class Word>
void transposePlain(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
                    std::int64_t countA, std::int64_t countB) {
    constexpr std::int64_t width = sizeof(Word);
    if (innerIsB(fromStep, toStep)) {
        for (std::int64_t a = 0; a < countA; ++a) {
            moveRow<Word>(from + a * width, fromStep, to + a * toStep, width, countB);
        }
    } else {
        for (std::int64_t b = 0; b < countB; ++b) {
            moveRow<Word>(from + b * fromStep, width, to + b * width, toStep, countA);
        }
    }
}

/// Transposes a square block in 16-byte registers, which every supported CPU has.
template <class Word>
void transposeBlock(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep) {
    constexpr std::size_t side = registerBytes / sizeof(Word);
    const hn::FixedTag<Word, side> tag;
    const hn::FixedTag<std::uint8_t, registerBytes> bytes;
    std::array<decltype(hn::Zero(tag)), side> rows;
    for (std::size_t i = 0; i < side; ++i) {
        const auto* row =
            reinterpret_cast<const std::uint8_t*>(from + static_cast<std::int64_t>(i) * fromStep);
        rows[i] = hn::BitCast(tag, hn::LoadU(bytes, row));
    }
    // Interleaving each row with the one half a block below moves the elements of a column one step closer
    // together; after all steps they form a row.
    for (std::size_t distance = 1; distance < side; distance *= 2) {
        auto mixed = rows;
        for (std::size_t i = 0; i < side / 2; ++i) {
            mixed[2 * i] = hn::InterleaveLower(tag, rows[i], rows[i + side / 2]);
            mixed[2 * i + 1] = hn::InterleaveUpper(tag, rows[i], rows[i + side / 2]);
        }
        rows = mixed;
    }
    for (std::size_t i = 0; i < side; ++i) {
        auto* row = reinterpret_cast<std::uint8_t*>(to + static_cast<std::int64_t>(i) * toStep);
        hn::StoreU(hn::BitCast(bytes, rows[i]), bytes, row);
    }
}

template <class Word>
void transposeTile(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
                   std::int64_t countA, std::int64_t countB) {
    constexpr std::int64_t width = sizeof(Word);
    constexpr std::int64_t side = registerBytes / width;
    const std::int64_t wholeA = countA / side * side;
    const std::int64_t wholeB = countB / side * side;
    const auto transposeAt = [&](std::int64_t a, std::int64_t b) {
        transposeBlock<Word>(from + a * width + b * fromStep, fromStep, to + a * toStep + b * width, toStep);
    };
    if (innerIsB(fromStep, toStep)) {
        for (std::int64_t a = 0; a < wholeA; a += side) {
            for (std::int64_t b = 0; b < wholeB; b += side) {
                transposeAt(a, b);
            }
        }
    } else {
        for (std::int64_t b = 0; b < wholeB; b += side) {
            for (std::int64_t a = 0; a < wholeA; a += side) {
                transposeAt(a, b);
            }
        }
    }
    transposePlain<Word>(from + wholeA * width, fromStep, to + wholeA * toStep, toStep, countA - wholeA,
                         wholeB);
    transposePlain<Word>(from + wholeB * fromStep, fromStep, to + wholeB * width, toStep, countA,
                         countB - wholeB);
}

struct Mover {
    std::size_t width;
    MoveRow row;
    TransposeTile tile;
};

constexpr std::array movers{
    Mover{1, &moveRow<std::uint8_t>, &transposeTile<std::uint8_t>},
    Mover{2, &moveRow<std::uint16_t>, &transposeTile<std::uint16_t>},
    Mover{4, &moveRow<std::uint32_t>, &transposeTile<std::uint32_t>},
    Mover{8, &moveRow<std::uint64_t>, &transposeTile<std::uint64_t>},
    Mover{16, &moveRow<Word16>, &transposePlain<Word16>},
};

const Mover& selectMover(std::size_t width) {
    for (const Mover& mover : movers) {
        if (mover.width == width) {
            return mover;
        }
    }
    assert(!"an element of another width");
    return movers.front();
}

}  // namespace

MoveRow selectMoveRow(std::size_t width) {
    return selectMover(width).row;
}

TransposeTile selectTransposeTile(std::size_t width) {
    return selectMover(width).tile;
}

}  // namespace et::kernels

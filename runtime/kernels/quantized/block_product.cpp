// Products are rounded before they are added, as in XNNPACK, so this file is compiled without FP contraction.
#include "runtime/kernels/quantized/block_product.h"

#include "runtime/kernels/quantized/vnni.h"

#include <algorithm>
#include <cstring>

namespace et::kernels::quantized {
namespace {

/// Outputs per vector.
constexpr std::size_t lanes = 16;
/// Inputs per weight vector for these outputs: four in the low bits and four in the high bits.
constexpr std::size_t vectorInputs = 8;
constexpr std::size_t vectorBytes = 64;
/// Groups of `lanes` outputs per work item.
constexpr std::size_t pieceGroups = 2;
/// Rows that are computed together: limited by the number of registers.
constexpr std::size_t maxTileRows = 6;
/// Bytes of rows that stay in the cache while all their outputs are computed.
constexpr std::size_t chunkBytes = std::size_t{1} << 18U;
/// Weights are in the high bits of their bytes.
constexpr float weightFactor = 16;

std::size_t groupsOf(const BlockProductShape& shape) {
    return (shape.outputs + lanes - 1) / lanes;
}

/// Number of rows in a chunk.
std::size_t chunkRows(const BlockProductShape& shape) {
    const std::size_t tiles = chunkBytes / (shape.depth * maxTileRows);
    return std::max<std::size_t>(tiles, 1) * maxTileRows;
}

std::size_t countChunks(const BlockProductShape& shape, std::size_t rows) {
    return (rows + chunkRows(shape) - 1) / chunkRows(shape);
}

/// Layout of packed weights. Each section is ordered by group: vectors of weights; scales of each block;
/// negated sums of all weights times their scales; biases.
struct Places {
    explicit Places(const BlockProductShape& shape)
        : groupBytes(shape.depth / vectorInputs * vectorBytes),
          groupScales(shape.depth / shape.block * lanes),
          scales(groupsOf(shape) * groupBytes),
          sums(scales + groupsOf(shape) * groupScales * sizeof(std::uint16_t)),
          biases(sums + groupsOf(shape) * lanes * sizeof(float)),
          end(biases + groupsOf(shape) * lanes * sizeof(float)) {}

    std::size_t groupBytes;   ///< of weights
    std::size_t groupScales;  ///< numbers
    std::size_t scales;
    std::size_t sums;
    std::size_t biases;
    std::size_t end;
};

/// Several rows with the outputs of several groups.
struct Tile {
    std::size_t depth;
    std::size_t blocks;
    std::size_t blockVectors;
    const std::uint8_t* rows;
    const float* rowScales;
    const float* rowZeros;
    const std::byte* weights;
    std::size_t groupBytes;
    const std::uint16_t* scales;
    std::size_t groupScales;
    const float* sums;
    const float* biases;
    float* to;
    std::size_t outputs;  ///< outputs per row
    std::size_t count;    ///< valid outputs in this tile
    float least;
    float most;
};

#if defined(__x86_64__)
ET_VNNI_INLINE __m512i lowerWeights(__m512i both) {
    return _mm512_and_si512(_mm512_slli_epi32(both, 4), _mm512_set1_epi8(static_cast<char>(0xF0)));
}

ET_VNNI_INLINE __m512i higherWeights(__m512i both) {
    return _mm512_and_si512(both, _mm512_set1_epi8(static_cast<char>(0xF0)));
}

ET_VNNI_INLINE __m512 floatsOf(__m256i halves) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/// Integer sums of a block.
template <std::size_t rows, std::size_t groups>
struct BlockSums {
    /// Consecutive additions depend on each other: fewer than eight independent sums leave the CPU idle.
    static constexpr bool isSplit = rows * groups < 8;

    ET_VNNI_INLINE void addVectors(const Tile& tile, const std::uint8_t* input, const std::byte* weights) {
        __m512i lower[groups];
        __m512i higher[groups];
#pragma GCC unroll 8
        for (std::size_t group = 0; group < groups; ++group) {
            const __m512i both = _mm512_loadu_si512(weights + group * tile.groupBytes);
            lower[group] = lowerWeights(both);
            higher[group] = higherWeights(both);
        }
#pragma GCC unroll 8
        for (std::size_t row = 0; row < rows; ++row) {
            const __m512i even = fourBytes(input + row * tile.depth);
            const __m512i odd = fourBytes(input + row * tile.depth + vectorInputs / 2);
#pragma GCC unroll 8
            for (std::size_t group = 0; group < groups; ++group) {
                first[row][group] = _mm512_dpbusd_epi32(first[row][group], even, lower[group]);
                __m512i& sum = isSplit ? second[row][group] : first[row][group];
                sum = _mm512_dpbusd_epi32(sum, odd, higher[group]);
            }
        }
    }

    [[nodiscard]] ET_VNNI_INLINE __m512 at(std::size_t row, std::size_t group) const {
        return _mm512_cvtepi32_ps(isSplit ? _mm512_add_epi32(first[row][group], second[row][group])
                                          : first[row][group]);
    }

    __m512i first[rows][groups]{};
    __m512i second[isSplit ? rows : 1][groups]{};
};

template <std::size_t rows, std::size_t groups>
ET_VNNI void computeTile(const Tile& tile) {
    __m512 totals[rows][groups];
#pragma GCC unroll 8
    for (std::size_t row = 0; row < rows; ++row) {
        const __m512 zero = _mm512_set1_ps(tile.rowZeros[row] + 128);
#pragma GCC unroll 8
        for (std::size_t group = 0; group < groups; ++group) {
            totals[row][group] = _mm512_mul_ps(_mm512_loadu_ps(tile.sums + group * lanes), zero);
        }
    }
    const std::uint8_t* input = tile.rows;
    const std::byte* weights = tile.weights;
    for (std::size_t block = 0; block < tile.blocks; ++block) {
        BlockSums<rows, groups> sums;
        for (std::size_t i = 0; i < tile.blockVectors; ++i) {
            sums.addVectors(tile, input, weights);
            input += vectorInputs;
            weights += vectorBytes;
        }
#pragma GCC unroll 8
        for (std::size_t group = 0; group < groups; ++group) {
            const auto* const at = tile.scales + group * tile.groupScales + block * lanes;
            const __m512 scales = floatsOf(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
#pragma GCC unroll 8
            for (std::size_t row = 0; row < rows; ++row) {
                totals[row][group] = _mm512_fmadd_ps(sums.at(row, group), scales, totals[row][group]);
            }
        }
    }
    const __m512 least = _mm512_set1_ps(tile.least);
    const __m512 most = _mm512_set1_ps(tile.most);
#pragma GCC unroll 8
    for (std::size_t row = 0; row < rows; ++row) {
        const __m512 scale = _mm512_set1_ps(tile.rowScales[row] / weightFactor);
#pragma GCC unroll 8
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t left = tile.count - group * lanes;
            const auto mask = static_cast<__mmask16>(left < lanes ? (1U << left) - 1 : 0xFFFFU);
            const __m512 sum = _mm512_add_ps(_mm512_mul_ps(totals[row][group], scale),
                                             _mm512_loadu_ps(tile.biases + group * lanes));
            _mm512_mask_storeu_ps(tile.to + row * tile.outputs + group * lanes, mask,
                                  _mm512_min_ps(_mm512_max_ps(sum, least), most));
        }
    }
}

/// Packs the weights of a group.
ET_VNNI void packGroup(const BlockWeights& from, std::size_t group, std::byte* to) {
    const BlockProductShape& shape = from.shape;
    const Places places(shape);
    const std::size_t first = group * lanes;
    const std::size_t count = std::min(lanes, shape.outputs - first);
    const std::size_t blocks = shape.depth / shape.block;
    const std::size_t rowBytes = shape.depth / 2;
    // Lanes after the last output repeat it.
    std::int32_t offsets[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        offsets[lane] = static_cast<std::int32_t>(std::min(lane, count - 1) * rowBytes);
    }
    const __m512i rows = _mm512_loadu_si512(offsets);
    const __m512i turn = _mm512_set1_epi8(static_cast<char>(0x88));
    const __m512i ones = _mm512_set1_epi8(1);
    const std::byte* pairs = from.pairs + first * rowBytes;
    std::byte* vectors = to + group * places.groupBytes;
    __m512 sums = _mm512_setzero_ps();
    for (std::size_t block = 0; block < blocks; ++block) {
        std::uint16_t halves[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            halves[lane] = from.scales[(first + std::min(lane, count - 1)) * blocks + block];
        }
        const __m256i packed = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves));
        const __m512 scales = floatsOf(packed);
        std::memcpy(to + places.scales + (group * blocks + block) * sizeof(halves), halves, sizeof(halves));
        // XNNPACK sums 16 inputs before rounding.
        for (std::size_t i = 0; i < shape.block; i += 2 * vectorInputs) {
            __m512i sum = _mm512_setzero_si512();
#pragma GCC unroll 2
            for (int each = 0; each < 2; ++each) {
                const __m512i both = _mm512_xor_si512(_mm512_i32gather_epi32(rows, pairs, 1), turn);
                _mm512_storeu_si512(vectors, both);
                sum = _mm512_dpbusd_epi32(sum, ones, lowerWeights(both));
                sum = _mm512_dpbusd_epi32(sum, ones, higherWeights(both));
                pairs += vectorInputs / 2;
                vectors += vectorBytes;
            }
            sums = _mm512_sub_ps(sums, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scales));
        }
    }
    _mm512_storeu_ps(to + places.sums + group * lanes * sizeof(float), sums);
}
#else
template <std::size_t rows, std::size_t groups>
void computeTile(const Tile&) {
}

void packGroup(const BlockWeights&, std::size_t, std::byte*) {
}
#endif

template <std::size_t groups>
void computeRows(const Tile& tile, std::size_t rows) {
    switch (rows) {
        case 1:
            return computeTile<1, groups>(tile);
        case 2:
            return computeTile<2, groups>(tile);
        case 3:
            return computeTile<3, groups>(tile);
        case 4:
            return computeTile<4, groups>(tile);
        case 5:
            return computeTile<5, groups>(tile);
        default:
            return computeTile<maxTileRows, groups>(tile);
    }
}

/// Returns the number of groups to compute at once.
std::size_t tileGroups(std::size_t rows, std::size_t left) {
    return rows == 1 && left >= 4 ? 4 : std::min(left, pieceGroups);
}

void computeGroups(const Tile& tile, std::size_t rows, std::size_t groups) {
    if (groups == 4) {
        computeTile<1, 4>(tile);
    } else if (groups == 2) {
        computeRows<2>(tile, rows);
    } else {
        computeRows<1>(tile, rows);
    }
}

}  // namespace

std::size_t BlockProduct::packedBytes(const BlockProductShape& shape) {
    return Places(shape).end;
}

void BlockProduct::pack(const BlockWeights& weights, std::byte* to) {
    const Places places(weights.shape);
    for (std::size_t group = 0; group < groupsOf(weights.shape); ++group) {
        packGroup(weights, group, to);
    }
    std::memset(to + places.biases, 0, places.end - places.biases);
    if (weights.bias != nullptr) {
        std::memcpy(to + places.biases, weights.bias, weights.shape.outputs * sizeof(float));
    }
}

std::size_t BlockProduct::pieces(std::size_t rows) const {
    return countChunks(form, rows) * ((groupsOf(form) + pieceGroups - 1) / pieceGroups);
}

void BlockProduct::compute(const QuantizedRows& rows, std::size_t begin, std::size_t end, float* to) const {
    const std::size_t chunkPieces = (groupsOf(form) + pieceGroups - 1) / pieceGroups;
    const std::size_t wholeChunk = chunkRows(form);
    while (begin < end) {
        const std::size_t first = begin / chunkPieces * wholeChunk;
        const std::size_t inside = begin % chunkPieces;
        const std::size_t count = std::min(end - begin, chunkPieces - inside);
        const QuantizedRows chunk{.bytes = rows.bytes + first * form.depth,
                                  .scales = rows.scales + first,
                                  .zeroPoints = rows.zeroPoints + first,
                                  .count = std::min(wholeChunk, rows.count - first)};
        computeChunk(chunk, inside * pieceGroups, std::min((inside + count) * pieceGroups, groupsOf(form)),
                     to + first * form.outputs);
        begin += count;
    }
}

void BlockProduct::computeChunk(const QuantizedRows& rows, std::size_t firstGroup, std::size_t endGroup,
                                float* to) const {
    const Places places(form);
    const std::size_t tiles = (rows.count + maxTileRows - 1) / maxTileRows;
    Tile tile{.depth = form.depth,
              .blocks = form.depth / form.block,
              .blockVectors = form.block / vectorInputs,
              .rows = rows.bytes,
              .rowScales = rows.scales,
              .rowZeros = rows.zeroPoints,
              .weights = memory,
              .groupBytes = places.groupBytes,
              .scales = reinterpret_cast<const std::uint16_t*>(memory + places.scales),
              .groupScales = places.groupScales,
              .sums = reinterpret_cast<const float*>(memory + places.sums),
              .biases = reinterpret_cast<const float*>(memory + places.biases),
              .to = to,
              .outputs = form.outputs,
              .count = form.outputs,
              .least = least,
              .most = most};
    std::size_t groups = 0;
    for (std::size_t group = firstGroup; group < endGroup; group += groups) {
        groups = tileGroups(rows.count, endGroup - group);
        for (std::size_t i = 0; i < tiles; ++i) {
            // Tiles have about the same number of rows.
            const std::size_t row = rows.count * i / tiles;
            Tile some = tile;
            some.rows += row * form.depth;
            some.rowScales += row;
            some.rowZeros += row;
            some.weights += group * places.groupBytes;
            some.scales += group * places.groupScales;
            some.sums += group * lanes;
            some.biases += group * lanes;
            some.to += row * form.outputs + group * lanes;
            some.count -= group * lanes;
            computeGroups(some, rows.count * (i + 1) / tiles - row, groups);
        }
    }
}

}  // namespace et::kernels::quantized

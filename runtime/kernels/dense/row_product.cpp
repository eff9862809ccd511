#include "runtime/kernels/dense/row_product.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/row_product.cpp"
// Must precede highway.h.
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ET_ROW_PRODUCT_LIMITS
#define ET_ROW_PRODUCT_LIMITS
namespace et::kernels::dense {
namespace {

/// Maximum rows of the left matrix.
constexpr std::size_t maxProductRows = 4;
constexpr std::size_t widestColumns = 16;

}  // namespace
}  // namespace et::kernels::dense
#endif

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// Elements of a column that are read at once: one block of a vector.
constexpr std::size_t piece = 4;
constexpr std::size_t lineNumbers = 16;
/// Prefetch distance in elements. Each column is a stream, and there are more streams than the hardware
/// prefetcher tracks.
constexpr std::size_t numbersAhead = 4 * lineNumbers;
/// Vectors of columns that are computed together, to hide the latency of additions.
constexpr std::size_t vectors = 2;

/// Loads `count` elements (at most a piece) from one column per block of a vector, with `step` elements
/// between columns.
template <std::size_t... others>
HWY_INLINE V loadBlocks(const float* first, std::size_t step, std::size_t count,
                        std::index_sequence<others...> /*all but the first*/) {
    const hn::FixedTag<float, piece> block;
    const auto load = [&](const float* from) HWY_ATTR {
        return count == piece ? hn::LoadU(block, from) : hn::LoadN(block, from, count);
    };
    V loaded = hn::ResizeBitCast(Floats(), load(first));
    ((loaded = hn::InsertBlock<others + 1>(loaded, load(first + (others + 1) * step))), ...);
    return loaded;
}

/// Adds the products of `count` elements of each column, starting at `right`. `left`: packed.
template <std::size_t rows>
HWY_INLINE void addPiece(const float* left, const float* right, std::size_t depth, std::size_t count,
                         V (&sums)[rows]) {
    const Floats d;
    const hn::RepartitionToWide<hn::RebindToUnsigned<Floats>> pairs;
    constexpr std::make_index_sequence<HWY_MAX_LANES_D(Floats) / piece - 1> others;
    const auto blocksFrom = [&](std::size_t column) HWY_ATTR {
        return loadBlocks(right + column * depth, piece * depth, count, others);
    };
    const V columns[piece] = {blocksFrom(0), blocksFrom(1), blocksFrom(2), blocksFrom(3)};
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, columns[0], columns[1]));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, columns[0], columns[1]));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, columns[2], columns[3]));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, columns[2], columns[3]));
    const V numbers[piece] = {hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)),
                              hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)),
                              hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)),
                              hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23))};
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t r = 0; r < rows; ++r) {
            sums[r] = hn::MulAdd(hn::Set(d, left[k * stripRows + r]), numbers[k], sums[r]);
        }
    }
}

/// Computes `count` vectors of columns, starting at `right`.
template <std::size_t rows, std::size_t count>
HWY_INLINE void multiplyVectors(const MatrixProduct<float>& product, const float* right, float* result) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    V sums[count][rows];
    for (auto& vector : sums) {
        for (std::size_t r = 0; r < rows; ++r) {
            vector[r] = product.bias == nullptr ? hn::Zero(d) : hn::Set(d, product.bias[r]);
        }
    }
    const auto add = [&](std::size_t k, std::size_t numbers) HWY_ATTR {
        for (std::size_t v = 0; v < count; ++v) {
            addPiece<rows>(product.left + k * stripRows, right + v * lanes * product.depth + k, product.depth,
                           numbers, sums[v]);
        }
    };
    std::size_t k = 0;
    for (; k + lineNumbers <= product.depth; k += lineNumbers) {
        for (std::size_t column = 0; column < count * lanes; ++column) {
            hwy::Prefetch(right + column * product.depth + k + numbersAhead);
        }
        for (std::size_t i = 0; i < lineNumbers; i += piece) {
            add(k + i, piece);
        }
    }
    for (; k < product.depth; k += piece) {
        add(k, std::min(piece, product.depth - k));
    }
    for (std::size_t v = 0; v < count; ++v) {
        for (std::size_t r = 0; r < rows; ++r) {
            hn::StoreU(sums[v][r], d, result + r * product.resultStride + v * lanes);
        }
    }
}

template <std::size_t rows>
void multiplyColumns(const MatrixProduct<float>& product, std::size_t column, std::size_t end) {
    const std::size_t lanes = hn::Lanes(Floats());
    for (; column + vectors * lanes <= end; column += vectors * lanes) {
        multiplyVectors<rows, vectors>(product, product.right + column * product.depth,
                                       product.result + column);
    }
    while (column < end) {
        // The last vector starts early enough to be whole; results computed twice are identical.
        const std::size_t at = std::min(column, end - lanes);
        multiplyVectors<rows, 1>(product, product.right + at * product.depth, product.result + at);
        column = at + lanes;
    }
}

/// Computes columns from `column` up to `end`, at least as many as the widest vector has.
void multiplySomeColumns(const MatrixProduct<float>& product, std::size_t column, std::size_t end) {
    switch (product.rows) {
        case 1:
            return multiplyColumns<1>(product, column, end);
        case 2:
            return multiplyColumns<2>(product, column, end);
        case 3:
            return multiplyColumns<3>(product, column, end);
        default:
            return multiplyColumns<maxProductRows>(product, column, end);
    }
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(multiplySomeColumns);

bool hasFewRows(const MatrixProduct<float>& product) {
    return product.rightColumnStride == product.depth && product.rightStride == 1 && product.batch == 1 &&
           product.rows <= maxProductRows && product.columns >= widestColumns && product.steps.empty();
}

void multiplyFewRows(const ThreadPool& threads, const MatrixProduct<float>& product) {
    const std::size_t pieces = product.columns / widestColumns;
    const std::size_t workers = std::min(threads.threads(), pieces);
    threads.parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        HWY_DYNAMIC_DISPATCH(multiplySomeColumns)
        (product, begin * pieces / workers * widestColumns,
         end == workers ? product.columns : end * pieces / workers * widestColumns);
    });
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE

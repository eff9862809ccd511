#include "runtime/kernels/dense/matrix_product.h"

#include "runtime/kernels/dense/row_product.h"
#include "runtime/kernels/move_elements.h"
#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/matrix_product.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Compiled for each instruction set.
#include "runtime/kernels/result_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 24 sums, 3 vectors of the right matrix and one of the left fit in 32 registers; half the rows fit in 16.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t maxRows = 8;
#else
constexpr std::size_t maxRows = 4;
#endif
constexpr std::size_t maxVectors = 3;

/// The next vectors of several rows of a product.
template <class T>
struct Block {
    const TileProduct<T>& product;
    const T* left;  ///< first row in a packed strip
    std::size_t row;
    std::size_t column;
    std::size_t lastColumns;  ///< columns of the last vector
};

/// Computes `rows` x `vectors` vectors of the result. `isScattered`: TileProduct::rightPlaces is set.
template <std::size_t rows, std::size_t vectors, bool isScattered, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiplyBlock(D d, const Block<T>& block) {
    using V = hn::Vec<D>;
    const TileProduct<T>& product = block.product;
    const std::size_t lanes = hn::Lanes(d);
    V sums[rows][vectors];
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[r][v] = product.bias == nullptr ? hn::Zero(d) : hn::Set(d, product.bias[block.row + r]);
        }
    }
    const T* left = block.left;
    const T* right = product.right + block.column;
    for (std::size_t k = 0; k < product.depth; ++k) {
        const T* const from = isScattered ? right + product.rightPlaces[k] : right;
        V columns[vectors];
        for (std::size_t v = 0; v < vectors; ++v) {
            columns[v] = hn::LoadU(d, from + v * lanes);
        }
        for (std::size_t r = 0; r < rows; ++r) {
            const V row = hn::Set(d, left[r]);
            for (std::size_t v = 0; v < vectors; ++v) {
                sums[r][v] = hn::MulAdd(row, columns[v], sums[r][v]);
            }
        }
        left += stripRows;
        right += isScattered ? 0 : product.rightStride;
    }
    if constexpr (std::is_same_v<T, float>) {
        kernels::HWY_NAMESPACE::doSteps(d, product.steps, product.channel + block.row, sums);
    }
    for (std::size_t r = 0; r < rows; ++r) {
        T* result = product.result + (block.row + r) * product.resultStride + block.column;
        for (std::size_t v = 0; v + 1 < vectors; ++v) {
            hn::StoreU(sums[r][v], d, result + v * lanes);
        }
        if (block.lastColumns == lanes) {
            hn::StoreU(sums[r][vectors - 1], d, result + (vectors - 1) * lanes);
        } else {
            hn::StoreN(sums[r][vectors - 1], d, result + (vectors - 1) * lanes, block.lastColumns);
        }
    }
}

template <std::size_t rows, bool isScattered, class T>
HWY_NOINLINE void multiplyColumns(Block<T> block) {
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t rest = block.product.columns; rest > 0;) {
        // Four vectors are split two and two: a single one would wait for its own sums.
        const std::size_t left = (rest + lanes - 1) / lanes;
        const std::size_t vectors = left == maxVectors + 1 ? 2 : std::min(left, maxVectors);
        const std::size_t done = std::min(rest, vectors * lanes);
        block.lastColumns = done - (vectors - 1) * lanes;
        switch (vectors) {
            case 1:
                multiplyBlock<rows, 1, isScattered>(d, block);
                break;
            case 2:
                multiplyBlock<rows, 2, isScattered>(d, block);
                break;
            default:
                multiplyBlock<rows, maxVectors, isScattered>(d, block);
                break;
        }
        rest -= done;
        block.column += done;
    }
}

template <bool isScattered, class T>
HWY_INLINE void multiplyRows(const TileProduct<T>& product) {
    for (std::size_t row = 0; row < product.rows;) {
        const std::size_t inStrip = row % stripRows;
        const std::size_t rest = std::min(product.rows - row, stripRows - inStrip);
        const Block<T> block{.product = product,
                             .left = product.left + (row - inStrip) * product.depth + inStrip,
                             .row = row,
                             .column = 0,
                             .lastColumns = 0};
        if (rest >= maxRows) {
            multiplyColumns<maxRows, isScattered>(block);
            row += maxRows;
        } else if (rest >= 4) {
            multiplyColumns<4, isScattered>(block);
            row += 4;
        } else if (rest >= 2) {
            multiplyColumns<2, isScattered>(block);
            row += 2;
        } else {
            multiplyColumns<1, isScattered>(block);
            row += 1;
        }
    }
}

void multiplyFloats(const TileProduct<float>& product) {
    product.rightPlaces == nullptr ? multiplyRows<false>(product) : multiplyRows<true>(product);
}

void multiplyDoubles(const TileProduct<double>& product) {
    multiplyRows<false>(product);
}

}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {
namespace {

HWY_EXPORT(multiplyFloats);
HWY_EXPORT(multiplyDoubles);

/// Maximum reach of a vector load: columns are read in whole vectors of at most this many elements.
constexpr std::size_t widestVector = 16;

template <class T>
auto rowsFunction() {
    if constexpr (std::is_same_v<T, float>) {
        return HWY_DYNAMIC_POINTER(multiplyFloats);
    } else {
        return HWY_DYNAMIC_POINTER(multiplyDoubles);
    }
}

/// Division of a product into tasks: tile by tile, and within a tile several rows at a time.
struct Tasks {
    std::size_t tileWidth;  ///< a multiple of tileColumns
    std::size_t tiles;      ///< per matrix, horizontally
    std::size_t rowBlocks;  ///< per matrix, vertically
    std::size_t blockRows;  ///< a multiple of stripRows

    template <class T>
    Tasks(const MatrixProduct<T>& product, std::size_t threads)
        : tileWidth(widthOf(product, threads)), tiles((product.columns + tileWidth - 1) / tileWidth) {
        const std::size_t strips = (product.rows + stripRows - 1) / stripRows;
        const std::size_t wanted = threads == 1 ? 1 : threads * 4;
        const std::size_t columnTasks = product.batch * tiles;
        const std::size_t split =
            std::min(strips, std::max<std::size_t>(1, wanted / std::max<std::size_t>(columnTasks, 1)));
        blockRows = (strips + split - 1) / split * stripRows;
        rowBlocks = (product.rows + blockRows - 1) / blockRows;
    }

  private:
    /// Wider tiles write longer contiguous ranges, but a tile should fit in the L1 cache and each thread
    /// should get several.
    template <class T>
    static std::size_t widthOf(const MatrixProduct<T>& product, std::size_t threads) {
        constexpr std::size_t cacheBytes = 24576;
        constexpr std::size_t leastTiles = 4;
        const std::size_t fitting = cacheBytes / sizeof(T) / std::max<std::size_t>(product.depth, 1);
        const std::size_t fair = product.columns * product.batch / (threads * leastTiles);
        return std::max<std::size_t>(std::min(fitting, fair) / tileColumns, 1) * tileColumns;
    }
};

/// One thread's share of a product, with memory for a tile of the right matrix.
template <class T>
class Worker {
  public:
    Worker(const MatrixProduct<T>& work, const Tasks& cut, std::span<T> memory)
        : product(work), tasks(cut), copy(memory), multiplyRows(rowsFunction<T>()) {}

    void run(std::size_t task) {
        const std::size_t block = task % tasks.rowBlocks;
        const std::size_t tile = task / tasks.rowBlocks % tasks.tiles;
        const std::size_t sample = task / tasks.rowBlocks / tasks.tiles;
        const std::size_t column = tile * tasks.tileWidth;
        const std::size_t columns = std::min(tasks.tileWidth, product.columns - column);
        const T* right = product.right + sample * product.rightStep + column * product.rightColumnStride;
        std::size_t rightStride = product.rightStride;
        const bool isTransposed = product.rightColumnStride != 1;
        if (!copy.empty() && (product.rows > stripRows || columns % widestVector != 0 || isTransposed)) {
            if (task / tasks.rowBlocks != copied) {
                isTransposed ? transposeTile(right, columns) : copyTile(right, columns);
                copied = task / tasks.rowBlocks;
            }
            right = copy.data();
            rightStride = tasks.tileWidth;
        }
        const std::size_t row = block * tasks.blockRows;
        const std::size_t end = row + std::min(tasks.blockRows, product.rows - row);
        multiplyPlace({.sample = sample, .row = row, .end = end, .column = column, .columns = columns}, right,
                      rightStride);
    }

  private:
    /// A block of the result.
    struct Place {
        std::size_t sample;
        std::size_t row;
        std::size_t end;  ///< end of the rows
        std::size_t column;
        std::size_t columns;
    };

    void multiplyPlace(const Place& place, const T* right, std::size_t rightStride) const {
        multiplyRows({.rows = place.end - place.row,
                      .depth = product.depth,
                      .columns = place.columns,
                      .left = product.left + place.sample * product.leftStep + place.row * product.depth,
                      .right = right,
                      .rightStride = rightStride,
                      .bias = product.bias == nullptr ? nullptr : product.bias + place.row,
                      .result = product.result + place.sample * product.resultStep +
                                place.row * product.resultStride + place.column,
                      .resultStride = product.resultStride,
                      .steps = product.steps,
                      .channel = product.firstChannel + place.row});
    }

    /// Copies the tile: rows far apart in memory would compete for few cache sets. Columns beyond the last
    /// are zeros.
    void copyTile(const T* right, std::size_t columns) {
        const std::size_t padded = (columns + widestVector - 1) / widestVector * widestVector;
        for (std::size_t k = 0; k < product.depth; ++k) {
            T* target = copy.data() + k * tasks.tileWidth;
            std::copy_n(right + k * product.rightStride, columns, target);
            std::fill(target + columns, target + padded, T{});
        }
    }

    /// Copies the tile of a transposed matrix, whose columns are contiguous.
    void transposeTile(const T* right, std::size_t columns) {
        // The data read and written at a time fits in the L1 cache.
        constexpr std::size_t rowsTogether = 32;
        constexpr auto width = static_cast<std::int64_t>(sizeof(T));
        const std::size_t padded = (columns + widestVector - 1) / widestVector * widestVector;
        const auto step = static_cast<std::int64_t>(product.rightColumnStride) * width;
        for (std::size_t k = 0; k < product.depth; k += rowsTogether) {
            const std::size_t rows = std::min(rowsTogether, product.depth - k);
            T* target = copy.data() + k * tasks.tileWidth;
            transposeElements(reinterpret_cast<const std::byte*>(right + k), step,
                              reinterpret_cast<std::byte*>(target), tasks.tileWidth * width,
                              static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
            for (std::size_t row = 0; row < rows && columns < padded; ++row) {
                std::fill(target + row * tasks.tileWidth + columns, target + row * tasks.tileWidth + padded,
                          T{});
            }
        }
    }

    const MatrixProduct<T>& product;
    const Tasks& tasks;
    std::span<T> copy;
    decltype(rowsFunction<T>()) multiplyRows;
    TransposeTile transposeElements = selectTransposeTile(sizeof(T));
    std::size_t copied = SIZE_MAX;
};

}  // namespace

template <class T>
void packLeft(const T* left, std::size_t rows, std::size_t depth, std::size_t rowStride,
              std::size_t depthStride, T* packed) {
    for (std::size_t row = 0; row < rows; row += stripRows) {
        const std::size_t count = std::min(stripRows, rows - row);
        for (std::size_t k = 0; k < depth; ++k) {
            const T* source = left + row * rowStride + k * depthStride;
            for (std::size_t i = 0; i < count; ++i) {
                packed[i] = source[i * rowStride];
            }
            std::fill(packed + count, packed + stripRows, T{});
            packed += stripRows;
        }
    }
}

template <class T>
core::Result<> multiply(KernelContext& context, const MatrixProduct<T>& product) {
    if (product.batch == 0 || product.rows == 0 || product.columns == 0) {
        return {};
    }
    const ThreadPool& threads = context.threads();
    if constexpr (std::is_same_v<T, float>) {
        if (hasFewRows(product)) {
            multiplyFewRows(threads, product);
            return {};
        }
    }
    const Tasks tasks(product, threads.threads());
    const std::size_t count = product.batch * tasks.tiles * tasks.rowBlocks;
    const std::size_t workers = std::min(threads.threads(), count);
    const std::size_t tileElements = product.depth * tasks.tileWidth;
    ET_ASSIGN(const std::span<T> copies, context.scratch<T>(workers * tileElements));
    threads.parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Worker<T> worker(product, tasks, copies.subspan(i * tileElements, tileElements));
            for (std::size_t task = i * count / workers; task < (i + 1) * count / workers; ++task) {
                worker.run(task);
            }
        }
    });
    return {};
}

template <class T>
void multiplyTile(const TileProduct<T>& product) {
    rowsFunction<T>()(product);
}

#define ET_INSTANTIATE(T)                                                                        \
    template void packLeft<T>(const T*, std::size_t, std::size_t, std::size_t, std::size_t, T*); \
    template core::Result<> multiply<T>(KernelContext&, const MatrixProduct<T>&);                \
    template void multiplyTile<T>(const TileProduct<T>&);
ET_INSTANTIATE(float)
ET_INSTANTIATE(double)
#undef ET_INSTANTIATE

}  // namespace et::kernels::dense
#endif  // HWY_ONCE

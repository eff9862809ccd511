#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t tileRows = 16;
constexpr std::size_t tileBytes = 64;  ///< per row
constexpr std::size_t tileSums = 4;
/// Four accumulator tiles with tileRows rows of 16 values each; a row of products is added to each value.
constexpr double tileOperations = 2.0 * tileSums * tileRows * 16 * tileBytes;

/// Tile configuration in the processor's layout: palette, start row, then bytes per row and rows of each
/// tile.
struct alignas(64) TileShapes {
    unsigned char palette = 1;
    unsigned char startRow = 0;
    unsigned char reserved[14]{};
    unsigned short bytes[16]{};
    unsigned char rows[16]{};
};

/// A process has to request permission for the large tile state.
bool hasAmxInt8() {
    constexpr long askForState = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr long tileData = 18;
    return __builtin_cpu_supports("amx-int8") && __builtin_cpu_supports("amx-tile") &&
           ::syscall(SYS_arch_prctl, askForState, tileData) == 0;
}

void multiplyTiles(std::size_t passes) {
    TileShapes shapes;
    for (std::size_t i = 0; i < tileSums + 2; ++i) {
        shapes.bytes[i] = tileBytes;
        shapes.rows[i] = tileRows;
    }
    _tile_loadconfig(&shapes);
    // Tiles 0 to 3 hold sums, 4 and 5 factors.
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_zero(4);
    _tile_zero(5);
    for (std::size_t pass = 0; pass < passes; ++pass) {
        _tile_dpbusd(0, 4, 5);
        _tile_dpbusd(1, 4, 5);
        _tile_dpbusd(2, 4, 5);
        _tile_dpbusd(3, 4, 5);
    }
    _tile_release();
}

constexpr ArithmeticKernel arithmeticOfAmx[] = {
    {2, "AMX tile dot product", tileOperations, hasAmxInt8, multiplyTiles}};

}  // namespace

KernelList amxKernels() {
    return {arithmeticOfAmx, 1, nullptr};
}

}  // namespace et::tasks::machine::detail

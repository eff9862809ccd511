#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// Reads numbers `first`, `first + 1`, ... of fp16 or fp32 storage.
void readNumbers(Datatype storage, const void* from, std::size_t first, std::span<float> to);

/// Product with constant weights: fp16, or quantized ones that are dequantized in each run, as many rows as a
/// thread processes at a time. Sums are in fp32, in the order of PyTorch's half-precision products: used for
/// its results, not for its speed.
class CustomProduct final : public CustomNode {
  public:
    CustomProduct(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    void runTiles(const float* from, void* to, std::size_t slot);
    void loadTile(std::size_t channel, std::size_t count, float* tile) const;
    void loadRow(std::size_t channel, std::span<float> row) const;
    void dequantize(std::size_t channel, std::size_t first, float scale, std::span<float> to) const;
    void finish(std::size_t row, std::size_t channel, std::span<float> sums, void* to) const;

    const kernels::ThreadPool& threads;
    ValueIndex input;
    ValueIndex output;
    Datatype weightType;
    Datatype numbers;        ///< Fp32, Fp16 or BFloat16: type that dequantized weights are rounded to
    Datatype inputStorage;   ///< Fp32 or Fp16
    Datatype outputType;     ///< Fp32, Fp16 or BFloat16
    Datatype outputStorage;  ///< Fp32 or Fp16
    const std::byte* weights;
    std::span<const float> channelScales;
    std::span<const std::uint16_t> blockScales;
    std::size_t blockSize = 0;
    std::vector<float> bias;  ///< none: empty
    OutputRange range;
    std::size_t channels;
    std::size_t depth;
    std::size_t rows = 0;
    std::size_t slots = 0;       ///< number of tasks that run concurrently
    std::vector<float> tiles;    ///< one tile per slot
    std::vector<float> widened;  ///< fp32 copy of an fp16 input
};

}  // namespace et::backends::xnnpack

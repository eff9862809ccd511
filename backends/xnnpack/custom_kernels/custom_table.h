#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace et::backends::xnnpack {

/// Whether a node is elementwise from 8-bit to 8-bit values, so that a table of 256 bytes holds all results.
/// Clamps are left to the library, which fuses them into the preceding node.
[[nodiscard]] bool isByteTable(const Payload& payload, const PayloadNode& node);

/// Such a node, or several consecutive ones, as a table computed by the library. Faster than XNNPACK 20241108
/// (benchmarks/nodes_benchmark.cpp).
class CustomTable final : public CustomNode {
  public:
    /// Runs the nodes once for all byte values. They are elementwise, each reads the previous one's result,
    /// and only the first one's inputs and the last one's outputs are 8-bit. Errors: those of
    /// LibraryRuntime::make() and run().
    [[nodiscard]] static core::Result<std::unique_ptr<CustomTable>> make(
        const Source& source, std::span<const PayloadNode* const> nodes);

    [[nodiscard]] std::string name() const override { return called; }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    explicit CustomTable(const Source& source) : threads(source.threads) {}

    const kernels::ThreadPool& threads;
    ValueIndex input = 0;
    ValueIndex output = 0;
    std::size_t count = 0;
    std::array<std::uint8_t, 256> table{};
    std::string called;
};

}  // namespace et::backends::xnnpack

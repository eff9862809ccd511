#include "backends/xnnpack/custom_kernels/custom_table.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <xnnpack.h>

#include <limits>
#include <numeric>

namespace et::backends::xnnpack {
namespace {

using core::Result;

constexpr std::size_t bytesPerThread = std::size_t{1} << 16U;

/// A payload with only these nodes, for all byte values.
Payload payloadOfAll(const Payload& payload, std::span<const PayloadNode* const> nodes) {
    Payload alone;
    alone.constants.resize(1);
    const auto add = [&](ValueIndex value) {
        PayloadValue& added = alone.values.emplace_back();
        added.datatype = payload.value(value).datatype;
        added.quantization = payload.value(value).quantization;
        added.sizes = {std::numeric_limits<std::uint8_t>::max() + 1U};
        return static_cast<ValueIndex>(alone.values.size() - 1);
    };
    ValueIndex last = add(nodes.front()->inputs[0]);
    for (const PayloadNode* const node : nodes) {
        PayloadNode& copy = alone.nodes.emplace_back(*node);
        copy.inputs = {last};
        last = add(node->outputs[0]);
        copy.outputs = {last};
    }
    alone.values.front().isInput = true;
    alone.values.back().isOutput = true;
    alone.externals = {0, last};
    return alone;
}

struct NoData final : executor::NamedDataSource {
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view /*name*/) const override {
        return std::nullopt;
    }
};

}  // namespace

bool isByteTable(const Payload& payload, const PayloadNode& node) {
    switch (node.traits->form()) {
        case NodeForm::Unary:
        case NodeForm::UnaryNumber:
        case NodeForm::Convert:
            return node.traits->kind != NodeKind::Clamp && !node.range && node.flags == 0 &&
                   areBytesOfOneType(payload, node) && payload.value(node.inputs[0]).constant == 0;
        default:
            return false;
    }
}

Result<std::unique_ptr<CustomTable>> CustomTable::make(const Source& source,
                                                       std::span<const PayloadNode* const> nodes) {
    const Payload alone = payloadOfAll(source.payload, nodes);
    const Shapes shapes = exportedShapes(alone);
    const kernels::ThreadPool here;
    ET_ASSIGN(auto shared, SharedMemory::make());
    ET_ASSIGN(const ConstantData constants, ConstantData::find(alone, NoData()));
    ET_ASSIGN(LibraryRuntime runtime, LibraryRuntime::make(alone, constants, shapes, std::move(shared), here,
                                                           {}, std::numeric_limits<std::uint64_t>::max()));
    ET_TRY(runtime.reshape(alone, shapes));
    std::array<std::uint8_t, 256 + XNN_EXTRA_BYTES> all{};
    std::iota(all.begin(), all.begin() + 256, std::uint8_t{0});
    std::array<std::uint8_t, 256 + XNN_EXTRA_BYTES> made{};
    ET_TRY(runtime.run(std::array<void*, 2>{all.data(), made.data()}));
    std::unique_ptr<CustomTable> table(new CustomTable(source));
    table->input = nodes.front()->inputs[0];
    table->output = nodes.back()->outputs[0];
    const NodeKindInfo& named = *nodes[nodes.size() > 1 ? 1 : 0]->traits;
    table->called = named.form() == NodeForm::Convert ? "Convert (NC)" : "Unary Elementwise (NC)";
    std::copy_n(made.begin(), table->table.size(), table->table.begin());
    return table;
}

void CustomTable::reshape(const Shapes& shapes) {
    count = elementsOf(shapes[input]);
}

void CustomTable::run(std::span<void* const> places) {
    const auto* const from = static_cast<const std::uint8_t*>(places[input]);
    auto* const to = static_cast<std::uint8_t*>(places[output]);
    threads.parallelFor(count, bytesPerThread, [&](std::size_t begin, std::size_t end) {
        kernels::quantized::lookUpBytes(table.data(), from + begin, end - begin, to + begin);
    });
}

}  // namespace et::backends::xnnpack

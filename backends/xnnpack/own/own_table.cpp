#include "backends/xnnpack/own/own_table.h"

#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/own/byte_values.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <xnnpack.h>

#include <limits>
#include <numeric>

namespace et::backends::xnnpack {
namespace {

using core::Result;

constexpr std::size_t bytesPerThread = std::size_t{1} << 16U;

/// The node alone, of all bytes.
Payload payloadOfAll(const Payload& payload, const PayloadNode& node) {
    Payload alone;
    alone.constants.resize(1);
    for (const ValueIndex value : {node.inputs[0], node.outputs[0]}) {
        PayloadValue& added = alone.values.emplace_back();
        added.datatype = payload.value(value).datatype;
        added.quantization = payload.value(value).quantization;
        added.sizes = {std::numeric_limits<std::uint8_t>::max() + 1U};
    }
    alone.values[0].isInput = true;
    alone.values[1].isOutput = true;
    alone.externals = {0, 1};
    PayloadNode& copy = alone.nodes.emplace_back(node);
    copy.inputs = {0};
    copy.outputs = {1};
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

Result<std::unique_ptr<OwnTable>> OwnTable::make(const Source& source, const PayloadNode& node) {
    const Payload alone = payloadOfAll(source.payload, node);
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
    std::unique_ptr<OwnTable> table(new OwnTable(source));
    table->input = node.inputs[0];
    table->output = node.outputs[0];
    table->called = node.traits->form() == NodeForm::Convert ? "Convert (NC)" : "Unary Elementwise (NC)";
    std::copy_n(made.begin(), table->table.size(), table->table.begin());
    return table;
}

void OwnTable::reshape(const Shapes& shapes) {
    count = elementsOf(shapes[input]);
}

void OwnTable::run(std::span<void* const> places) {
    const auto* const from = static_cast<const std::uint8_t*>(places[input]);
    auto* const to = static_cast<std::uint8_t*>(places[output]);
    threads.parallelFor(count, bytesPerThread, [&](std::size_t begin, std::size_t end) {
        kernels::quantized::lookUpBytes(table.data(), from + begin, end - begin, to + begin);
    });
}

}  // namespace et::backends::xnnpack

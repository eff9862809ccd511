#include "runtime/kernels/torchao/packed_weights.h"

#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace et::kernels::torchao {
namespace {

using core::Result;
using core::ScalarType;
using core::Tensor;

constexpr std::int32_t magicNumber = 6712;
/// Inputs of a tile.
constexpr std::int64_t tileInputs = 16;
constexpr std::size_t tableBytes = 16;
/// One number per output of a block.
constexpr std::size_t numbersBytes = blockOutputs * sizeof(std::int32_t);

enum Kind : std::int32_t { Universal = 1, KleidiAi = 3, Table = 4 };

Result<> checkShape(std::string_view name, const PackedShape& shape) {
    if (shape.outputs < 1 || shape.depth < 1) {
        return invalid(fmt::format("{}: expected sizes of at least 1, got {} outputs and {} inputs", name,
                                   shape.outputs, shape.depth));
    }
    if (shape.group < 1 || shape.group % tileInputs != 0 || shape.depth % shape.group != 0) {
        return invalid(fmt::format("group_size: expected a multiple of {} that divides {}, got {}",
                                   tileInputs, shape.depth, shape.group));
    }
    return {};
}

}  // namespace

std::size_t PackedBlock::groupBytes() const {
    return group * static_cast<std::size_t>(bits) + (hasZeros ? 3 : 2) * numbersBytes;
}

std::size_t PackedBlock::totalBytes() const {
    return (hasTable ? tableBytes : 0) + groups() * groupBytes() + (hasBias ? numbersBytes : 0);
}

Result<std::array<std::int32_t, packedHeaderNumbers - 1>> readPackedHeader(std::string_view name,
                                                                           std::span<const std::byte> bytes) {
    if (bytes.size() < packedHeaderBytes) {
        return invalid(fmt::format("{}: expected a header of {} bytes, got {} bytes", name, packedHeaderBytes,
                                   bytes.size()));
    }
    std::int32_t magic = 0;
    std::memcpy(&magic, bytes.data(), sizeof(magic));
    if (magic != magicNumber) {
        return invalid(fmt::format("{}: expected weights packed by torchao (magic number {}), got {}", name,
                                   magicNumber, magic));
    }
    std::array<std::int32_t, packedHeaderNumbers - 1> header{};
    std::memcpy(header.data(), bytes.data() + sizeof(magic), sizeof(header));
    return header;
}

Result<std::span<const std::byte>> packedBytes(std::string_view name, const Tensor& tensor) {
    if ((tensor.dtype() != ScalarType::Char && tensor.dtype() != ScalarType::Byte) || tensor.dim() != 1 ||
        !tensor.isContiguous()) {
        return invalid(
            fmt::format("{}: expected bytes with 1 dimension, got {}", name, core::describe(tensor)));
    }
    return tensor.rawBytes();
}

Result<PackedWeights> PackedWeights::read(std::string_view name, const Tensor& tensor,
                                          const PackedShape& shape) {
    ET_ASSIGN(const auto bytes, packedBytes(name, tensor));
    return read(name, bytes, shape);
}

Result<PackedWeights> PackedWeights::read(std::string_view name, std::span<const std::byte> bytes,
                                          const PackedShape& shape) {
    ET_TRY(checkShape(name, shape));
    ET_ASSIGN(const auto header, readPackedHeader(name, bytes));
    const auto kind = header[0];
    const auto zeros = header[2];
    const auto bias = header[3];
    const std::array<std::int32_t, 11> rest{blockOutputs, tileInputs, 2};
    if (kind == KleidiAi) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("{}: expected torchao's universal packing, got KleidiAI's", name));
    }
    if ((kind != Universal && kind != Table) || header[1] != shape.bits ||
        (kind == Table && shape.bits > 4) || (zeros | bias) >> 1 != 0 ||
        !std::ranges::equal(std::span(header).subspan(4), rest)) {
        return invalid(
            fmt::format("{}: expected a header of {}-bit weights (1, {}, 0 or 1, 0 or 1, 8, 16, 2), "
                        "got {}",
                        name, shape.bits, shape.bits, fmt::join(std::span(header).first(7), ", ")));
    }
    const PackedBlock block{.bytes = reinterpret_cast<const std::uint8_t*>(bytes.data()) + packedHeaderBytes,
                            .depth = static_cast<std::size_t>(shape.depth),
                            .group = static_cast<std::size_t>(shape.group),
                            .bits = shape.bits,
                            .hasZeros = zeros != 0,
                            .hasBias = bias != 0,
                            .hasTable = kind == Table};
    const std::size_t available = bytes.size() - packedHeaderBytes;
    const auto count = static_cast<std::size_t>(shape.outputs);
    const std::size_t blocks = (count + blockOutputs - 1) / blockOutputs;
    // Every input takes at least a byte of a block, so an accepted depth cannot overflow its size.
    if (block.depth > available || blocks > available / block.totalBytes()) {
        return invalid(
            fmt::format("{}: expected the {}-bit weights of {} outputs and {} inputs in groups of "
                        "{}, got {} bytes",
                        name, shape.bits, shape.outputs, shape.depth, shape.group, bytes.size()));
    }
    return PackedWeights(block, count);
}

}  // namespace et::kernels::torchao

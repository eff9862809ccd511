#include "runtime/native/safetensors.h"

#include "runtime/archive/json.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/detail/safetensors_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace et::native {
namespace {

using archive::JsonValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using detail::StoredTypeName;
using detail::storedTypeNames;

constexpr std::string_view metadataKey = "__metadata__";
/// The format's own limit; also that of the reference's library.
constexpr std::uint64_t maxHeaderBytes = 100'000'000;
constexpr std::size_t maxDims = 64;

/// Reads one tensor; `data` is the part of the file after the header.
Result<Safetensors::Tensor> readTensor(const JsonValue& json, core::Bytes data) {
    Safetensors::Tensor tensor;
    ET_ASSIGN(const JsonValue typeJson, json.member("dtype"));
    ET_ASSIGN(const std::string_view typeName, typeJson.string());
    const auto type = std::ranges::find(storedTypeNames, typeName, &StoredTypeName::name);
    if (type == storedTypeNames.end()) {
        return fail(ErrorCode::Unsupported, fmt::format("unknown dtype \"{}\"", core::printable(typeName)),
                    {.field = typeJson.path()});
    }
    tensor.scalarType = static_cast<std::int8_t>(type->type);
    ET_ASSIGN(const JsonValue shape, json.member("shape"));
    ET_TRY(shape.forEach([&](const JsonValue& each) -> Result<> {
        ET_ASSIGN(const std::int64_t size, each.integer());
        tensor.sizes.push_back(size);
        return size < 0 || tensor.sizes.size() > maxDims ? each.unexpected("a size") : Result<>();
    }));
    std::vector<std::int64_t> range;
    ET_ASSIGN(const JsonValue offsets, json.member("data_offsets"));
    ET_TRY(offsets.forEach([&](const JsonValue& each) {
        return each.integer().transform([&](std::int64_t value) { range.push_back(value); });
    }));
    const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (range.size() != 2 || range[0] < 0 || range[1] < range[0] ||
        static_cast<std::uint64_t>(range[1]) > data.size()) {
        return fail(
            ErrorCode::Format,
            fmt::format("expected a range inside the {} bytes of data, got {}", data.size(), offsets.text()),
            {.field = offsets.path()});
    }
    if (!bytes || *bytes != range[1] - range[0]) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} bytes by dtype and shape, got {}",
                                bytes ? fmt::to_string(*bytes) : "fewer than 2^63", range[1] - range[0]),
                    {.field = offsets.path()});
    }
    tensor.offset = static_cast<std::uint64_t>(range[0]);
    tensor.data = data.subspan(static_cast<std::size_t>(range[0]), static_cast<std::size_t>(*bytes));
    return tensor;
}

/// Tensors must not share bytes; the format also has no gaps, which do no harm.
Result<> checkOverlap(const Safetensors& read, std::string_view name) {
    std::vector<std::pair<const std::byte*, const std::string*>> starts;
    for (const auto& [key, tensor] : read.tensors) {
        if (!tensor.data.empty()) {
            starts.emplace_back(tensor.data.data(), &key);
        }
    }
    std::ranges::sort(starts);
    for (std::size_t i = 1; i < starts.size(); ++i) {
        const core::Bytes before = read.tensors.find(*starts[i - 1].second)->second.data;
        if (before.data() + before.size() > starts[i].first) {
            return fail(
                ErrorCode::Format,
                fmt::format("tensors \"{}\" and \"{}\" overlap", core::printable(*starts[i - 1].second),
                            core::printable(*starts[i].second)),
                {.field = std::string(name)});
        }
    }
    return {};
}

}  // namespace

Result<Safetensors> Safetensors::parse(core::Bytes bytes, std::string_view name,
                                       std::shared_ptr<const void> owner) {
    Safetensors read;
    read.owner = std::move(owner);
    core::ByteReader reader(bytes);
    const std::string field = fmt::format("{}: header length", name);
    ET_ASSIGN(read.headerBytes, reader.read<std::uint64_t>(field));
    if (read.headerBytes > std::min<std::uint64_t>(reader.remaining(), maxHeaderBytes)) {
        return fail(
            ErrorCode::Format,
            fmt::format("expected at most {} bytes of header, got {}",
                        std::min<std::uint64_t>(reader.remaining(), maxHeaderBytes), read.headerBytes),
            {.field = field, .offset = 0});
    }
    ET_ASSIGN(const core::Bytes header, reader.take(read.headerBytes, field));
    ET_ASSIGN(const core::Bytes data, reader.take(reader.remaining(), field));
    read.dataBytes = data.size();
    ET_ASSIGN(const auto document, archive::JsonDocument::parse(header, name));
    const JsonValue root = document.root();
    ET_TRY(root.forEachMember([&](std::string_view key, const JsonValue& json) -> Result<> {
        if (key == metadataKey) {
            return {};
        }
        ET_ASSIGN(Tensor tensor, readTensor(json, data));
        tensor.offset += bytes.size() - data.size();
        return read.tensors.emplace(key, std::move(tensor)).second
                   ? Result<>()
                   : json.unexpected("one tensor of this name");
    }));
    ET_TRY(checkOverlap(read, name));
    return read;
}

}  // namespace et::native

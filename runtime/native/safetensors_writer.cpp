#include "runtime/core/json_writer.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/detail/safetensors_types.h"
#include "runtime/native/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace et::native {
namespace {

/// Pads the header with blanks, so that the data are aligned in the member.
constexpr std::size_t headerAlignment = 8;

}  // namespace

core::Result<std::vector<std::byte>> writeSafetensors(const TensorContents& tensors) {
    core::JsonWriter json;
    json.beginObject();
    std::uint64_t offset = 0;
    for (const auto& [key, tensor] : tensors) {
        const auto* const type =
            std::ranges::find(detail::storedTypeNames, static_cast<core::ScalarType>(tensor.scalarType),
                              &detail::StoredTypeName::type);
        if (type == detail::storedTypeNames.end()) {
            return core::fail(
                core::ErrorCode::InvalidArgument,
                fmt::format("{} has no name in safetensors files", core::scalarTypeName(tensor.scalarType)));
        }
        json.key(key);
        json.beginObject();
        json.member("dtype", [&] { json.string(type->name); });
        json.key("shape");
        json.beginArray();
        for (const std::int64_t size : tensor.sizes) {
            json.integer(size);
        }
        json.endArray();
        json.key("data_offsets");
        json.beginArray();
        json.integer(offset);
        offset += tensor.data.size();
        json.integer(offset);
        json.endArray();
        json.endObject();
    }
    json.endObject();
    std::string header = json.take();
    header.resize((header.size() + headerAlignment - 1) / headerAlignment * headerAlignment, ' ');
    const std::uint64_t headerBytes = header.size();
    std::vector<std::byte> file(sizeof headerBytes);
    std::memcpy(file.data(), &headerBytes, sizeof headerBytes);
    const auto append = [&file](core::Bytes bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); };
    append(std::as_bytes(std::span(header)));
    for (const auto& [key, tensor] : tensors) {
        append(tensor.data);
    }
    return file;
}

}  // namespace et::native

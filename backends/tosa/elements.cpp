#include "backends/tosa/elements.h"

#include "backends/payload_data.h"
#include "runtime/core/element_types.h"
#include "runtime/core/small_floats.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace et::backends::tosa {
namespace {

template <class T>
T elementAt(core::Bytes data, std::size_t index) {
    T value{};
    std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
    return value;
}

/// A signed number of `size` bytes.
std::int64_t wholeAt(core::Bytes data, std::size_t index, std::size_t size) {
    std::uint64_t number = 0;
    std::memcpy(&number, data.data() + index * size, size);
    const auto unused = static_cast<unsigned>((sizeof(number) - size) * 8);
    return static_cast<std::int64_t>(number << unused) >> unused;
}

std::int64_t nibbleAt(core::Bytes data, std::size_t index) {
    const auto byte = std::to_integer<unsigned>(data[index / 2]);
    const auto nibble = static_cast<int>(index % 2 == 0 ? byte & 0xFU : byte >> 4U);
    return nibble < 8 ? nibble : nibble - 16;
}

bool isInteger(std::string_view name) {
    return name == "bool" || name == "shape" || name.starts_with("int");
}

std::string realText(const DatatypeInfo& type, core::Bytes data, std::size_t index) {
    if (type.name == "float32") {
        return fmt::format("{}", elementAt<float>(data, index));
    }
    if (type.name == "float16") {
        return fmt::format("{}", static_cast<float>(elementAt<core::Half>(data, index)));
    }
    if (type.name == "bfloat16") {
        return fmt::format("{}", static_cast<float>(elementAt<core::BFloat16>(data, index)));
    }
    const auto byte = type.bits == 8 ? std::to_integer<std::size_t>(data[index]) : std::size_t{0};
    if (type.name == "float8_e4m3fn") {
        return fmt::format("{}", core::e4m3.at(byte));
    }
    if (type.name == "float8_e5m2") {
        return fmt::format("{}", core::e5m2.at(byte));
    }
    return {};
}

}  // namespace

std::string typeText(const Tensor& tensor) {
    const DatatypeInfo* const type = datatypeInfo(tensor.datatype);
    const std::string name =
        type == nullptr ? fmt::format("datatype {}", tensor.datatype) : std::string(type->name);
    return tensor.isUnranked ? name + " unranked" : fmt::format("{} {}", name, core::sizesText(tensor.sizes));
}

std::uint64_t typeBytes(const Tensor& tensor) {
    const DatatypeInfo* const type = datatypeInfo(tensor.datatype);
    return type == nullptr || tensor.isUnranked ? 0 : denseBytes(type->bits, tensor.sizes);
}

std::optional<std::vector<std::int64_t>> integersOf(std::uint32_t datatype, core::Bytes data,
                                                    std::size_t count) {
    const DatatypeInfo* const type = datatypeInfo(datatype);
    if (type == nullptr || !isInteger(type->name) || count > data.size() * 8 / type->bits) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(type->bits == 4 ? nibbleAt(data, i) : wholeAt(data, i, type->bits / 8));
    }
    return numbers;
}

std::string elementsText(std::uint32_t datatype, core::Bytes data, std::size_t count, std::size_t max) {
    const DatatypeInfo* const type = datatypeInfo(datatype);
    if (type == nullptr || type->bits == 0 || type->bits % 4 != 0) {
        return {};
    }
    const std::size_t stored = std::min(count, data.size() * 8 / type->bits);
    const std::size_t shown = std::min(stored, max);
    if (const auto numbers = integersOf(datatype, data, shown)) {
        std::string text = core::sizesText(*numbers);
        return stored > shown ? text.substr(0, text.size() - 1) + ", …]" : text;
    }
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::string element = realText(*type, data, i);
        if (element.empty()) {
            return {};
        }
        text += (text.empty() ? "" : ", ") + element;
    }
    return fmt::format("[{}{}]", text, stored > shown ? ", …" : "");
}

}  // namespace et::backends::tosa

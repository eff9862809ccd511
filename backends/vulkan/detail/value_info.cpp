#include "backends/vulkan/detail/value_info.h"

#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace et::backends::vulkan {
namespace {

using core::FlatView;
using core::ScalarType;

struct CodeName {
    std::uint8_t code;
    std::string_view name;
};

/// By code.
constexpr std::array datatypes = {ScalarType::Bool, ScalarType::Byte,  ScalarType::Char,   ScalarType::Int,
                                  ScalarType::Half, ScalarType::Float, ScalarType::Double, ScalarType::Long};

constexpr std::array storages =
    std::to_array<CodeName>({{0, "buffer"}, {1, "3D texture"}, {2, "2D texture"}});

/// "packed": four neighbours along this dimension share a texel; for int8, blocks of the named dimensions.
constexpr std::array layouts = std::to_array<CodeName>({{0, "width packed"},
                                                        {1, "height packed"},
                                                        {2, "channels packed"},
                                                        {3, "int8 packed 4W4C"},
                                                        {4, "int8 packed 4H4W"},
                                                        {5, "int8 packed 4W"},
                                                        {8, "int8 packed 4C1W"},
                                                        {9, "int8 packed for convolutions"}});

/// Indexed by schema::Content.
constexpr std::array<std::string_view, 12> typeNames = {
    "none",        "none",          "int",          "float",          "bool", "tensor",
    "list of int", "list of float", "list of bool", "list of values", "text", "symbolic int"};

/// Names from position 1, as PyTorch declares quantized_decomposed's per-tensor and per-channel operators.
constexpr std::array<std::string_view, 5> wholeArguments = {"scale", "zero point", "quantized min",
                                                            "quantized max", "datatype"};
constexpr std::array<std::string_view, 6> channelArguments = {
    "scales", "zero points", "channel dimension", "quantized min", "quantized max", "datatype"};

struct OperatorArguments {
    std::string_view name;
    std::span<const std::string_view> arguments;
};
constexpr std::array quantizing = std::to_array<OperatorArguments>({
    {"quantized_decomposed.quantize_per_tensor.default", wholeArguments},
    {"quantized_decomposed.dequantize_per_tensor.default", wholeArguments},
    {"quantized_decomposed.quantize_per_tensor.tensor", wholeArguments},
    {"quantized_decomposed.dequantize_per_tensor.tensor", wholeArguments},
    {"quantized_decomposed.quantize_per_channel.default", channelArguments},
    {"quantized_decomposed.dequantize_per_channel.default", channelArguments},
});

constexpr std::size_t maxItems = 8;
constexpr std::size_t longestText = 64;

std::string nameOf(std::span<const CodeName> names, std::uint8_t code, std::string_view what) {
    const auto found = std::ranges::find(names, code, &CodeName::code);
    return found == names.end() ? fmt::format("{} {}", what, code) : std::string(found->name);
}

/// Elements are copied before reading, see core::FlatView.
template <class T>
std::string listText(const flatbuffers::Vector<T>* items) {
    const std::size_t count = items == nullptr ? 0 : items->size();
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(count, maxItems); ++i) {
        T item{};
        std::memcpy(&item, items->Data() + i * sizeof(T), sizeof item);
        text += fmt::format("{}{}", i == 0 ? "" : ", ", item);
    }
    return text + (count > maxItems ? fmt::format(", … {} in all]", count) : "]");
}

/// Booleans are stored as bytes.
std::string listText(const schema::BooleanList& list) {
    const std::size_t count = list.items() == nullptr ? 0 : list.items()->size();
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(count, maxItems); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", list.items()->Data()[i] != 0);
    }
    return text + (count > maxItems ? fmt::format(", … {} in all]", count) : "]");
}

std::string shortText(const flatbuffers::String* from) {
    const std::string_view text = from == nullptr ? std::string_view{} : from->string_view();
    return core::printable(text.substr(0, longestText)) + (text.size() > longestText ? "…" : "");
}

}  // namespace

DatatypeInfo datatypeInfo(std::int8_t code) {
    const auto index = static_cast<std::uint8_t>(code);
    if (index >= datatypes.size()) {
        return {.name = fmt::format("datatype {}", code)};
    }
    const auto info = core::scalarType(static_cast<std::int64_t>(datatypes[index]));
    return {.name = std::string(info->torchName), .bits = std::uint64_t{info->bytes} * 8};
}

std::string storageName(std::uint8_t code) {
    return nameOf(storages, code, "storage");
}

std::string layoutName(std::uint8_t code) {
    return nameOf(layouts, code, "layout");
}

std::string_view typeName(const schema::Value& value) {
    const auto kind = static_cast<std::size_t>(value.content_type());
    return kind < typeNames.size() ? typeNames[kind] : "unknown";
}

std::string argumentName(std::string_view operatorName, std::size_t position) {
    const auto found = std::ranges::find(quantizing, operatorName, &OperatorArguments::name);
    const bool isNamed = found != quantizing.end() && position > 0 && position <= found->arguments.size();
    return isNamed ? std::string(found->arguments[position - 1]) : fmt::format("argument {}", position);
}

std::string valueText(const schema::Value& value) {
    const void* content = value.content();
    if (content == nullptr) {
        return std::string(typeName(value));
    }
    switch (value.content_type()) {
        case schema::Content::Integer:
            return fmt::to_string(FlatView::unionAs<schema::Integer>(content).number());
        case schema::Content::Real:
            return fmt::to_string(FlatView::unionAs<schema::Real>(content).number());
        case schema::Content::Boolean:
            return fmt::to_string(FlatView::unionAs<schema::Boolean>(content).number());
        case schema::Content::IntegerList:
            return listText(FlatView::unionAs<schema::IntegerList>(content).items());
        case schema::Content::RealList:
            return listText(FlatView::unionAs<schema::RealList>(content).items());
        case schema::Content::BooleanList:
            return listText(FlatView::unionAs<schema::BooleanList>(content));
        case schema::Content::Text:
            return shortText(FlatView::unionAs<schema::Text>(content).text());
        case schema::Content::SymbolicInteger:
            return fmt::to_string(FlatView::unionAs<schema::SymbolicInteger>(content).number());
        default:
            return std::string(typeName(value));
    }
}

}  // namespace et::backends::vulkan

#include "inspector/program_diff/detail/value_text.h"

#include "inspector/join/dense_index.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <variant>

namespace et::inspector::program_diff::detail {
namespace {

using program::ShapeDynamism;
using program::TensorInfo;

/// Maximum number of list items shown.
constexpr std::size_t longestList = 16;
/// Maximum number of characters of a text shown.
constexpr std::size_t longestText = 256;

bool isRowMajor(const std::vector<std::uint8_t>& order) {
    return std::ranges::is_sorted(order);
}

/// Formats a list of `count` items using `text(i)`. Omitted items are summarized using `bits(i)`.
template <class Text, class Bits>
std::string listText(std::size_t count, Text text, Bits bits) {
    std::string out;
    for (std::size_t i = 0; i < std::min(count, longestList); ++i) {
        out += (i == 0 ? "" : ", ") + text(i);
    }
    std::uint64_t rest = 0;
    for (std::size_t i = longestList; i < count; ++i) {
        rest = join::detail::combineHash(rest, bits(i));
    }
    return count <= longestList ? "[" + out + "]"
                                : fmt::format("[{}, ... {} in all, {:08x}]", out, count, rest >> 32U);
}

struct LiteralText {
    const program::Method& method;
    const std::vector<bool>& written;

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(std::int64_t number) const { return fmt::to_string(number); }
    std::string operator()(bool truth) const { return truth ? "True" : "False"; }
    std::string operator()(double number) const { return fmt::to_string(number); }
    std::string operator()(std::string_view text) const {
        return text.size() <= longestText
                   ? fmt::format("\"{}\"", text)
                   : fmt::format("\"{}\"... {} in all, {:016x}", text.substr(0, longestText), text.size(),
                                 std::hash<std::string_view>{}(text));
    }
    std::string operator()(const TensorInfo& tensor) const { return typeText(tensor); }
    std::string operator()(const program::IntList& list) const {
        const auto number = [&](std::size_t i) {
            const program::ValueId item = list.items[i];
            return written[item.value] ? nullptr : method.value(item).as<std::int64_t>();
        };
        return listText(
            list.items.size(),
            [&](std::size_t i) {
                const std::int64_t* known = number(i);
                return known == nullptr ? std::string("?") : fmt::to_string(*known);
            },
            [&](std::size_t i) {
                const std::int64_t* known = number(i);
                return known == nullptr ? ~std::uint64_t{0} : static_cast<std::uint64_t>(*known);
            });
    }
    std::string operator()(const program::DoubleList& list) const {
        return listText(
            list.items.size(), [&](std::size_t i) { return fmt::to_string(list.items[i]); },
            [&](std::size_t i) { return std::bit_cast<std::uint64_t>(list.items[i]); });
    }
    std::string operator()(const program::BoolList& list) const {
        return listText(
            list.items.size(), [&](std::size_t i) { return std::string(list.items[i] ? "True" : "False"); },
            [&](std::size_t i) { return std::uint64_t{list.items[i]}; });
    }
    std::string operator()(const program::TensorList& list) const {
        return fmt::format("{} tensors", list.items.size());
    }
    std::string operator()(const program::OptionalTensorList& list) const {
        return fmt::format("{} tensors", list.items.size());
    }
};

}  // namespace

std::string typeText(const TensorInfo& tensor) {
    std::string text = core::scalarTypeName(tensor.scalarType) + " ";
    text += listText(
        tensor.sizes.size(), [&](std::size_t i) { return fmt::to_string(tensor.sizes[i]); },
        [&](std::size_t i) { return static_cast<std::uint64_t>(tensor.sizes[i]); });
    if (!isRowMajor(tensor.dimOrder)) {
        text += " in order " + listText(
                                   tensor.dimOrder.size(),
                                   [&](std::size_t i) { return fmt::to_string(tensor.dimOrder[i]); },
                                   [&](std::size_t i) { return std::uint64_t{tensor.dimOrder[i]}; });
    }
    if (tensor.dynamism != ShapeDynamism::Static) {
        text += tensor.dynamism == ShapeDynamism::Bounded ? " at most" : " unbounded";
    }
    if (tensor.device != program::Device{}) {
        text += fmt::format(" on device {}:{}", tensor.device.type, tensor.device.index);
    }
    return text;
}

std::string typeText(const program::Method& method, program::ValueId id) {
    const auto* tensor = method.value(id).as<TensorInfo>();
    return tensor == nullptr ? std::string(program::valueTypeName(method.value(id))) : typeText(*tensor);
}

std::string ValueTexts::make(program::ValueId id) const {
    return method.value(id).visit(LiteralText{.method = method, .written = written});
}

const std::string& ValueTexts::of(program::ValueId id) {
    std::string& text = known[id.value];
    if (text.empty()) {
        text = make(id);
    }
    return text;
}

}  // namespace et::inspector::program_diff::detail

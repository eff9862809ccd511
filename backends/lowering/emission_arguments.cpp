#include "backends/lowering/emission.h"

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <utility>

// Converts arguments of nodes to arguments of calls.
namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::SymInt;
using etrecord::ValueRef;
using program::ValueId;
using reference::ReferenceValue;

namespace {

/// Memory formats of the runtime, by torch.export's number: preserve, contiguous, channels last.
constexpr std::array<std::int64_t, 5> memoryFormats{0, 0, 2, 3, 1};

/// An alternative of etrecord::Argument::Value that is an argument of a call as it is.
template <class T>
concept PlainArgument = std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, bool> ||
                        std::same_as<T, std::vector<double>> || std::same_as<T, std::vector<bool>>;

}  // namespace

/// A number where the kernel requires a tensor.
Result<builder::Argument> Emission::wrapped(const Argument& number) {
    if (const auto* whole = std::get_if<std::int64_t>(&number.value)) {
        return into.constant({.dtype = core::ScalarType::Long, .sizes = {}}, std::span(whole, 1));
    }
    if (const auto* real = std::get_if<double>(&number.value)) {
        const auto single = static_cast<float>(*real);
        return into.constant({.dtype = core::ScalarType::Float, .sizes = {}}, std::span(&single, 1));
    }
    return fail(ErrorCode::Unsupported, "expected a tensor, got a number that is known only at run time");
}

Result<builder::Argument> Emission::argument(const Argument& from, bool optionalItems) {
    if (from.kind == "as_memory_format") {
        const auto* format = std::get_if<std::int64_t>(&from.value);
        const bool known = format != nullptr && *format >= 0 && std::cmp_less(*format, memoryFormats.size());
        return known ? Result<builder::Argument>(memoryFormats[static_cast<std::size_t>(*format)])
                     : fail(ErrorCode::Unsupported, "an unknown memory format");
    }
    if (const auto* items = std::get_if<OptionalRefs>(&from.value)) {
        return list(*items, optionalItems || from.kind == "as_optional_tensors");
    }
    return std::visit(
        [&]<class T>(const T& held) -> Result<builder::Argument> {
            if constexpr (PlainArgument<T>) {
                return held;
            } else if constexpr (std::same_as<T, std::monostate>) {
                return nullptr;
            } else if constexpr (std::same_as<T, std::string>) {
                return std::string_view(held);
            } else if constexpr (std::same_as<T, ValueRef>) {
                ET_ASSIGN(const ValueId id, value(held.name));
                return id;
            } else if constexpr (std::same_as<T, std::vector<SymInt>>) {
                return integers(held);
            } else {
                return fail(ErrorCode::Unsupported,
                            "an argument that no kernel accepts (a graph, strings, nested lists)");
            }
        },
        from.value);
}

Result<builder::Argument> Emission::list(const OptionalRefs& items, bool optionalItems) {
    std::vector<std::optional<ValueId>> ids;
    for (const auto& item : items) {
        std::optional<ValueId> id;
        if (item) {
            ET_ASSIGN(id, value(item->name));
        }
        ids.push_back(id);
    }
    if (optionalItems) {
        return ids;
    }
    std::vector<ValueId> all;
    for (const auto& id : ids) {
        if (!id) {
            return fail(ErrorCode::Unsupported, "an element of a list of tensors is missing");
        }
        all.push_back(*id);
    }
    return all;
}

Result<builder::Argument> Emission::integers(const std::vector<SymInt>& items) {
    std::vector<ValueId> ids;
    for (const SymInt& item : items) {
        if (item.expression.empty()) {
            ids.push_back(into.integer(item.value));
            continue;
        }
        ET_ASSIGN(const ValueId id, value(item.expression));
        ids.push_back(id);
    }
    return into.integersOf(std::move(ids));
}

/// A default value of the operator's schema.
Result<builder::Argument> Emission::plain(const ReferenceValue& from) {
    if (from.as<std::monostate>() != nullptr) {
        return nullptr;
    }
    if (const auto* whole = from.as<std::int64_t>()) {
        return *whole;
    }
    if (const auto* real = from.as<double>()) {
        return *real;
    }
    if (const auto* truth = from.as<bool>()) {
        return *truth;
    }
    if (const auto* text = from.as<std::string>()) {
        return std::string_view(*text);
    }
    builder::Ints numbers;
    if (const auto* items = from.as<ReferenceValue::List>()) {
        for (const ReferenceValue& item : *items) {
            const auto* number = item.as<std::int64_t>();
            numbers.push_back(number == nullptr ? 0 : *number);
        }
    }
    return numbers;
}

}  // namespace et::backends::lowering

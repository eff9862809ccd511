#include "bundled_program/case_check.h"

#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

namespace et::bundled_program {
namespace {

using core::ErrorCode;
using core::Result;
using program::ShapeDynamism;
using program::TensorInfo;

std::string planned(const program::Value& value) {
    const auto* tensor = value.as<TensorInfo>();
    if (tensor == nullptr) {
        return std::string(program::valueTypeName(value));
    }
    const std::string text =
        fmt::format("{} {}", core::scalarTypeName(tensor->scalarType), core::sizesText(tensor->sizes));
    return tensor->dynamism == ShapeDynamism::Bounded ? text + " at most" : text;
}

/// Describes the mismatch; nothing if the tensor matches.
std::optional<std::string> misfit(const TensorInfo& plan, const BundledTensor& tensor) {
    const bool staticShape = plan.dynamism == ShapeDynamism::Static;
    const auto fits = [&](std::int64_t given, std::int64_t max) {
        return plan.dynamism == ShapeDynamism::Unbounded || (staticShape ? given == max : given <= max);
    };
    if (tensor.scalarType != plan.scalarType || !std::ranges::equal(tensor.sizes, plan.sizes, fits)) {
        return fmt::format("expected {}, got {}", planned(plan), describe(tensor));
    }
    if (!std::ranges::is_sorted(plan.dimOrder) && !std::ranges::equal(tensor.dimOrder, plan.dimOrder)) {
        return fmt::format("expected dim order [{}], got [{}]", fmt::join(plan.dimOrder, ", "),
                           fmt::join(tensor.dimOrder, ", "));
    }
    return {};
}

template <class T>
std::optional<std::string> misfit(T plan, T given, bool input) {
    // A program stores the values of its inputs, but not of its outputs.
    return !input || plan == given
               ? std::nullopt
               : std::optional(
                     fmt::format("expected {}, for which the method was exported, got {}", plan, given));
}

std::optional<std::string> misfit(const program::Value& plan, const BundledValue& given, bool input) {
    return std::visit(
        [&]<class T>(const T& value) -> std::optional<std::string> {
            if constexpr (std::is_same_v<T, BundledTensor>) {
                const auto* tensor = plan.as<TensorInfo>();
                if (tensor != nullptr) {
                    return misfit(*tensor, value);
                }
            } else if constexpr (std::is_same_v<T, std::monostate>) {
                const bool known = plan.is<TensorInfo>();
                if (!known) {
                    return {};
                }
            } else if (const auto* number = plan.as<T>()) {
                return misfit(*number, value, input);
            }
            return fmt::format("expected {}, got {}", planned(plan), describe(given));
        },
        given);
}

Result<> checkValues(const program::Method& method, const std::vector<program::ValueId>& ids,
                     const std::vector<BundledValue>& values, std::string_view what, bool input) {
    if (ids.size() != values.size()) {
        std::vector<std::string> wanted;
        for (const program::ValueId id : ids) {
            wanted.push_back(planned(method.value(id)));
        }
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("method \"{}\": expected {} {}{}{}{}, got {}", method.name, ids.size(),
                                      what, ids.size() == 1 ? "" : "s", wanted.empty() ? "" : ": ",
                                      fmt::join(wanted, ", "), values.size()));
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (const auto wrong = misfit(method.value(ids[i]), values[i], input)) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("method \"{}\", {} {}: {}", method.name, what, i, *wrong));
        }
    }
    return {};
}

}  // namespace

std::string describe(const BundledValue& value) {
    const auto* tensor = std::get_if<BundledTensor>(&value);
    return tensor == nullptr ? std::string(valueTypeName(value))
                             : fmt::format("{} {}", core::scalarTypeName(tensor->scalarType),
                                           core::sizesText(tensor->sizes));
}

Result<> checkCase(const program::Method& method, const TestCase& testCase) {
    ET_TRY(checkValues(method, method.inputs, testCase.inputs, "input", true));
    return checkValues(method, method.outputs, testCase.expectedOutputs, "output", false);
}

}  // namespace et::bundled_program

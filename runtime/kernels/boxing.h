#pragma once

#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/kernels/registry.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// Makes a KernelFunction from a typed function: `KernelEntry{"aten::add.out", box<&addOut>}` where
//
//     core::Result<> addOut(KernelContext&, const Tensor& self, const Tensor& other, Scalar alpha,
//                           Tensor& out);
//
// The parameters after the context are the operator's arguments in the schema's order, `out` last:
//
//     Tensor                 const Tensor&              Tensor?                const Tensor* (null: None)
//     out Tensor             Tensor&                    Tensor[]               TensorList
//     out Tensor?            Tensor* (null: None)
//     Tensor?[]              OptionalTensorList         out Tensor[]           OutTensorList
//     Scalar                 Scalar
//     int, float, bool, str  std::int64_t, double, bool, std::string_view
//     int[], float[], bool[] IntList, DoubleList, BoolList
//     ScalarType             ScalarType                 anything else          core::Value&
//     X?                     std::optional<X>
namespace et::kernels {

using core::Scalar;
using core::ScalarType;
using core::Tensor;

using TensorList = std::span<Tensor* const>;  ///< never contains null
using IntList = std::span<const std::int64_t>;
using DoubleList = std::span<const double>;
using BoolList = std::span<const bool>;

/// Missing tensors are null.
struct OptionalTensorList {
    std::span<Tensor* const> items;
};

/// Contains no null pointers and no constants.
struct OutTensorList {
    std::span<Tensor* const> items;
};

/// Conversion of a Value to one kind of parameter. `get` returns an optional-like that is empty on a
/// mismatch.
template <class Parameter>
struct Unboxed;

template <class T>
struct PlainUnboxed {
    static constexpr std::string_view expected = std::is_same_v<T, std::int64_t> ? "Int"
                                                 : std::is_same_v<T, bool>       ? "Bool"
                                                                                 : "String";
    static std::optional<T> get(core::Value& value) {
        const auto* content = value.as<T>();
        return content == nullptr ? std::nullopt : std::optional<T>(*content);
    }
};
template <>
struct Unboxed<std::int64_t> : PlainUnboxed<std::int64_t> {};
template <>
struct Unboxed<bool> : PlainUnboxed<bool> {};
template <>
struct Unboxed<std::string_view> : PlainUnboxed<std::string_view> {};

template <>
struct Unboxed<Scalar> {
    static constexpr std::string_view expected = "a number";
    static std::optional<Scalar> get(core::Value& value) { return value.scalar(); }
};
template <>
struct Unboxed<double> {
    static constexpr std::string_view expected = "Double";
    static std::optional<double> get(core::Value& value) {
        const auto number = value.scalar();
        return number && !number->isBool() ? std::optional(number->to<double>()) : std::nullopt;
    }
};
template <>
struct Unboxed<ScalarType> {
    static constexpr std::string_view expected = "Int (a dtype)";
    static std::optional<ScalarType> get(core::Value& value) {
        const auto* code = value.as<std::int64_t>();
        if (code == nullptr || !core::scalarType(*code)) {
            return std::nullopt;
        }
        return static_cast<ScalarType>(*code);
    }
};
template <>
struct Unboxed<IntList> {
    static constexpr std::string_view expected = "IntList";
    static std::optional<IntList> get(core::Value& value) { return value.ints(); }
};
template <>
struct Unboxed<DoubleList> {
    static constexpr std::string_view expected = "DoubleList";
    static std::optional<DoubleList> get(core::Value& value) {
        const auto* list = value.as<core::DoubleListValue>();
        return list == nullptr ? std::nullopt : std::optional<DoubleList>(list->numbers);
    }
};
template <>
struct Unboxed<BoolList> {
    static constexpr std::string_view expected = "BoolList";
    static std::optional<BoolList> get(core::Value& value) {
        const auto* list = value.as<core::BoolListValue>();
        return list == nullptr ? std::nullopt : std::optional(BoolList(list->numbers.get(), list->size));
    }
};
template <>
struct Unboxed<TensorList> {
    static constexpr std::string_view expected = "TensorList";
    static std::optional<TensorList> get(core::Value& value) { return value.tensors(false); }
};
template <>
struct Unboxed<OptionalTensorList> {
    static constexpr std::string_view expected = "OptionalTensorList";
    static std::optional<OptionalTensorList> get(core::Value& value) {
        const auto items = value.tensors(true);
        return items ? std::optional(OptionalTensorList{*items}) : std::nullopt;
    }
};
template <>
struct Unboxed<OutTensorList> {
    static constexpr std::string_view expected = "TensorList to write to";
    static std::optional<OutTensorList> get(core::Value& value) {
        const auto items = value.tensors(false);
        const bool writable = items && std::ranges::none_of(*items, &Tensor::isConstant);
        return writable ? std::optional(OutTensorList{*items}) : std::nullopt;
    }
};
template <class T>
struct Unboxed<std::optional<T>> {
    static constexpr std::string_view expected = Unboxed<T>::expected;
    static std::optional<std::optional<T>> get(core::Value& value) {
        if (value.isNone()) {
            return std::optional<std::optional<T>>(std::in_place);
        }
        auto content = Unboxed<T>::get(value);
        return content ? std::optional<std::optional<T>>(std::in_place, std::move(content)) : std::nullopt;
    }
};

/// References are passed as pointers, which are null on a mismatch.
template <>
struct Unboxed<const Tensor&> {
    static constexpr std::string_view expected = "Tensor";
    static const Tensor* get(core::Value& value) { return value.as<Tensor>(); }
};
template <>
struct Unboxed<Tensor&> {
    static constexpr std::string_view expected = "Tensor to write to";
    static Tensor* get(core::Value& value) {
        Tensor* tensor = value.as<Tensor>();
        return tensor != nullptr && !tensor->isConstant() ? tensor : nullptr;
    }
};
template <>
struct Unboxed<core::Value&> {
    static constexpr std::string_view expected = "a value";
    static core::Value* get(core::Value& value) { return &value; }
};
template <>
struct Unboxed<Tensor*> {
    static constexpr std::string_view expected = "Tensor to write to or None";
    static std::optional<Tensor*> get(core::Value& value) {
        if (value.isNone()) {
            return std::optional<Tensor*>(std::in_place, nullptr);
        }
        Tensor* tensor = value.as<Tensor>();
        return tensor == nullptr || tensor->isConstant() ? std::nullopt : std::optional(tensor);
    }
};
template <>
struct Unboxed<const Tensor*> {
    static constexpr std::string_view expected = "Tensor or None";
    static std::optional<const Tensor*> get(core::Value& value) {
        if (value.isNone()) {
            return std::optional<const Tensor*>(std::in_place, nullptr);
        }
        const Tensor* tensor = value.as<Tensor>();
        return tensor == nullptr ? std::nullopt : std::optional(tensor);
    }
};

namespace detail {

[[nodiscard]] [[gnu::cold]] std::unexpected<core::Error> wrongArgumentCount(std::size_t expected,
                                                                            std::size_t given);

/// Checks unboxed arguments: `fits` and `expected` have one item per argument. Bits of `resized` mark tensors
/// that the kernel writes and may resize; these must not be among its inputs, whose sizes it reads meanwhile.
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<> checkUnboxed(Arguments arguments, std::span<const bool> fits,
                                          std::span<const std::string_view> expected, std::uint64_t resized);

/// An instruction repeats its results after the out arguments: once, or once per output.
inline constexpr std::size_t maxRepeatedResults = 16;

template <class Parameter>
inline constexpr bool isResized = std::is_same_v<Parameter, Tensor&> || std::is_same_v<Parameter, Tensor*>;

template <class Parameter>
inline constexpr bool isWritten = isResized<Parameter> || std::is_same_v<Parameter, OutTensorList>;

/// Bit i is set if the i-th of `set` is true.
template <bool... set>
constexpr std::uint64_t bitsOf() {
    std::uint64_t made = 0;
    std::size_t index = 0;
    ((made |= std::uint64_t{set} << index++), ...);
    return made;
}

/// Unboxing shared by all functions of one signature.
template <class... Parameters>
struct Signature {
    using Function = core::Result<> (*)(KernelContext&, Parameters...);
    static constexpr std::size_t count = sizeof...(Parameters);
    static_assert(count <= 64);

    static constexpr std::uint64_t written = bitsOf<isWritten<Parameters>...>();
    static constexpr std::uint64_t resized = bitsOf<isResized<Parameters>...>();
    static constexpr std::array<std::string_view, count> expected{Unboxed<Parameters>::expected...};

    static core::Result<> call(Function function, KernelContext& context, Arguments arguments) {
        if (arguments.size() < count || arguments.size() > count + maxRepeatedResults) {
            return wrongArgumentCount(count, arguments.size());
        }
        return [&]<std::size_t... index>(std::index_sequence<index...>) {
            return callWith(function, context, arguments, Unboxed<Parameters>::get(*arguments[index])...);
        }(std::index_sequence_for<Parameters...>{});
    }

    /// `held`: pointers or optionals, empty where an argument is of another kind.
    template <class... Held>
    static core::Result<> callWith(Function function, KernelContext& context, Arguments arguments,
                                   Held... held) {
        const std::array<bool, count> fits{static_cast<bool>(held)...};
        ET_TRY(checkUnboxed(arguments, fits, expected, resized));
        return function(context, *held...);
    }
};

template <auto function, class Type>
struct Boxed;
template <auto function, class... Parameters>
struct Boxed<function, core::Result<> (*)(KernelContext&, Parameters...)> {
    using Shared = Signature<Parameters...>;

    static core::Result<> call(KernelContext& context, Arguments arguments) {
        return Shared::call(function, context, arguments);
    }
    static constexpr Kernel kernel{.call = &call, .written = Shared::written, .arguments = Shared::count};
};

}  // namespace detail

template <auto function>
inline constexpr Kernel box = detail::Boxed<function, decltype(function)>::kernel;

}  // namespace et::kernels

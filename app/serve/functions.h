#pragma once

#include "app/serve/conversions.h"
#include "app/serve/value.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace et::serve {

/// A function that Python can call by name: `Class.method` or `function`.
struct Function {
    std::string_view name;
    /// Throws Failure. Moves from the arguments.
    Value (*call)(std::span<Value> arguments);
};

namespace detail {

template <class Parameter>
decltype(auto) argument(Value& value) {
    using Plain = std::remove_cvref_t<Parameter>;
    if constexpr (Convertible<Plain>) {
        return Argument<Plain>::from(value);
    } else {
        return objectReference<Plain>(value);
    }
}

void checkCount(std::size_t expected, std::size_t given);

template <class Work, class Result, class... Parameters>
Value invoke(const Work& work, std::span<Value> arguments, Result (* /*signature*/)(Parameters...)) {
    checkCount(sizeof...(Parameters), arguments.size());
    return [&]<std::size_t... at>(std::index_sequence<at...>) {
        if constexpr (std::is_void_v<Result>) {
            work(argument<Parameters>(arguments[at])...);
            return Value();
        } else {
            return valueOf(work(argument<Parameters>(arguments[at])...));
        }
    }(std::index_sequence_for<Parameters...>());
}

/// The signature of a function, a member function or a lambda without captures, as a null pointer.
template <class R, class... P>
constexpr auto signatureOf(R (*)(P...)) -> R (*)(P...) {
    return nullptr;
}
template <class R, class T, class... P>
constexpr auto signatureOf(R (T::*)(P...)) -> R (*)(T&, P...) {
    return nullptr;
}
template <class R, class T, class... P>
constexpr auto signatureOf(R (T::*)(P...) const) -> R (*)(const T&, P...) {
    return nullptr;
}
template <class Lambda>
constexpr auto signatureOf(const Lambda& lambda) {
    return signatureOf(+lambda);
}

}  // namespace detail

/// Returns an entry of a table of functions.
template <auto work>
[[nodiscard]] constexpr Function function(std::string_view name) {
    return {.name = name, .call = [](std::span<Value> arguments) {
                const auto call = [](auto&&... given) -> decltype(auto) {
                    return std::invoke(work, std::forward<decltype(given)>(given)...);
                };
                return detail::invoke(call, arguments, detail::signatureOf(work));
            }};
}

/// Returns the function with this name, or null.
[[nodiscard]] const Function* findFunction(std::string_view name);

// One table per kind of object.
[[nodiscard]] std::span<const Function> blockFunctions();
[[nodiscard]] std::span<const Function> bundleFunctions();
[[nodiscard]] std::span<const Function> contentFunctions();
[[nodiscard]] std::span<const Function> conversationFunctions();
[[nodiscard]] std::span<const Function> gapFunctions();
[[nodiscard]] std::span<const Function> kernelFunctions();
[[nodiscard]] std::span<const Function> listeningFunctions();
[[nodiscard]] std::span<const Function> optionFunctions();
[[nodiscard]] std::span<const Function> programFunctions();
[[nodiscard]] std::span<const Function> recordFunctions();
[[nodiscard]] std::span<const Function> sessionFunctions();
[[nodiscard]] std::span<const Function> workflowFunctions();

}  // namespace et::serve

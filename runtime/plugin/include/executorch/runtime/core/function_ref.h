#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace executorch::runtime {

template <typename Signature>
class FunctionRef;

/// A borrowed callable.
template <typename Result, typename... Parameters>
class FunctionRef<Result(Parameters...)> {
  public:
    FunctionRef() = default;
    FunctionRef(std::nullptr_t) {}
    template <typename Callable,
              typename = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, FunctionRef> &&
                                          std::is_invocable_r_v<Result, Callable&, Parameters...>>>
    FunctionRef(Callable&& callable)
        : call(&callWith<std::remove_reference_t<Callable>>), target(reinterpret_cast<intptr_t>(&callable)) {}

    Result operator()(Parameters... parameters) const {
        return call(target, std::forward<Parameters>(parameters)...);
    }
    explicit operator bool() const { return call != nullptr; }
    bool operator==(const FunctionRef& other) const { return target == other.target; }

  private:
    template <typename Callable>
    static Result callWith(intptr_t at, Parameters... parameters) {
        return (*reinterpret_cast<Callable*>(at))(std::forward<Parameters>(parameters)...);
    }

    Result (*call)(intptr_t, Parameters...) = nullptr;
    intptr_t target = 0;
};

}  // namespace executorch::runtime

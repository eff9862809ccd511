#pragma once

#include <et_inspect/result.h>
#include <et_inspect/tensor.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace et_inspect {

/// An input or output of a method: None, a tensor, a number, a truth value or a text.
class Value {
  public:
    using Content = std::variant<std::monostate, Tensor, std::int64_t, double, bool, std::string, Error>;

    Value() = default;  ///< None
    Value(Tensor tensor) : held(std::move(tensor)) {}
    /// A failed factory is reported by the call that the value is passed to.
    Value(Result<Tensor> made) {
        if (made) {
            held = *std::move(made);
        } else {
            held = std::move(made).error();
        }
    }
    Value(bool flag) : held(flag) {}
    template <std::integral T>
    Value(T number) : held(static_cast<std::int64_t>(number)) {}
    template <std::floating_point T>
    Value(T number) : held(static_cast<double>(number)) {}
    Value(std::string text) : held(std::move(text)) {}
    Value(const char* text) : held(std::string(text)) {}

    const Content& content() const { return held; }
    bool is_none() const { return held.index() == 0; }
    bool is_tensor() const { return held.index() == 1; }

    /// Errors: InvalidArgument (another kind).
    Result<Tensor> to_tensor() const { return to<Tensor>("a tensor"); }
    Result<std::int64_t> to_int() const { return to<std::int64_t>("an integer"); }
    Result<double> to_double() const { return to<double>("a floating-point number"); }
    Result<bool> to_bool() const { return to<bool>("a truth value"); }
    Result<std::string> to_string() const { return to<std::string>("a text"); }

  private:
    template <class T>
    Result<T> to(const char* kind) const {
        if (const T* found = std::get_if<T>(&held)) {
            return *found;
        }
        if (const Error* failure = std::get_if<Error>(&held)) {
            return *failure;
        }
        constexpr const char* kinds[] = {"None",          "a tensor", "an integer", "a floating-point number",
                                         "a truth value", "a text"};
        return Error{ErrorCode::InvalidArgument,
                     std::string("expected ") + kind + ", got " + kinds[held.index()]};
    }

    Content held;
};

}  // namespace et_inspect

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace et_inspect {

/// Kind of failure.
enum class ErrorCode : std::uint8_t {
    Io,               ///< an operating system error (no such file, permission, short read)
    Format,           ///< a damaged file
    Unsupported,      ///< valid, but this build does not support it (an operator, a backend, a version)
    Limit,            ///< not enough memory, or more than a limit of ModuleOptions
    NotFound,         ///< no method, tensor or other item of that name
    InvalidArgument,  ///< an argument of the call is wrong: kind, dtype, shape, count
    Mismatch,         ///< two files contradict each other
    Cancelled,        ///< Module::cancel() or Conversation::stop()
};

/// A failure. `message` is one line: "model.pte: forward: input 0: expected float32 [1, 3], got int64 [3]".
struct Error {
    ErrorCode code = ErrorCode::Format;
    std::string message;
};

namespace detail {

/// value() without a value: a bug of the caller.
[[noreturn]] inline void no_value(const Error& error) {
#if defined(__cpp_exceptions)
    throw std::runtime_error(error.message);
#else
    std::fprintf(stderr, "%s\n", error.message.c_str());
    std::abort();
#endif
}

}  // namespace detail

/// A value or an Error. The library reports every failure in this way and throws nothing; value() of an error
/// throws std::runtime_error in the caller (without exceptions, it prints the message and aborts).
template <class T = void>
class [[nodiscard]] Result {
  public:
    using value_type = T;

    Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return content.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return checked(*this); }
    const T& value() const& { return checked(*this); }
    T&& value() && { return std::move(checked(*this)); }

    /// Requires a value.
    T& operator*() & { return *std::get_if<0>(&content); }
    const T& operator*() const& { return *std::get_if<0>(&content); }
    T&& operator*() && { return std::move(*std::get_if<0>(&content)); }
    T* operator->() { return std::get_if<0>(&content); }
    const T* operator->() const { return std::get_if<0>(&content); }

    template <class Other>
    T value_or(Other&& other) const& {
        return has_value() ? **this : static_cast<T>(std::forward<Other>(other));
    }

    /// Requires an error.
    Error& error() & { return *std::get_if<1>(&content); }
    const Error& error() const& { return *std::get_if<1>(&content); }
    Error&& error() && { return std::move(*std::get_if<1>(&content)); }

  private:
    template <class Self>
    static auto& checked(Self& self) {
        if (!self.has_value()) {
            detail::no_value(self.error());
        }
        return *self;
    }

    std::variant<T, Error> content;
};

/// Success or an Error.
template <>
class [[nodiscard]] Result<void> {
  public:
    using value_type = void;

    Result() = default;
    Result(Error failure) : content(std::move(failure)) {}

    bool has_value() const { return content.index() == 0; }
    explicit operator bool() const { return has_value(); }
    void value() const {
        if (!has_value()) {
            detail::no_value(error());
        }
    }
    /// Requires an error.
    Error& error() & { return *std::get_if<1>(&content); }
    const Error& error() const& { return *std::get_if<1>(&content); }
    Error&& error() && { return std::move(*std::get_if<1>(&content)); }

  private:
    std::variant<std::monostate, Error> content;
};

}  // namespace et_inspect

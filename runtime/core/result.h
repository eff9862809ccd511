#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace et::core {

/// Kind of failure; front ends map it to exit codes and wording, and never parse messages.
enum class ErrorCode : std::uint8_t {
    Io,               ///< an operating system error (no such file, permission, short read)
    Format,           ///< the bytes violate the format
    Unsupported,      ///< valid, but of a version or feature that this build does not support
    Limit,            ///< a count, size or depth exceeds the limit for files
    NotFound,         ///< a name (method, entry, column) missing in the input
    InvalidArgument,  ///< an invalid argument of the caller
    Mismatch,         ///< two artifacts contradict each other
    Cancelled,
};

/// Location of an Error in an input. Unknown fields are empty.
struct Where {
    std::string file{};                     ///< path as the user gave it
    std::string field{};                    ///< "run_data[3].events[7].name"
    std::optional<std::uint64_t> offset{};  ///< byte offset into `file`

    bool operator==(const Where&) const = default;
};

/// A failure as a value. `message` is one line in lower case without a full stop, of the form "expected X,
/// got Y" where applicable.
struct Error {
    ErrorCode code = ErrorCode::Format;
    std::string message;
    Where where{};

    /// One line: "FILE: FIELD at offset N: MESSAGE", without the unknown parts. Control characters from a
    /// file are escaped so that the text stays on one line, and quoted text is truncated to 200 bytes.
    [[nodiscard]] std::string toString() const;

    /// Sets `file` if it is not yet known.
    [[nodiscard]] Error in(std::string_view file) &&;
};

template <class T = void>
using Result = std::expected<T, Error>;

// Error paths are cold; moving them out of hot code speeds up loading the first model of a process.

/// Creates the error of a Result: `return fail(ErrorCode::Format, "…", {.field = "…"})`.
[[nodiscard]] [[gnu::cold]] inline std::unexpected<Error> fail(ErrorCode code, std::string message,
                                                               Where where = {}) {
    return std::unexpected(Error{code, std::move(message), std::move(where)});
}

/// Converts an error for another Result type.
[[nodiscard]] [[gnu::cold]] inline std::unexpected<Error> passOn(Error&& error) {
    return std::unexpected(std::move(error));
}

/// Escapes control characters and invalid UTF-8 in `text` as \xNN, for printing text from files on a
/// terminal.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace et::core

#define ET_CONCAT_(a, b) a##b
#define ET_CONCAT(a, b) ET_CONCAT_(a, b)

/// Evaluates a Result<>; returns its error from the enclosing function.
#define ET_TRY(expression)                                         \
    do {                                                           \
        if (auto et_result = (expression); !et_result) {           \
            return et::core::passOn(std::move(et_result).error()); \
        }                                                          \
    } while (false)

/// Initializes `declaration` with a Result<T>'s value, or returns its error: `ET_ASSIGN(auto x, f());`
#define ET_ASSIGN(declaration, expression) \
    ET_ASSIGN_(ET_CONCAT(et_result_, __LINE__), declaration, expression)
#define ET_ASSIGN_(result, declaration, expression)         \
    auto result = (expression);                             \
    if (!result) {                                          \
        return et::core::passOn(std::move(result).error()); \
    }                                                       \
    declaration = std::move(*result)

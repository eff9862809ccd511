#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace et::core {

/// What kind of failure an Error is; front ends map it to exit codes and wording, never parse messages.
enum class ErrorCode : std::uint8_t {
    Io,               ///< the operating system refused (no such file, permission, short read)
    Format,           ///< the bytes are not what the format allows
    Unsupported,      ///< valid, but a version or feature this build does not read
    Limit,            ///< a count, size or depth above the limit we accept from a file
    NotFound,         ///< a name (method, entry, column) that the input does not have
    InvalidArgument,  ///< the caller's own argument is wrong
    Mismatch,         ///< two artifacts contradict each other
    Cancelled,
};

/// Place in an input that an Error speaks of. Unknown parts stay empty.
struct Where {
    std::string file{};                     ///< path as the user gave it
    std::string field{};                    ///< "run_data[3].events[7].name"
    std::optional<std::uint64_t> offset{};  ///< byte offset into `file`

    bool operator==(const Where&) const = default;
};

/// A failure as a value. `message` is one line, lower case, without a full stop, and says
/// "expected X, got Y" where that applies.
struct Error {
    ErrorCode code = ErrorCode::Format;
    std::string message;
    Where where{};

    /// One line: "FILE: FIELD at offset N: MESSAGE" with the unknown parts left out. Control characters that
    /// came from a file are escaped so that the line stays one line, and what is quoted is cut after 200
    /// bytes.
    [[nodiscard]] std::string toString() const;

    /// This error with `file` filled in where no reader below knew it.
    [[nodiscard]] Error in(std::string_view file) &&;
};

template <class T = void>
using Result = std::expected<T, Error>;

// What leads to these is seldom needed: compilers put it apart, so that the rest of the code lies closer
// together. That is what counts where a process loads its first model.

/// The failure side of a Result: `return fail(ErrorCode::Format, "…", {.field = "…"})`.
[[nodiscard]] [[gnu::cold]] inline std::unexpected<Error> fail(ErrorCode code, std::string message,
                                                               Where where = {}) {
    return std::unexpected(Error{code, std::move(message), std::move(where)});
}

/// The failure side of another Result.
[[nodiscard]] [[gnu::cold]] inline std::unexpected<Error> passOn(Error&& error) {
    return std::unexpected(std::move(error));
}

/// `text` with control characters and invalid UTF-8 as \xNN, for text from a file that goes to a terminal.
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

/// Declares `declaration` from a Result<T>'s value, or returns its error: `ET_ASSIGN(auto x, f());`
#define ET_ASSIGN(declaration, expression) \
    ET_ASSIGN_(ET_CONCAT(et_result_, __LINE__), declaration, expression)
#define ET_ASSIGN_(result, declaration, expression)         \
    auto result = (expression);                             \
    if (!result) {                                          \
        return et::core::passOn(std::move(result).error()); \
    }                                                       \
    declaration = std::move(*result)

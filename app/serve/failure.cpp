#include "app/serve/failure.h"

#include <array>

namespace et::serve {
namespace {

struct ExceptionName {
    core::ErrorCode code;
    const char* name;
};
constexpr std::array exceptionNames{
    ExceptionName{core::ErrorCode::Io, "FileError"},
    ExceptionName{core::ErrorCode::Format, "FormatError"},
    ExceptionName{core::ErrorCode::Unsupported, "UnsupportedError"},
    ExceptionName{core::ErrorCode::Limit, "LimitError"},
    ExceptionName{core::ErrorCode::NotFound, "NotFoundError"},
    ExceptionName{core::ErrorCode::InvalidArgument, "ArgumentError"},
    ExceptionName{core::ErrorCode::Mismatch, "MismatchError"},
    ExceptionName{core::ErrorCode::Cancelled, "CancelledError"},
};

const char* exceptionName(core::ErrorCode code) {
    for (const ExceptionName& entry : exceptionNames) {
        if (entry.code == code) {
            return entry.name;
        }
    }
    return "Error";
}

}  // namespace

void raise(core::Error error) {
    const char* const name = exceptionName(error.code);
    throw Failure{.exception = name, .error = std::move(error)};
}

void raise(std::string exception, std::string message) {
    throw Failure{.exception = std::move(exception),
                  .error = {.code = core::ErrorCode::InvalidArgument, .message = std::move(message)}};
}

}  // namespace et::serve

#include "app/embed/convert.h"

#include "app/embed/log.h"

#include <utility>

namespace et_inspect {

std::string name(DType dtype) {
    return et::core::scalarTypeName(detail::engineType(dtype));
}

std::size_t element_size(DType dtype) {
    return et::core::elementBytes(detail::engineType(dtype));
}

namespace detail {
namespace {

/// Replaces names of command line options by those of members: "--seq-len" by "seq_len".
std::string memberNames(std::string text) {
    for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
        const bool isOption = (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(') &&
                              at + 2 < text.size() && text[at + 2] >= 'a' && text[at + 2] <= 'z';
        if (!isOption) {
            at += 2;
            continue;
        }
        text.erase(at, 2);
        for (; at < text.size() && (text[at] == '-' || (text[at] >= 'a' && text[at] <= 'z')); ++at) {
            text[at] = text[at] == '-' ? '_' : text[at];
        }
    }
    return text;
}

static_assert(static_cast<int>(ErrorCode::Io) == static_cast<int>(et::core::ErrorCode::Io));
static_assert(static_cast<int>(ErrorCode::Limit) == static_cast<int>(et::core::ErrorCode::Limit));
static_assert(static_cast<int>(ErrorCode::Cancelled) == static_cast<int>(et::core::ErrorCode::Cancelled));

}  // namespace

Error errorOf(const et::core::Error& error) {
    return failure(static_cast<ErrorCode>(error.code), memberNames(error.toString()));
}

Error failure(ErrorCode code, std::string message) {
    log(LogLevel::Error, message);
    return {code, std::move(message)};
}

et::core::Error engineError(const Error& error) {
    return {.code = static_cast<et::core::ErrorCode>(error.code), .message = error.message};
}

std::optional<DType> dtypeOf(et::core::ScalarType dtype) {
    switch (dtype) {
        case et::core::ScalarType::Byte:
        case et::core::ScalarType::Char:
        case et::core::ScalarType::Short:
        case et::core::ScalarType::Int:
        case et::core::ScalarType::Long:
        case et::core::ScalarType::Half:
        case et::core::ScalarType::Float:
        case et::core::ScalarType::Double:
        case et::core::ScalarType::Bool:
        case et::core::ScalarType::BFloat16:
        case et::core::ScalarType::UInt16:
        case et::core::ScalarType::UInt32:
        case et::core::ScalarType::UInt64:
            return static_cast<DType>(dtype);
        default:
            return std::nullopt;
    }
}

}  // namespace detail
}  // namespace et_inspect

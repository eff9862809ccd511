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

static_assert(static_cast<int>(ErrorCode::Io) == static_cast<int>(et::core::ErrorCode::Io));
static_assert(static_cast<int>(ErrorCode::Limit) == static_cast<int>(et::core::ErrorCode::Limit));
static_assert(static_cast<int>(ErrorCode::Cancelled) == static_cast<int>(et::core::ErrorCode::Cancelled));

}  // namespace

Error errorOf(const et::core::Error& error) {
    return failure(static_cast<ErrorCode>(error.code), error.toString());
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

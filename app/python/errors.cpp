#include "app/python/errors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string_view>

namespace et::python {
namespace {

namespace nb = nanobind;

struct ExceptionName {
    core::ErrorCode code;
    const char* name;  ///< class in et_inspect.errors
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

nb::object textOrNone(std::string_view text) {
    return text.empty() ? nb::none() : nb::object(nb::str(text.data(), text.size()));
}

}  // namespace

void raise(const core::Error& error) {
    const nb::object type = nb::module_::import_("et_inspect.errors").attr(exceptionName(error.code));
    const std::string message = core::printable(error.message);
    const nb::object offset = error.where.offset ? nb::cast(*error.where.offset) : nb::none();
    const nb::object exception =
        type(error.toString(), nb::arg("message") = message,
             nb::arg("file") = textOrNone(core::printable(error.where.file)),
             nb::arg("field") = textOrNone(core::printable(error.where.field)), nb::arg("offset") = offset);
    PyErr_SetObject(type.ptr(), exception.ptr());
    throw nb::python_error();
}

}  // namespace et::python

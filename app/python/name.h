#pragma once

#include "app/python/cells.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <string>

namespace et::python {

/// A name from a file that Python passes back as a parameter. It was produced by text() and may contain
/// invalid UTF-8, which the conversion to std::string would reject.
struct Name {
    std::string bytes;
};

}  // namespace et::python

namespace nanobind::detail {

template <>
struct type_caster<et::python::Name> {
    NB_TYPE_CASTER(et::python::Name, const_name("str"))

    // Required by nanobind under these names. NOLINTNEXTLINE(readability-identifier-naming)
    bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
        if (!isinstance<str>(source)) {
            return false;
        }
        try {
            value.bytes = et::python::encodedText(source);
            return true;
        } catch (const std::exception&) {  // a surrogate that does not represent a byte
            return false;
        }
    }
};

}  // namespace nanobind::detail

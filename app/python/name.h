#pragma once

#include "app/python/cells.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <string>

namespace et::python {

/// A name of a file that Python hands back, as a parameter: text() gave it, so it may hold bytes that are no
/// UTF-8, which std::string would refuse.
struct Name {
    std::string bytes;
};

}  // namespace et::python

namespace nanobind::detail {

template <>
struct type_caster<et::python::Name> {
    NB_TYPE_CASTER(et::python::Name, const_name("str"))

    // Called by nanobind, which has these names.
    // NOLINTNEXTLINE(readability-identifier-naming)
    bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
        if (!isinstance<str>(source)) {
            return false;
        }
        try {
            value.bytes = et::python::encodedText(source);
            return true;
        } catch (const std::exception&) {  // a surrogate that stands for no byte
            return false;
        }
    }
};

}  // namespace nanobind::detail

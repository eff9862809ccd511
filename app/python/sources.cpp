#include "app/python/sources.h"

#include "app/python/errors.h"

#include <nanobind/stl/filesystem.h>

#include <filesystem>

namespace et::python {

namespace nb = nanobind;

std::shared_ptr<const core::MappedFile> contents(const nb::object& source) {
    if (!nb::isinstance<nb::bytes>(source)) {
        std::filesystem::path path;
        if (!nb::try_cast(source, path)) {
            if (nb::isinstance<nb::str>(source) || nb::hasattr(source, "__fspath__")) {
                throw nb::value_error("a path with a null byte");
            }
            throw nb::type_error("expected a path or the bytes of a file");
        }
        return unwrap(withoutGil([&] { return core::MappedFile::open(path); }));
    }
    const auto bytes = nb::cast<nb::bytes>(source);
    const auto* const data = static_cast<const std::byte*>(bytes.data());
    return core::MappedFile::fromMemory({data, data + bytes.size()}, "<bytes>");
}

}  // namespace et::python

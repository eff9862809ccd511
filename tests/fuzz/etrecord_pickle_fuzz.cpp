// Fuzzes the pickle of a torch archive, which the checksum of an ETRecord would protect from mutations.
#include "etrecord/torch_archive.h"

#include <cstdint>
#include <span>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto tensors = et::etrecord::listPickledTensors(std::as_bytes(std::span(data, size)), "fuzz");
    if (!tensors) {
        std::ignore = tensors.error().toString();
    }
    return 0;
}

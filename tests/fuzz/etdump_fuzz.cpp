#include "etdump/trace.h"
#include "tests/support/touch_trace.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto trace = et::etdump::Trace::parse(et::core::MappedFile::fromMemory({bytes, bytes + size}));
    if (trace) {
        et::test::TraceToucher(**trace).touch();
    }
    return 0;
}

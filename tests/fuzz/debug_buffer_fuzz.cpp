// Fuzzes a trace with its debug buffer: tensors are where the trace says, or are refused.
#include "etdump/trace.h"
#include "inspector/tensor_files/debug_tensor.h"
#include "tests/fuzz/support/byte_source.h"

#include <memory>
#include <utility>
#include <vector>

namespace {

volatile std::size_t sink = 0;

et::etdump::DebugTensor tensorOf(et::fuzz::ByteSource& source) {
    et::etdump::DebugTensor tensor{.scalarType = static_cast<std::int8_t>(source.below(50)),
                                   .sizes = {},
                                   .strides = {},
                                   .offset = source.oneIn(8) ? source.take<std::int64_t>()
                                                             : static_cast<std::int64_t>(source.below(64))};
    for (std::size_t dims = source.below(5); dims > 0; --dims) {
        tensor.sizes.push_back(source.oneIn(8) ? source.take<std::int64_t>()
                                               : static_cast<std::int64_t>(source.below(5)));
        tensor.strides.push_back(source.oneIn(8) ? source.take<std::int64_t>()
                                                 : static_cast<std::int64_t>(source.below(9)));
    }
    if (source.oneIn(4)) {
        tensor.strides.resize(source.below(5));
    }
    return tensor;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    et::fuzz::ByteSource source(data, size);
    const et::etdump::DebugTensor tensor = tensorOf(source);
    const auto rest = source.rest();
    const auto buffer = et::core::MappedFile::fromMemory({rest.begin(), rest.end()});
    const auto bytes = et::inspector::debugTensorBytes(tensor, *buffer);
    if (!bytes) {
        et::fuzz::require(!bytes.error().empty());
        return 0;
    }
    const et::core::Bytes whole = buffer->bytes();
    et::fuzz::require(bytes->empty() || (bytes->data() >= whole.data() &&
                                         bytes->data() + bytes->size() <= whole.data() + whole.size()));
    for (const std::byte each : *bytes) {
        sink = sink + std::to_integer<std::size_t>(each);
    }
    return 0;
}

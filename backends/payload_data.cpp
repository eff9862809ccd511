#include "backends/payload_data.h"

#include <fmt/format.h>

#include <string>

namespace et::backends {

void describeNamedConstant(std::string_view name, const executor::NamedDataSource& namedData,
                           core::GraphValue& value) {
    value.attributes.push_back({std::string(dataNameAttribute), std::string(name)});
    if (const auto found = namedData.find(name)) {
        value.bytes = found->size();
        value.data = *found;
    } else {
        value.attributes.push_back({"data", "missing: neither the program nor a tensor data file has it"});
    }
}

core::Result<core::Bytes> payloadPart(core::Bytes payload, std::uint64_t offset, std::uint64_t size,
                                      std::string_view field) {
    if (offset > payload.size() || size > payload.size() - offset) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("expected at most the {} bytes of the payload, got {} bytes at {}",
                                      payload.size(), size, offset),
                          {.file = {}, .field = std::string(field), .offset = {}});
    }
    return payload.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace et::backends

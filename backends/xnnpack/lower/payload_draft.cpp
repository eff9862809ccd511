#include "backends/xnnpack/lower/payload_draft.h"

#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/nodes/shapes.h"

#include <charconv>
#include <limits>
#include <utility>

namespace et::backends::xnnpack {

namespace {

constexpr std::uint64_t maxValueBytes = std::uint64_t{8} << 30;

}  // namespace

PayloadDraft::PayloadDraft() {
    payload.constants.emplace_back();  // index 0 means "not a constant"
}

ValueIndex PayloadDraft::value(DraftValue value) {
    const auto index = static_cast<ValueIndex>(payload.values.size());
    PayloadValue made;
    made.id = index;
    made.datatype = value.datatype;
    made.sizes = std::move(value.sizes);
    made.quantization = std::move(value.quantization);
    payload.values.push_back(std::move(made));
    return index;
}

ValueIndex PayloadDraft::constant(DraftValue value, std::string name) {
    const std::uint32_t constant = namedConstant(std::move(name));
    const ValueIndex index = this->value(std::move(value));
    payload.values[index].constant = constant;
    return index;
}

std::uint32_t PayloadDraft::namedConstant(std::string name) {
    payload.constants.push_back({.data = {}, .name = std::move(name)});
    return static_cast<std::uint32_t>(payload.constants.size() - 1);
}

void PayloadDraft::markExternal(ValueIndex index) {
    payload.values[index].externalId = static_cast<std::uint32_t>(payload.externals.size());
    payload.externals.push_back(index);
}

void PayloadDraft::markInput(ValueIndex index) {
    payload.values[index].isInput = true;
    markExternal(index);
}

void PayloadDraft::markOutput(ValueIndex index) {
    payload.values[index].isOutput = true;
    markExternal(index);
}

core::Result<std::vector<std::byte>> PayloadDraft::finish() const {
    std::vector<std::byte> bytes = writePayload(payload);
    ET_ASSIGN(const Payload made, readPayload(bytes));
    Shapes shapes = exportedShapes(made);
    ET_TRY(followShapes(made, shapes, maxValueBytes));
    return bytes;
}

std::size_t PayloadDraft::nodeOf(core::Error& error) {
    constexpr std::string_view start = "nodes[";
    std::string_view place = error.where.field;
    auto index = std::numeric_limits<std::size_t>::max();
    if (place.starts_with(start)) {
        place.remove_prefix(start.size());
        std::from_chars(place.data(), place.data() + place.size(), index);
        error.message.insert(0, "as an XNNPACK operator: ");
        error.where = {};
    }
    return index;
}

}  // namespace et::backends::xnnpack

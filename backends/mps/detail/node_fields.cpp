#include "backends/mps/detail/node_fields.h"

#include "backends/mps/datatypes.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace et::backends::mps {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::Result;

constexpr std::size_t longestText = 64;

/// Offset of a field's entry in a table's vtable.
flatbuffers::voffset_t placeOf(const FieldInfo& field) {
    return static_cast<flatbuffers::voffset_t>((2U + field.slot) * sizeof(flatbuffers::voffset_t));
}

flatbuffers::Verifier makeVerifier(core::Bytes bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

std::unexpected<core::Error> NodeFields::damaged(const FieldInfo& field) const {
    const FieldPath at = path.field(field.name);
    return view.fail(ErrorCode::Format, at, &table, "expected a field inside the flatbuffer");
}

template <class T>
Result<T> NodeFields::number(const FieldInfo& field) {
    const auto verifier = makeVerifier(bytes);
    if (!table.VerifyField<T>(verifier, placeOf(field), sizeof(T))) {
        return damaged(field);
    }
    return table.GetField<T>(placeOf(field), T{});
}

Result<std::vector<std::int64_t>> NodeFields::list(const FieldInfo& field) {
    using Numbers = flatbuffers::Vector<std::int32_t>;
    auto verifier = makeVerifier(bytes);
    if (!table.VerifyOffset(verifier, placeOf(field)) ||
        !verifier.VerifyVector(table.GetPointer<const Numbers*>(placeOf(field)))) {
        return damaged(field);
    }
    const FieldPath at = path.field(field.name);
    return view.copy<std::int64_t>(table.GetPointer<const Numbers*>(placeOf(field)), at);
}

Result<std::string> NodeFields::string(const FieldInfo& field) {
    auto verifier = makeVerifier(bytes);
    if (!table.VerifyOffset(verifier, placeOf(field)) ||
        !verifier.VerifyString(table.GetPointer<const flatbuffers::String*>(placeOf(field)))) {
        return damaged(field);
    }
    const auto* text = table.GetPointer<const flatbuffers::String*>(placeOf(field));
    return text == nullptr ? std::string() : core::printable(text->string_view().substr(0, longestText));
}

Result<std::vector<std::int64_t>> NodeFields::values(const FieldInfo& field) {
    if (field.kind == FieldKind::InputList || field.kind == FieldKind::OutputList) {
        return list(field);
    }
    return number<std::int32_t>(field).transform([](std::int32_t value) {
        return value < 0 ? std::vector<std::int64_t>() : std::vector<std::int64_t>{value};
    });
}

Result<std::string> NodeFields::text(const FieldInfo& field) {
    const auto toText = [](auto value) { return fmt::to_string(value); };
    switch (field.kind) {
        case FieldKind::Int:
            return number<std::int32_t>(field).transform(toText);
        case FieldKind::Long:
            return number<std::int64_t>(field).transform(toText);
        case FieldKind::Float:
            return number<float>(field).transform(toText);
        case FieldKind::Bool:
            return number<std::uint8_t>(field).transform(
                [](std::uint8_t value) { return fmt::to_string(value != 0); });
        case FieldKind::Datatype:
            return number<std::int16_t>(field).transform(
                [](std::int16_t code) { return datatypeInfo(code).name; });
        case FieldKind::Text:
            return string(field);
        case FieldKind::IntList:
            return list(field).transform(
                [](const std::vector<std::int64_t>& items) { return core::sizesText(items); });
        case FieldKind::Input:
        case FieldKind::Output:
        case FieldKind::InputList:
        case FieldKind::OutputList:
            break;
    }
    return std::string();
}

}  // namespace et::backends::mps

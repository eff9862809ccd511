#include "backends/mlx/detail/node_fields.h"

#include "backends/mlx/schema/payload_generated.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>

namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using flatbuffers::Offset;
using flatbuffers::voffset_t;

/// Offset of a field's entry in a table's vtable.
voffset_t vtableEntry(const FieldInfo& field) {
    return static_cast<voffset_t>((2U + field.slot) * sizeof(voffset_t));
}

flatbuffers::Verifier verifierOf(core::Bytes bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Item itemOfNumber(Item::Kind kind, std::int64_t whole) {
    return {.kind = kind, .number = 0, .whole = whole, .real = 0};
}

Item itemOfReal(double real) {
    return {.kind = Item::Kind::Float, .number = 0, .whole = 0, .real = real};
}

}  // namespace

bool NodeFields::isPresent(const Place& place) const {
    return place.table.CheckField(vtableEntry(place.field));
}

std::unexpected<core::Error> NodeFields::damaged(const Place& place) const {
    return view.fail(ErrorCode::Format, place.path, &place.table, "expected a field inside the flatbuffer");
}

std::unexpected<core::Error> NodeFields::missing(const Place& place) const {
    return view.fail(ErrorCode::Format, place.path, &place.table, "expected this field, got none");
}

template <class T>
Result<T> NodeFields::scalar(const Place& place) const {
    if (!place.table.VerifyField<T>(verifierOf(bytes), vtableEntry(place.field), sizeof(T))) {
        return damaged(place);
    }
    return place.table.GetField<T>(vtableEntry(place.field), static_cast<T>(place.field.standard));
}

template <class Vector>
Result<const Vector*> NodeFields::vector(const Place& place) const {
    auto verifier = verifierOf(bytes);
    if (!place.table.VerifyOffset(verifier, vtableEntry(place.field))) {
        return damaged(place);
    }
    const auto* found = place.table.GetPointer<const Vector*>(vtableEntry(place.field));
    if (!verifier.VerifyVector(found)) {
        return damaged(place);
    }
    return found;
}

Result<Item> NodeFields::checked(Item::Kind kind, std::uint32_t number, const Place& place) const {
    const bool isTensor = kind == Item::Kind::Tensor;
    const bool isChain = kind == Item::Kind::Chain;
    const std::uint32_t count = isTensor ? limits.tensors : isChain ? limits.chains : limits.values;
    if (number >= count) {
        return view.fail(ErrorCode::Format, place.path, &place.table,
                         fmt::format("expected one of the {} {}, got {}", count,
                                     isTensor  ? "tensors"
                                     : isChain ? "chains"
                                               : "values",
                                     number));
    }
    return Item{.kind = kind, .number = number, .whole = 0, .real = 0};
}

Result<Item> NodeFields::reference(Item::Kind kind, const schema::Index* index, const Place& place) const {
    return index == nullptr ? Result<Item>(missing(place)) : checked(kind, index->number(), place);
}

Result<Item> NodeFields::itemOf(const schema::IntOrValue& table, const Place& place) const {
    return table.is_value() ? reference(Item::Kind::Value, table.value(), place)
                            : itemOfNumber(Item::Kind::Int, table.literal());
}

Result<Item> NodeFields::itemOf(const schema::RealOrValue& table, const Place& place) const {
    return table.is_value() ? reference(Item::Kind::Value, table.value(), place)
                            : itemOfReal(table.literal());
}

Result<Item> NodeFields::itemOf(const schema::ValueOrTensor& table, const Place& place) const {
    return table.is_value() ? reference(Item::Kind::Value, table.value(), place)
                            : reference(Item::Kind::Tensor, table.tensor(), place);
}

Result<Item> NodeFields::itemOf(const schema::IntValueOrTensor& table, const Place& place) const {
    switch (table.kind()) {
        case 0:
            return itemOfNumber(Item::Kind::Int, table.literal());
        case 1:
            return reference(Item::Kind::Value, table.value(), place);
        case 2:
            return reference(Item::Kind::Tensor, table.tensor(), place);
        default:
            return view.fail(ErrorCode::Format, place.path, &table,
                             fmt::format("expected kind 0, 1 or 2, got {}", table.kind()));
    }
}

Result<Field> NodeFields::index(const Place& place, Item::Kind kind, bool optional) const {
    if (!isPresent(place)) {
        return optional ? Result<Field>(Field()) : missing(place);
    }
    ET_ASSIGN(const auto number, scalar<std::uint32_t>(place));
    ET_ASSIGN(Item item, checked(kind, number, place));
    return Field(item);
}

Result<Field> NodeFields::dtype(const Place& place, std::int8_t code) const {
    if (!core::scalarType(code)) {
        return view.fail(ErrorCode::Format, place.path, &place.table,
                         fmt::format("expected a scalar type, got {}", code));
    }
    return Field(itemOfNumber(Item::Kind::Dtype, code));
}

Result<Field> NodeFields::optionalNumber(const Place& place) const {
    if (!isPresent(place)) {
        return Field();
    }
    switch (place.field.kind) {
        case FieldKind::OptionalFloat:
            return scalar<float>(place).transform([](float real) { return Field(itemOfReal(real)); });
        case FieldKind::OptionalDtype:
            return scalar<std::int8_t>(place).and_then([&](std::int8_t code) { return dtype(place, code); });
        default:
            return scalar<std::int32_t>(place).transform(
                [](std::int32_t whole) { return Field(itemOfNumber(Item::Kind::Int, whole)); });
    }
}

Result<Field> NodeFields::text(const Place& place) {
    ET_ASSIGN(const auto* found, vector<flatbuffers::String>(place));
    if (found == nullptr) {
        return Field();
    }
    if (!verifierOf(bytes).VerifyString(found)) {
        return damaged(place);
    }
    if (coverage != nullptr) {
        coverage->add(found, sizeof(flatbuffers::uoffset_t) + found->size() + 1);
    }
    return Field(found->string_view());
}

Result<Field> NodeFields::texts(const Place& place) {
    ET_ASSIGN(const auto* found, vector<flatbuffers::Vector<Offset<flatbuffers::String>>>(place));
    if (coverage != nullptr) {
        coverage->addVector(found, sizeof(Offset<void>));
    }
    return view
        .map(found, place.path,
             [&](const flatbuffers::String* each, const core::FieldPath&) -> Result<std::string_view> {
                 if (!verifierOf(bytes).VerifyString(each)) {
                     return damaged(place);
                 }
                 if (coverage != nullptr) {
                     coverage->add(each, sizeof(flatbuffers::uoffset_t) + each->size() + 1);
                 }
                 return each->string_view();
             })
        .transform([](std::vector<std::string_view> all) { return Field(std::move(all)); });
}

Result<Field> NodeFields::indices(const Place& place) {
    ET_ASSIGN(const auto* found, vector<flatbuffers::Vector<std::uint32_t>>(place));
    if (coverage != nullptr) {
        coverage->addVector(found, sizeof(std::uint32_t));
    }
    ET_ASSIGN(const auto copied, view.copy<std::uint32_t>(found, place.path));
    std::vector<Item> items;
    items.reserve(copied.size());
    for (const std::uint32_t number : copied) {
        ET_ASSIGN(const Item item, checked(Item::Kind::Tensor, number, place));
        items.push_back(item);
    }
    return Field(std::move(items));
}

template <class T>
Result<Field> NodeFields::wholes(const Place& place, Item::Kind kind) {
    ET_ASSIGN(const auto* found, vector<flatbuffers::Vector<T>>(place));
    if (coverage != nullptr) {
        coverage->addVector(found, sizeof(T));
    }
    ET_ASSIGN(const auto copied, view.copy<std::int64_t>(found, place.path));
    std::vector<Item> items;
    items.reserve(copied.size());
    for (const std::int64_t whole : copied) {
        if (kind == Item::Kind::Dtype) {
            ET_TRY(dtype(place, static_cast<std::int8_t>(whole)));
        }
        items.push_back(itemOfNumber(kind, whole));
    }
    return Field(std::move(items));
}

template <class Table>
Result<Field> NodeFields::tableItem(const Place& place, bool optional) {
    auto verifier = verifierOf(bytes);
    if (!place.table.VerifyOffset(verifier, vtableEntry(place.field))) {
        return damaged(place);
    }
    const auto* table = place.table.GetPointer<const Table*>(vtableEntry(place.field));
    if (table == nullptr) {
        return optional ? Result<Field>(Field()) : missing(place);
    }
    if (!verifier.VerifyTable(table)) {
        return damaged(place);
    }
    cover(reinterpret_cast<const flatbuffers::Table&>(*table));
    ET_ASSIGN(Item item, itemOf(*table, place));
    return Field(item);
}

Result<Field> NodeFields::numbers(const Place& place) {
    ET_ASSIGN(const auto* found, vector<flatbuffers::Vector<Offset<schema::IntOrValue>>>(place));
    if (coverage != nullptr) {
        coverage->addVector(found, sizeof(Offset<void>));
    }
    return view
        .map(found, place.path,
             [&](const schema::IntOrValue* each, const core::FieldPath&) -> Result<Item> {
                 auto verifier = verifierOf(bytes);
                 if (!verifier.VerifyTable(each)) {
                     return damaged(place);
                 }
                 cover(reinterpret_cast<const flatbuffers::Table&>(*each));
                 return itemOf(*each, place);
             })
        .transform([](std::vector<Item> all) { return Field(std::move(all)); });
}

Result<Field> NodeFields::readNumber(const Place& place) {
    const auto asWhole = [](Item::Kind kind) {
        return [kind](auto whole) { return Field(itemOfNumber(kind, static_cast<std::int64_t>(whole))); };
    };
    switch (place.field.kind) {
        case FieldKind::Offset:
            return scalar<std::uint64_t>(place).transform(asWhole(Item::Kind::Int));
        case FieldKind::Ints:
            return wholes<std::int32_t>(place, Item::Kind::Int);
        case FieldKind::Bytes:
            return wholes<std::int8_t>(place, Item::Kind::Int);
        case FieldKind::Float:
            return scalar<float>(place).transform([](float real) { return Field(itemOfReal(real)); });
        case FieldKind::Bool:
            return scalar<std::uint8_t>(place).transform(asWhole(Item::Kind::Bool));
        case FieldKind::Dtype:
            return scalar<std::int8_t>(place).and_then([&](std::int8_t code) { return dtype(place, code); });
        case FieldKind::Dtypes:
            return wholes<std::int8_t>(place, Item::Kind::Dtype);
        case FieldKind::OptionalInt:
        case FieldKind::OptionalFloat:
        case FieldKind::OptionalDtype:
            return optionalNumber(place);
        default:
            return scalar<std::int32_t>(place).transform(asWhole(Item::Kind::Int));
    }
}

Result<Field> NodeFields::read(const schema::Fields& fields, const FieldInfo& field,
                               const core::FieldPath& nodePath) {
    const core::FieldPath path = nodePath.field(field.name);
    const Place place{reinterpret_cast<const flatbuffers::Table&>(fields), field, path};
    switch (field.kind) {
        case FieldKind::Tensor:
        case FieldKind::Result:
            return index(place, Item::Kind::Tensor, false);
        case FieldKind::OptionalTensor:
            return index(place, Item::Kind::Tensor, true);
        case FieldKind::Tensors:
        case FieldKind::Results:
        case FieldKind::StackedResults:
        case FieldKind::Carried:
            return indices(place);
        case FieldKind::OptionalValue:
            return index(place, Item::Kind::Value, true);
        case FieldKind::ValueResult:
            return index(place, Item::Kind::Value, false);
        case FieldKind::Number:
            return tableItem<schema::IntOrValue>(place, false);
        case FieldKind::OptionalNumber:
            return tableItem<schema::IntOrValue>(place, true);
        case FieldKind::Numbers:
            return numbers(place);
        case FieldKind::Real:
            return tableItem<schema::RealOrValue>(place, false);
        case FieldKind::ValueOrTensor:
            return tableItem<schema::ValueOrTensor>(place, false);
        case FieldKind::NumberOrTensor:
            return tableItem<schema::IntValueOrTensor>(place, false);
        case FieldKind::Text:
            return text(place);
        case FieldKind::Texts:
            return texts(place);
        case FieldKind::Chain:
            return scalar<std::uint32_t>(place).and_then([&](std::uint32_t number) {
                return checked(Item::Kind::Chain, number, place).transform([](Item item) {
                    return Field(item);
                });
            });
        default:
            return readNumber(place);
    }
}

}  // namespace et::backends::mlx

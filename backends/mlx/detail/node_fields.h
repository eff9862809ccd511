#pragma once

#include "backends/mlx/payload.h"
#include "backends/payload_bytes.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::backends::mlx {

namespace schema {
struct Fields;
struct Index;
struct IntOrValue;
struct IntValueOrTensor;
struct RealOrValue;
struct ValueOrTensor;
}  // namespace schema

/// Numbers of a payload that a field may refer to.
struct NumberLimits {
    std::uint32_t tensors = 0;
    std::uint32_t chains = 0;
    std::uint32_t values = 0;
};

/// Reads the fields of a node by the table of node_kinds, since the local schema does not describe them. The
/// bounds of the node's table are already verified; each field is verified before it is read.
class NodeFields {
  public:
    /// Borrows all arguments.
    NodeFields(core::FlatView& flatView, core::Bytes flatbuffer, const NumberLimits& numberLimits,
               ByteCoverage* covered)
        : view(flatView), bytes(flatbuffer), limits(numberLimits), coverage(covered) {}

    /// Errors: Format (damaged, a number that nothing has, a missing field), Limit.
    [[nodiscard]] core::Result<Field> read(const schema::Fields& fields, const FieldInfo& field,
                                           const core::FieldPath& nodePath);

  private:
    /// Where a field is.
    struct Place {
        const flatbuffers::Table& table;
        const FieldInfo& field;
        const core::FieldPath& path;
    };

    template <class T>
    core::Result<T> scalar(const Place& place) const;
    core::Result<Field> index(const Place& place, Item::Kind kind, bool optional) const;
    core::Result<Field> readNumber(const Place& place);
    core::Result<Field> dtype(const Place& place, std::int8_t code) const;
    core::Result<Field> optionalNumber(const Place& place) const;
    core::Result<Field> text(const Place& place);
    core::Result<Field> texts(const Place& place);
    core::Result<Field> indices(const Place& place);
    template <class T>
    core::Result<Field> wholes(const Place& place, Item::Kind kind);
    template <class Table>
    core::Result<Field> tableItem(const Place& place, bool optional);
    core::Result<Field> numbers(const Place& place);

    core::Result<Item> itemOf(const schema::IntOrValue& table, const Place& place) const;
    core::Result<Item> itemOf(const schema::RealOrValue& table, const Place& place) const;
    core::Result<Item> itemOf(const schema::ValueOrTensor& table, const Place& place) const;
    core::Result<Item> itemOf(const schema::IntValueOrTensor& table, const Place& place) const;
    core::Result<Item> reference(Item::Kind kind, const schema::Index* index, const Place& place) const;
    core::Result<Item> checked(Item::Kind kind, std::uint32_t number, const Place& place) const;

    template <class Vector>
    core::Result<const Vector*> vector(const Place& place) const;
    [[nodiscard]] bool isPresent(const Place& place) const;
    std::unexpected<core::Error> damaged(const Place& place) const;
    std::unexpected<core::Error> missing(const Place& place) const;
    void cover(const flatbuffers::Table& table) const {
        if (coverage != nullptr) {
            coverage->addTable(table);
        }
    }

    core::FlatView& view;
    core::Bytes bytes;
    NumberLimits limits;
    ByteCoverage* coverage;
};

}  // namespace et::backends::mlx

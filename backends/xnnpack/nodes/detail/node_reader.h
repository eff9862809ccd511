#pragma once

#include "backends/xnnpack/nodes/read_node.h"
#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace et::backends::xnnpack {

/// Shared state of the functions that read nodes of one form. Fills `node` from the table of its kind.
class NodeReader {
  public:
    NodeReader(core::FlatView& flatView, const schema::Node& from, const FindValue& findValue,
               const core::FieldPath& where, PayloadNode& made)
        : node(made), view(flatView), table(from), find(findValue), path(where) {}

    /// Errors: Format, Unsupported, Limit.
    [[nodiscard]] core::Result<> read();

    template <class Table>
    [[nodiscard]] const Table& as() const {
        return core::FlatView::unionAs<Table>(table.kind());
    }

    /// Errors: Format (an unknown id).
    [[nodiscard]] core::Result<ValueIndex> value(std::uint32_t id) const;

    /// Reads inputs by id, the output and the flags. Errors: Format.
    template <class Table>
    core::Result<> ends(const Table& from, std::initializer_list<std::uint32_t> inputs) {
        for (const std::uint32_t id : inputs) {
            ET_ASSIGN(const ValueIndex index, value(id));
            node.inputs.push_back(index);
        }
        ET_ASSIGN(const ValueIndex output, value(from.output()));
        node.outputs.push_back(output);
        node.flags = from.flags();
        return {};
    }

    /// The same for a product with an optional bias.
    template <class Table>
    core::Result<> weighted(const Table& from) {
        ET_TRY(ends(from, {from.input(), from.filter()}));
        ValueIndex bias = noValue;
        if (from.bias() != XNN_INVALID_VALUE_ID) {
            ET_ASSIGN(bias, value(from.bias()));
        }
        node.inputs.push_back(bias);
        return {};
    }

    /// One number per dimension. Errors: Unsupported (too many), Limit.
    [[nodiscard]] core::Result<PayloadDims> list(const flatbuffers::Vector<std::uint32_t>* from) const;

    template <class Table>
    [[nodiscard]] static ImagePadding padding(const Table& from) {
        return {.top = from.padding_top(),
                .right = from.padding_right(),
                .bottom = from.padding_bottom(),
                .left = from.padding_left()};
    }

    PayloadNode& node;

  private:
    core::FlatView& view;
    const schema::Node& table;
    const FindValue& find;
    const core::FieldPath& path;
};

/// Nodes with one or two inputs and no other fields. Errors: Format.
[[nodiscard]] core::Result<> readUnary(NodeReader& reader);
[[nodiscard]] core::Result<> readBinary(NodeReader& reader);

}  // namespace et::backends::xnnpack

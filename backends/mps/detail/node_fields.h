#pragma once

#include "backends/mps/node_kinds.h"
#include "backends/mps/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <cstdint>
#include <vector>

namespace et::backends::mps {

/// The fields of a node, which no schema of ours tells apart: they are read by the table of node_kinds. The
/// table's own bounds have been verified; here each field is, before it is read.
class NodeFields {
  public:
    /// All of it is borrowed.
    NodeFields(core::FlatView& flatView, core::Bytes flatbuffer, const schema::Fields& fields,
               const core::FieldPath& nodePath)
        : view(flatView),
          bytes(flatbuffer),
          table(reinterpret_cast<const flatbuffers::Table&>(fields)),
          path(nodePath) {}

    /// Of a field that holds numbers of values. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::vector<std::int64_t>> values(const FieldTraits& field);
    /// Of any other: "[2, 2]", "0.5"; empty: the node does not have it. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::string> text(const FieldTraits& field);

  private:
    template <class T>
    core::Result<T> number(const FieldTraits& field);
    core::Result<std::vector<std::int64_t>> list(const FieldTraits& field);
    core::Result<std::string> string(const FieldTraits& field);
    std::unexpected<core::Error> damaged(const FieldTraits& field) const;

    core::FlatView& view;
    core::Bytes bytes;
    const flatbuffers::Table& table;
    const core::FieldPath& path;
};

}  // namespace et::backends::mps

#pragma once

#include "backends/mps/node_kinds.h"
#include "backends/mps/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <cstdint>
#include <vector>

namespace et::backends::mps {

/// Reads the fields of a node by the table of node_kinds, since the local schema does not describe them. The
/// bounds of the node's table are already verified; each field is verified before it is read.
class NodeFields {
  public:
    /// Borrows all arguments.
    NodeFields(core::FlatView& flatView, core::Bytes flatbuffer, const schema::Fields& fields,
               const core::FieldPath& nodePath)
        : view(flatView),
          bytes(flatbuffer),
          table(reinterpret_cast<const flatbuffers::Table&>(fields)),
          path(nodePath) {}

    /// Values of a field that holds value ids. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::vector<std::int64_t>> values(const FieldInfo& field);
    /// Text of any other field: "[2, 2]", "0.5"; empty: the node lacks it. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::string> text(const FieldInfo& field);

  private:
    template <class T>
    core::Result<T> number(const FieldInfo& field);
    core::Result<std::vector<std::int64_t>> list(const FieldInfo& field);
    core::Result<std::string> string(const FieldInfo& field);
    std::unexpected<core::Error> damaged(const FieldInfo& field) const;

    core::FlatView& view;
    core::Bytes bytes;
    const flatbuffers::Table& table;
    const core::FieldPath& path;
};

}  // namespace et::backends::mps

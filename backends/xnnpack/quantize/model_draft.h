#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// A row-major tensor that owns a copy of these elements.
[[nodiscard]] reference::ReferenceTensor tensorOf(core::ScalarType dtype, std::span<const std::int64_t> sizes,
                                                  core::Bytes elements);

/// An Edge graph and its tensors on their way to another record.
class ModelDraft {
  public:
    /// A copy of the graph; tensors are shared. Errors: as EdgeMethod::tensor().
    [[nodiscard]] static core::Result<ModelDraft> open(lowering::EdgeMethod& method);

    etrecord::ExportedGraph graph;

    /// A new parameter or buffer, whose value is called `hint` or alike. `kind`: as InputSpec::kind. Gives
    /// the name of the value.
    std::string addTensor(std::string_view kind, std::string_view hint, std::string target,
                          reference::ReferenceTensor tensor);
    /// Describes a new value of the graph: float32 and so on, of the sizes of another one. Gives its name.
    std::string addValue(std::string_view hint, std::string_view like, core::ScalarType dtype);
    /// Likewise of these sizes.
    std::string addSizedValue(std::string_view hint, std::span<const std::int64_t> sizes,
                              core::ScalarType dtype);
    /// Likewise of another value's sizes but for the last one, which is dropped.
    std::string addRowValue(std::string_view hint, std::string_view like, core::ScalarType dtype);
    /// The elements of a parameter or buffer from now on, of the same sizes.
    void setTensor(std::string_view value, reference::ReferenceTensor tensor);
    /// A debug handle that no node has.
    [[nodiscard]] core::DebugHandle newHandle();

    /// The record with this graph in place of the method's own; tensors that nothing reads are left out.
    /// Errors: as etrecord::replaceMethod() and writeTorchArchive().
    [[nodiscard]] core::Result<std::vector<std::byte>> record(const etrecord::Record& from,
                                                              std::string_view method);

  private:
    [[nodiscard]] std::string newName(std::string_view hint);
    void dropUnread();

    std::map<std::string, reference::ReferenceTensor, std::less<>> tensors;  ///< by value
    std::map<std::string, std::size_t, std::less<>> suffixes;                ///< last number tried, by hint
    core::DebugHandle lastHandle{};
};

/// Calls `rename` with every name of a value in an argument, to be changed. A subgraph's own are none of it.
void renameValues(etrecord::Argument& argument, const std::function<void(std::string&)>& rename);

}  // namespace et::backends::xnnpack

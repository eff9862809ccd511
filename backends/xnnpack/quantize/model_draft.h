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
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// A row-major tensor with a copy of these elements.
[[nodiscard]] reference::ReferenceTensor tensorOf(core::ScalarType dtype, std::span<const std::int64_t> sizes,
                                                  core::Bytes elements);

/// An editable copy of an Edge graph and its tensors, for writing a new record.
class ModelDraft {
  public:
    /// Copies the graph; tensors are shared. Errors: those of EdgeMethod::storedTensor().
    [[nodiscard]] static core::Result<ModelDraft> open(lowering::EdgeMethod& method);

    etrecord::ExportedGraph graph;

    /// Adds a parameter or buffer, with a value name based on `hint`. `kind`: see InputSpec::kind. Returns
    /// the name of the value.
    std::string addTensor(std::string_view kind, std::string_view hint, std::string target,
                          reference::ReferenceTensor tensor);
    /// Adds a value of this dtype with the sizes of another one. Returns its name.
    std::string addValue(std::string_view hint, std::string_view like, core::ScalarType dtype);
    /// The same with these sizes.
    std::string addSizedValue(std::string_view hint, std::span<const std::int64_t> sizes,
                              core::ScalarType dtype);
    /// The same with the sizes of another value, without the last one.
    std::string addRowValue(std::string_view hint, std::string_view like, core::ScalarType dtype);
    /// Replaces the elements of a parameter or buffer; the sizes stay the same.
    void setTensor(std::string_view value, reference::ReferenceTensor tensor);
    /// Returns an unused debug handle.
    [[nodiscard]] core::DebugHandle newHandle();

    /// The record with this graph replacing the method's; omits tensors that nothing reads, and shares all
    /// others. Errors: those of etrecord::replaceMethod(), torchArchiveFile() and Record::parse().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> record(const etrecord::Record& from,
                                                                               std::string_view method);

  private:
    [[nodiscard]] std::string newName(std::string_view hint);
    void dropUnread();

    std::map<std::string, reference::ReferenceTensor, std::less<>> tensors;  ///< by value
    std::map<std::string, std::size_t, std::less<>> suffixes;                ///< last suffix tried, by hint
    core::DebugHandle lastHandle{};
};

/// Calls `rename` with every value name in an argument, for changing it. Values inside a subgraph are
/// excluded.
void renameValues(etrecord::Argument& argument, const std::function<void(std::string&)>& rename);

}  // namespace et::backends::xnnpack

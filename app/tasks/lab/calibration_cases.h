#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Inputs of one call, in the order of the graph's inputs.
using CalibrationCase = std::vector<backends::reference::ReferenceValue>;

/// Reads inputs for running a method's graph. `path` is
/// - a file of tensors (.npz, .npy, torch.save()): for each input of the graph the tensor of its name, or
///   else the first of its dtype that contains one or several calls: it has the input's sizes, these sizes
///   after a number of calls, or, if the input's first size is 1, the calls along that dimension. Other
///   tensors (labels) are ignored.
/// - a bundled program: its cases of the method;
/// - a folder: all files of tensors in it, by name.
/// Errors: those of the files; InvalidArgument (no tensor matches an input; the message describes the
/// expected one); Limit.
[[nodiscard]] core::Result<std::vector<CalibrationCase>> readCases(const std::filesystem::path& path,
                                                                   std::string_view method,
                                                                   const etrecord::ExportedGraph& graph,
                                                                   std::size_t most);

}  // namespace et::tasks

#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace et::app {

/// Inputs of one call, in the order of the graph's.
using CalibrationCase = std::vector<backends::reference::ReferenceValue>;

/// Inputs to run a method's graph on. `path` is
/// - a file of tensors (.npz, .npy, torch.save()): for each input of the graph the first tensor of its dtype
///   that holds one call or several: of the input's sizes, of these behind a number of calls, or, where the
///   input's first size is 1, with the calls along that. Other tensors (labels) do not count.
/// - a bundled program: its cases of the method;
/// - a folder: all files of tensors in it, by name.
/// Errors: those of the files; InvalidArgument (nothing fits an input: says what it takes); Limit.
[[nodiscard]] core::Result<std::vector<CalibrationCase>> readCases(const std::filesystem::path& path,
                                                                   std::string_view method,
                                                                   const etrecord::ExportedGraph& graph,
                                                                   std::size_t most);

}  // namespace et::app

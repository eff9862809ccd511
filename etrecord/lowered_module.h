#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/torch_archive.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::etrecord {

/// A delegate in a graph that was recorded after lowering, as the exporter serializes it into an argument of
/// executorch_call_delegate: beside the payload it holds the operators that the backend took, with their
/// tensors.
struct LoweredModule {
    std::string backend;     ///< "XnnpackBackend"
    ExportedGraph original;  ///< what the backend's compiler was given
    TorchArchive state;      ///< parameters and buffers of `original`
    TorchArchive constants;
};

/// Reads such an argument. `name` stands in errors as the field. Errors: Format (no lowered module, damaged
/// text), NotFound (it holds no operators), as parseExportedGraph() and TorchArchive::open().
[[nodiscard]] core::Result<LoweredModule> parseLoweredModule(std::string_view json, std::string_view name);

}  // namespace et::etrecord

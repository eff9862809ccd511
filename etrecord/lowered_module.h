#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/torch_archive.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::etrecord {

/// A delegate in a graph recorded after lowering, as serialized by the exporter into an argument of
/// executorch_call_delegate: contains the payload, and the operators given to the backend with their tensors.
struct LoweredModule {
    std::string backend;     ///< "XnnpackBackend"
    ExportedGraph original;  ///< input of the backend's compiler
    TorchArchive state;      ///< parameters and buffers of `original`
    TorchArchive constants;
};

/// Reads such an argument. `name` is the field name in error messages. Errors: Format (not a lowered module,
/// damaged text), NotFound (it contains no operators), as parseExportedGraph() and TorchArchive::open().
[[nodiscard]] core::Result<LoweredModule> parseLoweredModule(std::string_view json, std::string_view name);

}  // namespace et::etrecord

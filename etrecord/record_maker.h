#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "etrecord/torch_writer.h"
#include "runtime/core/result.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::etrecord {

/// A method of a record in memory: its Edge graph, and its parameters, buffers and constants.
struct MethodContent {
    std::string method;
    ExportedGraph graph;
    std::map<std::string, TensorToArchive, std::less<>> tensors{};  ///< by InputSpec::target
};

/// A record that borrows all tensors; `owners` keep them. `name` replaces its path in errors. Errors:
/// InvalidArgument (no method; an input without a tensor, named), those of RecordWriter::finishInPieces(),
/// torchArchiveFile() and Record::parse().
[[nodiscard]] core::Result<std::shared_ptr<const Record>> makeRecord(
    std::span<const MethodContent> methods, std::string name,
    std::span<const std::shared_ptr<const void>> owners);

}  // namespace et::etrecord

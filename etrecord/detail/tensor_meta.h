#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/archive/json.h"
#include "runtime/core/json_writer.h"

#include <cstdint>

namespace et::etrecord::detail {

/// Converts scalar types: torch.export uses its own numbering (torch/_export/serde/schema.py); all other
/// artifacts use c10's.
[[nodiscard]] std::int8_t scalarTypeFromExport(
    std::int64_t exportCode);                                      ///< unknownScalarType for unknown codes
[[nodiscard]] std::int64_t scalarTypeToExport(std::int64_t code);  ///< 0 (unknown) for unknown codes

/// "cpu" or "cuda:1" from {"type": "cuda", "index": 1}, and back.
[[nodiscard]] core::Result<std::string> readDevice(const archive::JsonValue& json);
void writeDevice(core::JsonWriter& out, const std::string& device);

[[nodiscard]] core::Result<TensorMeta> readTensorMeta(const archive::JsonValue& json);
void writeTensorMeta(core::JsonWriter& out, const TensorMeta& meta);

/// The values of a graph: tensors, symbolic values and custom objects by name.
[[nodiscard]] core::Result<> readValues(const archive::JsonValue& graphJson, ExportedGraph& graph);
void writeValues(core::JsonWriter& out, const ExportedGraph& graph);

}  // namespace et::etrecord::detail

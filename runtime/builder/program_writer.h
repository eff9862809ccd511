#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"
#include "runtime/program/segment.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::builder {

/// Location of constant data.
enum class ConstantStorage : std::uint8_t {
    Segment,    ///< after the flatbuffer
    Flatbuffer  ///< inside it, as in files before September 2024
};

/// Contents of a program file in terms of the reader's types. Borrows texts and bytes.
struct ProgramContent {
    std::uint32_t version = 0;
    /// The location of a tensor's data follows from InitialData and its allocation; TensorInfo::dataIndex is
    /// used only for external data. A delegate with a segment id gets a new segment, else its payload is
    /// inline.
    std::vector<program::Method> methods;
    std::vector<program::NamedData> namedData;  ///< `segment` is ignored
    ConstantStorage constants = ConstantStorage::Segment;
};

/// Makes a program file (.pte) that program::Program::parse() reads back as equal values, with the layout of
/// exporters: one segment for constants, one for mutable state, then delegates and named data; equal bytes
/// are stored once; an extended header if a segment has bytes. Deterministic. Content that can be written is
/// not validated, since tests create malicious programs. Errors: InvalidArgument (a size that does not fit 32
/// bits), Limit (more than 1 GiB inside the flatbuffer). The file borrows the data of constants, states,
/// delegates and named data from `content`.
[[nodiscard]] core::Result<core::FileContent> programFile(const ProgramContent& content);
/// The same file in one vector.
[[nodiscard]] core::Result<std::vector<std::byte>> writeProgram(const ProgramContent& content);

}  // namespace et::builder

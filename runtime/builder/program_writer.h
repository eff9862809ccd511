#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"
#include "runtime/program/segment.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::builder {

/// Where the bytes of constants go.
enum class ConstantPlace : std::uint8_t {
    Segment,    ///< behind the flatbuffer
    Flatbuffer  ///< inside, as files before September 2024 have them
};

/// What a program file is to hold, in the reader's own words. Borrows texts and bytes.
struct ProgramContent {
    std::uint32_t version = 0;
    /// A tensor's data go to where InitialData and its allocation say; TensorInfo::dataIndex counts only for
    /// external ones. A delegate with a segment gets one (whichever it names), else its payload is inline.
    std::vector<program::Method> methods;
    std::vector<program::NamedData> namedData;  ///< `segment` does not count
    ConstantPlace constants = ConstantPlace::Segment;
};

/// The bytes of a program file (.pte) that program::Program::parse() reads back as the same values, laid out
/// as exporters do it: one segment for constants, one for mutable state, then delegates and named data; equal
/// bytes once; an extended header where a segment has bytes. The same content gives the same bytes. Nothing
/// is checked that can be written: tests make hostile programs with it. Errors: InvalidArgument (a size that
/// does not fit 32 bits), Limit (more than 1 GiB inside the flatbuffer).
[[nodiscard]] core::Result<std::vector<std::byte>> writeProgram(const ProgramContent& content);

}  // namespace et::builder

#pragma once

#include <cstddef>
#include <cstdint>

// Frames between the Python package and this process: kind (1 byte), 7 zero bytes, length of the payload (8
// bytes, little-endian), payload. Descriptors of shared memory come with the first byte.
namespace et::serve {

/// Incremented when frames or values change.
inline constexpr std::uint32_t protocolVersion = 1;

enum class FrameKind : std::uint8_t {
    // From Python. Calls and replies start with the numbers of objects that Python no longer uses.
    Open,    ///< on the first connection, with a descriptor: opens another connection
    Call,    ///< function and arguments; with a descriptor: the memory that arguments refer to from now on
    Reply,   ///< results of a kernel
    Raised,  ///< the kernel raised an exception
    // From this process.
    Result,   ///< of a call
    Failed,   ///< exception of a call
    Callback  ///< a kernel in Python, with its arguments. Answer: Reply or Raised, after any further calls
};
inline constexpr std::uint8_t frameKinds = 7;

inline constexpr std::size_t frameHeadBytes = 16;
inline constexpr std::uint64_t maxFrameBytes = std::uint64_t{4} << 30U;

}  // namespace et::serve

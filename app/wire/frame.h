#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

// Layout of a frame: its kind in one byte, the length of its body in 8 bytes (little-endian), and the body.
namespace et::wire {

enum class FrameKind : std::uint8_t {
    // To the agent.
    Put,       ///< PutRequest: announces a file. Answer: Have
    Data,      ///< a block of the file, in order. No answer
    PutEnd,    ///< the file is complete. Answer: Done, if the content matches its hash
    Open,      ///< OpenRequest. Answer: Done
    Load,      ///< LoadRequest. Answer: Loaded
    Execute,   ///< ExecuteRequest. Answer: Ran
    Fetch,     ///< FetchRequest: the rest of an incomplete answer. Answer: Data, or Missing
    Close,     ///< a module's id. Answer: Done
    Bye,       ///< ends the session and deletes its folder. Answer: Done, then the end
    Answer,    ///< answer to a Query: whether the value is wanted
    Describe,  ///< Answer: Described
    // From the agent.
    Have,       ///< number of bytes of the file that are present
    Done,       ///< success without further content
    Loaded,     ///< LoadReply
    Ran,        ///< ExecuteReply
    Missing,    ///< the requested answer does not exist
    Failed,     ///< an error, as the answer to any request
    Query,      ///< Query: asks during Load or Execute whether a value is wanted
    Described,  ///< DeviceDescription
};
inline constexpr std::uint8_t frameKinds = 19;

/// The first line that an agent writes; shell output before it is skipped.
inline constexpr std::string_view greeting = "et-agent protocol 1\n";

inline constexpr std::size_t frameHeadBytes = 9;
/// Far above the size of a value or of the trace of one run.
inline constexpr std::uint64_t maxFrameBytes = std::uint64_t{4} << 30;
/// Block size of a file; limited so that other frames are not delayed.
inline constexpr std::size_t pieceBytes = std::size_t{256} << 10;

struct Frame {
    FrameKind kind = FrameKind::Done;
    std::vector<std::byte> body;
};

/// Fills all of `into`. Errors: Io (the connection is closed), Cancelled.
using ReadAll = std::function<core::Result<>(std::span<std::byte> into)>;

/// Reads the next frame. Memory grows with the received bytes, not with the announced length. Errors: those
/// of `read` (`frame` then has the start of its body); Format (unknown kind), Limit (longer than
/// maxFrameBytes).
[[nodiscard]] core::Result<> readFrame(const ReadAll& read, Frame& frame);

/// Errors: Io (the reader is gone).
[[nodiscard]] core::Result<> writeFrame(int descriptor, FrameKind kind, core::Bytes body);

/// Returns a blocking ReadAll over a descriptor.
[[nodiscard]] ReadAll readingFrom(int descriptor);

}  // namespace et::wire

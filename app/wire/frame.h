#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

// A frame is its kind in one byte, its length in 8 bytes (little-endian), and as many bytes.
namespace et::wire {

enum class FrameKind : std::uint8_t {
    // To the agent.
    Put,       ///< PutRequest: a file is to come. Answer: Have
    Data,      ///< a part of it, in order. No answer
    PutEnd,    ///< the file is complete. Answer: Done, when the content has its hash
    Open,      ///< OpenRequest. Answer: Done
    Load,      ///< LoadRequest. Answer: Loaded
    Execute,   ///< ExecuteRequest. Answer: Ran
    Fetch,     ///< FetchRequest: the rest of an answer that did not arrive. Answer: Data, or Missing
    Close,     ///< a module's number. Answer: Done
    Bye,       ///< the session is over: its folder goes. Answer: Done, then the end
    Answer,    ///< to a Query: whether the value is wanted
    Describe,  ///< Answer: Described
    // From the agent.
    Have,       ///< how many bytes of the file there are
    Done,       ///< nothing else to say
    Loaded,     ///< LoadReply
    Ran,        ///< ExecuteReply
    Missing,    ///< there is no such answer
    Failed,     ///< an error, of anything that was asked for
    Query,      ///< Query: whether a value is wanted, in the middle of Load or Execute
    Described,  ///< DeviceDescription
};
inline constexpr std::uint8_t frameKinds = 19;

/// The first line that an agent writes, so that what a shell prints before it is skipped.
inline constexpr std::string_view greeting = "et-agent protocol 1\n";

inline constexpr std::size_t frameHeadBytes = 9;
/// Far above what a value or a trace of one run takes.
inline constexpr std::uint64_t maxFrameBytes = std::uint64_t{4} << 30;
/// Of a file: so that other frames are not kept waiting.
inline constexpr std::size_t pieceBytes = std::size_t{256} << 10;

struct Frame {
    FrameKind kind = FrameKind::Done;
    std::vector<std::byte> body;
};

/// Fills all of `into`. Errors: Io (the other side is gone), Cancelled.
using ReadAll = std::function<core::Result<>(std::span<std::byte> into)>;

/// The next frame. Memory grows with what arrives, not with what the head promises. Errors: those of `read`
/// (`frame` has the beginning of its body then); Format (no such kind), Limit (longer than maxFrameBytes).
[[nodiscard]] core::Result<> readFrame(const ReadAll& read, Frame& frame);

/// Errors: Io (nobody reads any more).
[[nodiscard]] core::Result<> writeFrame(int descriptor, FrameKind kind, core::Bytes body);

/// A ReadAll over a descriptor, which blocks.
[[nodiscard]] ReadAll readingFrom(int descriptor);

}  // namespace et::wire

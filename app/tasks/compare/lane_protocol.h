#pragma once

#include "app/tasks/compare/lane.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What a lane and who started it say to each other through pipes: commands of one byte, and to each a reply
// of a byte for its kind, its length in 8 bytes, and as many bytes.
namespace et::app::lane {

inline constexpr char load = 'l';
inline constexpr char execute = 'x';  ///< reply: nanoseconds, 8 bytes
inline constexpr char record = 'r';   ///< likewise
inline constexpr char finish = 'f';   ///< reply: a LaneResult

enum class ReplyKind : std::uint8_t { Done, Failed };

struct ReplyHead {
    ReplyKind kind = ReplyKind::Done;
    std::uint64_t size = 0;
};

[[nodiscard]] std::vector<std::byte> encode(const core::Error& error);
[[nodiscard]] core::Error decodeError(core::Bytes bytes);

[[nodiscard]] std::vector<std::byte> encode(const LaneResult& result, core::Bytes outputs);
[[nodiscard]] core::Result<LaneResult> decodeResult(core::Bytes bytes);

[[nodiscard]] std::vector<std::byte> encode(std::uint64_t number);
[[nodiscard]] core::Result<std::uint64_t> decodeNumber(core::Bytes bytes);

/// The other side of a lane: runs the job as it is told until nothing tells any more. For the new process.
[[noreturn]] void serve(const LaneJob& job, int commands, int replies);

}  // namespace et::app::lane

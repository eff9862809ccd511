#pragma once

#include "app/tasks/compare/model_process.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Protocol between a lane and its parent over pipes: one-byte commands, each answered by a reply of a kind
// byte, an 8-byte length, and as many bytes.
namespace et::tasks::model_process {

inline constexpr char load = 'l';
inline constexpr char execute = 'x';  ///< reply: nanoseconds, 8 bytes
inline constexpr char record = 'r';   ///< likewise
inline constexpr char finish = 'f';   ///< reply: a ModelProcessResult

enum class ReplyKind : std::uint8_t { Done, Failed };

struct ReplyHead {
    ReplyKind kind = ReplyKind::Done;
    std::uint64_t size = 0;
};

[[nodiscard]] std::vector<std::byte> encode(const core::Error& error);
[[nodiscard]] core::Error decodeError(core::Bytes bytes);

[[nodiscard]] std::vector<std::byte> encode(const ModelProcessResult& result, core::Bytes outputs);
[[nodiscard]] core::Result<ModelProcessResult> decodeResult(core::Bytes bytes);

[[nodiscard]] std::vector<std::byte> encode(std::uint64_t number);
[[nodiscard]] core::Result<std::uint64_t> decodeNumber(core::Bytes bytes);

/// Runs the job in the new process, executing commands until the pipe is closed.
[[noreturn]] void serve(const ModelProcessJob& job, int commands, int replies);

}  // namespace et::tasks::model_process

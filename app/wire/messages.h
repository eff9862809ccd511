#pragma once

#include "app/wire/codec.h"
#include "app/wire/device_state.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Content of the frames. Texts and blocks in a decoded message borrow from the frame.
namespace et::wire {

/// A file identified by its content: 64 hexadecimal digits of SHA-256, which is also a safe file name.
struct PutRequest {
    std::string hash;
    std::uint64_t size = 0;
};

struct OpenRequest {
    std::uint32_t module = 0;  ///< a number not yet used in the session
    std::string program;       ///< hash
    std::vector<std::string> tensorData;
    std::vector<std::string> backendsOff;
    std::uint32_t threads = 1;
    std::uint64_t memoryBytes = 0;
    std::uint64_t temporaryBytes = 0;
    std::uint64_t instructions = 0;
    std::uint64_t seed = 0;
};

/// Events that the host's tracer wants.
struct Listening {
    bool isOn = false;
    core::DebugLevel debugLevel = core::DebugLevel::None;
    bool taps = false;
};

struct LoadRequest {
    std::uint32_t module = 0;
    std::string_view method;
    Listening listening;
};

/// Selects the runs that are reported, together with the last runs before each.
struct KeepRule {
    std::string condition;   ///< expression that is true for a reported run; empty: all runs
    std::uint32_t last = 0;  ///< number of runs reported before each
};

struct ExecuteRequest {
    std::uint32_t module = 0;
    std::string_view method;
    std::uint64_t number = 0;  ///< of the execution within its session
    Listening listening;
    KeepRule keep;
    core::Bytes inputs;  ///< encoded values, prefixed by their count
};

/// New names; a name's id is its position.
using NewNames = std::vector<std::string_view>;

struct LoadReply {
    std::uint64_t nanoseconds = 0;  ///< time to open the program and load the method
    NewNames names;
    core::Bytes tape;
};

struct ExecuteReply {
    std::uint64_t nanoseconds = 0;
    std::uint64_t instructions = 0;
    DeviceState before;
    DeviceState after;
    NewNames names;
    std::vector<core::Bytes> tapes;  ///< of this run and of the kept runs before it; none: not reported
    core::Bytes outputs;             ///< encoded values, prefixed by their count
};

/// Requests the rest of an incomplete answer.
struct FetchRequest {
    std::uint64_t number = 0;  ///< of the execution
    std::uint64_t offset = 0;  ///< bytes of its ExecuteReply received so far
};

/// Asks whether the tracer wants a value: of an event, or inside a delegate.
struct Query {
    bool isTap = false;
    std::string_view name;  ///< of the event; for a tap: the kind of node
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::int32_t delegateInt = -1;
    std::string_view delegateString;
    std::uint32_t value = 0;
    std::int64_t debugHandle = -1;
};

/// Description of a device.
struct DeviceDescription {
    std::string system;   ///< "Linux 6.1.0"
    std::string machine;  ///< output of `uname -m`
    std::uint32_t cores = 0;
    std::uint64_t memoryBytes = 0;
    DeviceState state;
};

/// M is one of the structs above, or core::Error.
template <class M>
[[nodiscard]] std::vector<std::byte> encode(const M& message);
[[nodiscard]] std::vector<std::byte> encode(std::uint64_t number);

/// M is one of the structs above. Errors: Format.
template <class M>
[[nodiscard]] core::Result<M> decode(core::Bytes body);
[[nodiscard]] core::Result<std::uint64_t> decodeNumber(core::Bytes body);
/// Decodes an error of the other side; if that fails, returns the decoding error.
[[nodiscard]] core::Error decodeError(core::Bytes body);

/// Whether a text is the hash of a file.
[[nodiscard]] bool isHash(std::string_view text);

}  // namespace et::wire

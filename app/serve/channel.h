#pragma once

#include "app/serve/protocol.h"
#include "app/serve/value_codec.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <sys/uio.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace et::serve {

struct Frame {
    FrameKind kind = FrameKind::Call;
    std::vector<std::byte> payload;
    std::vector<core::Descriptor> descriptors;
};

/// Frames on a socket, or on a pair of pipes.
class Channel {
  public:
    /// A socket that can pass descriptors, for both directions.
    explicit Channel(core::Descriptor socket)
        : input(socket.get()), output(input), owned(std::move(socket)) {}
    /// A pair of pipes, which stay open.
    Channel(int from, int to) : input(from), output(to) {}

    [[nodiscard]] bool passesDescriptors() const { return input == output; }
    [[nodiscard]] int descriptor() const { return input; }

    /// Waits for the next frame. Memory grows with the received bytes, not with the announced length. Errors:
    /// Io (the connection is closed), Format, Limit.
    [[nodiscard]] core::Result<Frame> receive();
    /// Errors: Io (the reader is gone).
    [[nodiscard]] core::Result<> send(FrameKind kind, const Message& message);

  private:
    core::Result<std::size_t> readSome(std::span<std::byte> into, std::vector<core::Descriptor>& received);
    core::Result<> readAll(std::span<std::byte> into, std::vector<core::Descriptor>& received);
    core::Result<std::size_t> writeSome(std::span<iovec> parts, const Message* descriptors);

    int input;
    int output;
    core::Descriptor owned;
};

}  // namespace et::serve

#include "app/wire/frame.h"

#include "app/wire/codec.h"
#include "runtime/core/descriptor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace et::wire {

using core::ErrorCode;
using core::Result;

Result<> readFrame(const ReadAll& read, Frame& frame) {
    frame.body.clear();
    std::array<std::byte, frameHeadBytes> head{};
    ET_TRY(read(head));
    Decoder decoder(head);
    ET_ASSIGN(frame.kind, decoder.choice<FrameKind>("kind of a frame", frameKinds));
    ET_ASSIGN(const auto size, decoder.number<std::uint64_t>("length of a frame"));
    if (size > maxFrameBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("a frame of {} bytes exceeds the limit of {}", size, maxFrameBytes));
    }
    while (frame.body.size() < size) {
        const std::size_t before = frame.body.size();
        frame.body.resize(before +
                          static_cast<std::size_t>(std::min<std::uint64_t>(pieceBytes, size - before)));
        if (auto done = read(std::span(frame.body).subspan(before)); !done) {
            frame.body.resize(before);
            return done;
        }
    }
    return {};
}

Result<> writeFrame(int descriptor, FrameKind kind, core::Bytes body) {
    Encoder head;
    head.add(static_cast<std::uint8_t>(kind)).add(std::uint64_t{body.size()});
    int failed = core::writeAll(descriptor, head.view());
    if (failed == 0) {
        failed = core::writeAll(descriptor, body);
    }
    if (failed != 0) {
        return std::unexpected(core::systemError("the connection is lost", failed));
    }
    return {};
}

ReadAll readingFrom(int descriptor) {
    return [descriptor](std::span<std::byte> into) -> Result<> {
        while (!into.empty()) {
            const ssize_t got = ::read(descriptor, into.data(), into.size());
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                return core::fail(ErrorCode::Io, "the connection is lost");
            }
            into = into.subspan(static_cast<std::size_t>(got));
        }
        return {};
    };
}

}  // namespace et::wire

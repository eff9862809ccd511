#include "app/serve/channel.h"

#include "app/wire/codec.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace et::serve {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::size_t maxDescriptors = 64;
constexpr std::size_t pieceBytes = std::size_t{1} << 20U;

using ControlBuffer = std::array<char, CMSG_SPACE(maxDescriptors * sizeof(int))>;

std::unexpected<core::Error> connectionLost() {
    return core::fail(ErrorCode::Io, "the connection is closed");
}

/// Takes ownership of the descriptors that came with a message.
void takeDescriptors(msghdr& header, std::vector<core::Descriptor>& received) {
    for (cmsghdr* each = CMSG_FIRSTHDR(&header); each != nullptr; each = CMSG_NXTHDR(&header, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(each) + i * sizeof(int), sizeof(int));
            received.emplace_back(number);
        }
    }
}

/// Fills the control data of a message that passes descriptors.
void giveDescriptors(msghdr& header, ControlBuffer& control, const Message& message) {
    const std::size_t count = message.memory.size();
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(count * sizeof(int));
    for (std::size_t i = 0; i < count; ++i) {
        const int number = message.memory[i]->descriptor();
        std::memcpy(CMSG_DATA(rights) + i * sizeof(int), &number, sizeof(int));
    }
}

}  // namespace

Result<std::size_t> Channel::readSome(std::span<std::byte> into, std::vector<core::Descriptor>& received) {
    while (true) {
        ssize_t got = 0;
        if (passesDescriptors()) {
            alignas(cmsghdr) ControlBuffer control;
            iovec part{.iov_base = into.data(), .iov_len = into.size()};
            msghdr header{};
            header.msg_iov = &part;
            header.msg_iovlen = 1;
            header.msg_control = control.data();
            header.msg_controllen = control.size();
            got = ::recvmsg(input, &header, MSG_CMSG_CLOEXEC);
            if (got >= 0) {
                takeDescriptors(header, received);
            }
        } else {
            got = ::read(input, into.data(), into.size());
        }
        if (got > 0) {
            return static_cast<std::size_t>(got);
        }
        if (got == 0 || errno != EINTR) {
            return connectionLost();
        }
    }
}

Result<> Channel::readAll(std::span<std::byte> into, std::vector<core::Descriptor>& received) {
    while (!into.empty()) {
        ET_ASSIGN(const std::size_t got, readSome(into, received));
        into = into.subspan(got);
        if (received.size() > maxDescriptors) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("a frame has more than {} descriptors", maxDescriptors));
        }
    }
    return {};
}

Result<Frame> Channel::receive() {
    Frame frame;
    std::array<std::byte, frameHeadBytes> head{};
    ET_TRY(readAll(head, frame.descriptors));
    wire::Decoder decoder(head);
    ET_ASSIGN(frame.kind, decoder.choice<FrameKind>("kind of a frame", frameKinds));
    for (int i = 1; i < 8; ++i) {
        ET_TRY(decoder.choice<std::uint8_t>("padding of a frame", 1).transform([](auto) {}));
    }
    ET_ASSIGN(const auto size, decoder.number<std::uint64_t>("length of a frame"));
    if (size > maxFrameBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("a frame of {} bytes exceeds the limit of {}", size, maxFrameBytes));
    }
    while (frame.payload.size() < size) {
        const std::size_t before = frame.payload.size();
        frame.payload.resize(before + std::min<std::size_t>(pieceBytes, size - before));
        ET_TRY(readAll(std::span(frame.payload).subspan(before), frame.descriptors));
    }
    return frame;
}

Result<std::size_t> Channel::writeSome(std::span<iovec> parts, const Message* descriptors) {
    while (true) {
        ssize_t put = 0;
        if (passesDescriptors()) {
            alignas(cmsghdr) ControlBuffer control{};
            msghdr header{};
            header.msg_iov = parts.data();
            header.msg_iovlen = parts.size();
            if (descriptors != nullptr) {
                giveDescriptors(header, control, *descriptors);
            }
            put = ::sendmsg(output, &header, MSG_NOSIGNAL);
        } else {
            put = ::writev(output, parts.data(), static_cast<int>(parts.size()));
        }
        if (put >= 0) {
            return static_cast<std::size_t>(put);
        }
        if (errno != EINTR) {
            return connectionLost();
        }
    }
}

Result<> Channel::send(FrameKind kind, const Message& message) {
    wire::Encoder head;
    head.add(std::uint64_t{static_cast<std::uint8_t>(kind)}).add(std::uint64_t{message.payload.size()});
    if (message.memory.size() > maxDescriptors) {
        return core::fail(ErrorCode::Limit, "too many descriptors");
    }
    // sendmsg() does not write to the parts. NOLINTBEGIN(cppcoreguidelines-pro-type-const-cast)
    std::array<iovec, 2> parts{
        {{.iov_base = const_cast<std::byte*>(head.view().data()), .iov_len = head.size()},
         {.iov_base = const_cast<std::byte*>(message.payload.data()), .iov_len = message.payload.size()}}};
    // NOLINTEND(cppcoreguidelines-pro-type-const-cast)
    const Message* descriptors = message.memory.empty() ? nullptr : &message;
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        ET_ASSIGN(std::size_t put, writeSome(parts, descriptors));
        descriptors = nullptr;
        for (iovec& part : parts) {
            const std::size_t done = std::min(put, part.iov_len);
            part.iov_base = static_cast<std::byte*>(part.iov_base) + done;
            part.iov_len -= done;
            put -= done;
        }
    }
    return {};
}

}  // namespace et::serve

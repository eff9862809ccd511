#include "runtime/core/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>

namespace et::core {

int Descriptor::close() {
    // Linux closes the descriptor even if close() fails, so it must not be retried.
    return number >= 0 && ::close(std::exchange(number, -1)) != 0 ? errno : 0;
}

Result<Pipe> Pipe::make() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return std::unexpected(systemError("cannot create a pipe", errno));
    }
    return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

int writeAll(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

bool readable(const Descriptor& from, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds longest{std::numeric_limits<int>::max()};
    pollfd waiting{.fd = from.get(), .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, static_cast<int>(std::min(patience, longest).count())) > 0;
}

Error systemError(std::string_view what, int number, std::string file) {
    return {ErrorCode::Io,
            fmt::format("{}: {}", what, std::generic_category().message(number)),
            {.file = std::move(file), .field = {}, .offset = {}}};
}

}  // namespace et::core

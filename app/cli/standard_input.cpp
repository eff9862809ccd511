#include "app/cli/standard_input.h"

#include "runtime/core/descriptor.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Above the descriptors that child processes inherit.
constexpr int firstDescriptor = 100;
constexpr const char* name = "stdin";

/// The path returned by standardInput(); empty until the first call.
std::string& givenPath() {
    static std::string path;
    return path;
}

std::unexpected<core::Error> systemError(const char* action) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", action, std::generic_category().message(errno)),
                {.file = name, .field = {}, .offset = {}});
}

Result<> writeAll(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
        if (wrote < 0 && errno != EINTR) {
            return systemError("cannot buffer the input");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(wrote > 0 ? wrote : 0));
    }
    return {};
}

Result<> copyInput(int descriptor) {
    constexpr std::size_t startBytes = 64;  // contains the signature of every kind
    std::array<std::byte, std::size_t{1} << 16U> buffer{};
    std::vector<std::byte> start;
    for (std::uint64_t size = 0; size <= core::MappedFile::maxStreamedBytes;) {
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno != EINTR) {
            return systemError("cannot read");
        }
        if (got == 0) {
            return {};
        }
        const auto count = static_cast<std::size_t>(got > 0 ? got : 0);
        const auto part = std::span(buffer).first(count);
        ET_TRY(writeAll(descriptor, part));
        start.insert(start.end(), part.begin(), part.begin() + std::min(count, startBytes - start.size()));
        size += count;
        ET_TRY(core::checkStream(start, size, name));
    }
    return fail(ErrorCode::Limit,
                fmt::format("expected at most {} bytes, got more", core::MappedFile::maxStreamedBytes),
                {.file = name, .field = {}, .offset = {}});
}

}  // namespace

Result<std::filesystem::path> standardInput() {
    if (!givenPath().empty()) {
        return fail(ErrorCode::InvalidArgument, "'-' (stdin) can be given only once");
    }
    const core::Descriptor memory(::memfd_create(name, MFD_CLOEXEC));
    const int kept =
        ::fcntl(memory.get(), F_DUPFD, firstDescriptor);  // stays open for the lifetime of the process
    if (kept < 0) {
        return systemError("cannot buffer the input");
    }
    givenPath() = fmt::format("/dev/fd/{}", kept);
    ET_TRY(copyInput(kept));
    return std::filesystem::path(givenPath());
}

std::string namingStandardInput(std::string text) {
    const std::string& path = givenPath();
    for (std::size_t at = 0; !path.empty() && (at = text.find(path, at)) != std::string::npos;) {
        text.replace(at, path.size(), name);
    }
    return text;
}

}  // namespace et::cli

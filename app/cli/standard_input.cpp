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
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Above the descriptors that child processes inherit.
constexpr int firstDescriptor = 100;
constexpr const char* name = "stdin";

/// A path in memory, and its name in messages.
struct HeldFile {
    std::string path;
    std::string shown;
};
std::vector<HeldFile>& heldFiles() {
    static std::vector<HeldFile> files;
    return files;
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

/// Returns the descriptor of an empty file in memory, open for the lifetime of the process.
Result<int> openHeld(std::string shown) {
    const core::Descriptor memory(::memfd_create(name, MFD_CLOEXEC));
    const int kept = ::fcntl(memory.get(), F_DUPFD, firstDescriptor);
    if (kept < 0) {
        return systemError("cannot buffer the input");
    }
    heldFiles().push_back({.path = fmt::format("/dev/fd/{}", kept), .shown = std::move(shown)});
    return kept;
}

}  // namespace

Result<std::filesystem::path> standardInput() {
    if (std::ranges::contains(heldFiles(), name, &HeldFile::shown)) {
        return fail(ErrorCode::InvalidArgument, "'-' (stdin) can be given only once");
    }
    ET_ASSIGN(const int kept, openHeld(name));
    ET_TRY(copyInput(kept));
    return std::filesystem::path(heldFiles().back().path);
}

Result<std::filesystem::path> heldFile(const std::function<Result<>(const AppendBytes& append)>& write,
                                       std::string shown) {
    ET_ASSIGN(const int kept, openHeld(std::move(shown)));
    ET_TRY(write([&](core::Bytes bytes) { return writeAll(kept, bytes); }));
    return std::filesystem::path(heldFiles().back().path);
}

tasks::Producer namingStandardInput(tasks::Producer producer) {
    if (heldFiles().empty()) {
        return producer;
    }
    return [producer = std::move(producer)](std::ostream& out) -> Result<> {
        std::ostringstream whole;
        ET_TRY(producer(whole));
        out << namingStandardInput(std::move(whole).str());
        return {};
    };
}

std::string namingStandardInput(std::string text) {
    for (const HeldFile& file : heldFiles()) {
        for (std::size_t at = 0; (at = text.find(file.path, at)) != std::string::npos;) {
            text.replace(at, file.path.size(), file.shown);
            at += file.shown.size();
        }
    }
    return text;
}

}  // namespace et::cli

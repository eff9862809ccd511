#include "inspector/source/source_files.h"

#include "runtime/core/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace et::inspector {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::Result;

namespace {

constexpr std::size_t maxParts = 64;
constexpr std::size_t longestPath = 4096;

/// The components of a path of any operating system; empty if one of them leads upwards.
std::vector<std::string> partsOf(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (part == "..") {
            return {};
        }
        if (!part.empty() && part != ".") {
            parts.emplace_back(part);
        }
    }
    return parts;
}

bool isFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && !error;
}

/// The part of `recorded` below the folder `from`; nothing if it is not below.
std::optional<std::string_view> below(std::string_view recorded, std::string_view from) {
    if (!recorded.starts_with(from)) {
        return std::nullopt;
    }
    const std::string_view rest = recorded.substr(from.size());
    const bool whole = from.empty() || from.ends_with('/') || from.ends_with('\\') || rest.empty() ||
                       rest.starts_with('/') || rest.starts_with('\\');
    return whole ? std::optional(rest) : std::nullopt;
}

std::optional<fs::path> mapped(std::string_view recorded, std::span<const PathMapping> mappings) {
    std::optional<fs::path> best;
    std::size_t longest = 0;
    for (const PathMapping& mapping : mappings) {
        const auto rest = below(recorded, mapping.from);
        if (!rest || (best && mapping.from.size() < longest)) {
            continue;
        }
        fs::path path = mapping.to;
        for (const std::string& part : partsOf(*rest)) {
            path /= part;
        }
        if (isFile(path)) {
            best = path;
            longest = mapping.from.size();
        }
    }
    return best;
}

/// Finds the longest suffix of the components that exists in the folder.
std::optional<fs::path> inFolder(const std::vector<std::string>& parts, const fs::path& folder) {
    for (std::size_t first = 0; first < parts.size(); ++first) {
        fs::path path = folder;
        for (std::size_t i = first; i < parts.size(); ++i) {
            path /= parts[i];
        }
        if (isFile(path)) {
            return path;
        }
    }
    return std::nullopt;
}

/// Non-blocking, so that opening a pipe without a writer does not hang.
core::Descriptor openSource(const fs::path& file) {
    return core::Descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

core::Error readError(const fs::path& file, ErrorCode code, std::string message) {
    return core::Error{code, std::move(message)}.in(file.string());
}

}  // namespace

std::optional<fs::path> findSource(std::string_view recorded, std::span<const PathMapping> mappings,
                                   std::span<const fs::path> folders) {
    if (recorded.empty() || recorded.size() > longestPath || recorded.contains('\0')) {
        return std::nullopt;
    }
    if (auto found = mapped(recorded, mappings)) {
        return found;
    }
    if (fs::path own(recorded); own.is_absolute() && isFile(own)) {
        return own;
    }
    const std::vector<std::string> parts = partsOf(recorded);
    if (parts.size() > maxParts) {
        return std::nullopt;
    }
    for (const fs::path& folder : folders) {
        if (auto found = inFolder(parts, folder)) {
            return found;
        }
    }
    return std::nullopt;
}

PathMapping mappingBetween(std::string_view recorded, const fs::path& found) {
    std::string_view there = recorded;
    const std::string kept = found.string();
    std::string_view here = kept;
    while (!there.empty() && !here.empty()) {
        const std::size_t cutThere = there.find_last_of("/\\");
        const std::size_t cutHere = here.find_last_of('/');
        if (cutThere == std::string_view::npos || cutHere == std::string_view::npos ||
            there.substr(cutThere + 1) != here.substr(cutHere + 1)) {
            break;
        }
        there = there.substr(0, cutThere);
        here = here.substr(0, cutHere);
    }
    return {.from = std::string(there), .to = here.empty() ? "/" : std::string(here)};
}

Result<std::string> readSource(const fs::path& file) {
    const core::Descriptor descriptor = openSource(file);
    struct stat info{};
    if (descriptor.get() < 0 || ::fstat(descriptor.get(), &info) != 0) {
        return std::unexpected(readError(file, ErrorCode::Io, std::generic_category().message(errno)));
    }
    if (!S_ISREG(info.st_mode)) {
        return std::unexpected(readError(file, ErrorCode::Io, "is not a regular file"));
    }
    if (static_cast<std::uint64_t>(info.st_size) > longestSource) {
        return std::unexpected(
            readError(file, ErrorCode::Limit,
                      fmt::format("has {} bytes, more than the maximum of {}", info.st_size, longestSource)));
    }
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ::ssize_t got = ::read(descriptor.get(), text.data() + done, text.size() - done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return std::unexpected(readError(file, ErrorCode::Io, std::generic_category().message(errno)));
        }
        if (got == 0) {
            break;  // the file was truncated meanwhile
        }
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
}

}  // namespace et::inspector

#include "app/cli/mcp/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace et::cli::mcp {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

bool contains(const fs::path& folder, const fs::path& file) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

bool containAny(const std::vector<fs::path>& folders, const fs::path& file) {
    return std::ranges::any_of(folders, [&](const fs::path& each) { return contains(each, file); });
}

/// Without symbolic links and a final separator; empty if there is no such folder.
fs::path canonicalFolder(const fs::path& path) {
    std::error_code error;
    const fs::path found = fs::canonical(path, error);
    return error || !fs::is_directory(found, error) ? fs::path() : found;
}

}  // namespace

std::optional<fs::path> pathOfUri(std::string_view uri) {
    constexpr std::string_view scheme = "file://";
    if (!uri.starts_with(scheme)) {
        return std::nullopt;
    }
    uri.remove_prefix(scheme.size());
    constexpr std::string_view host = "localhost";
    uri.remove_prefix(uri.starts_with(host) ? host.size() : 0);
    std::string path;
    for (std::size_t at = 0; at < uri.size(); ++at) {
        unsigned code = 0;
        if (uri[at] == '%' && at + 2 < uri.size() &&
            std::from_chars(uri.data() + at + 1, uri.data() + at + 3, code, 16).ptr == uri.data() + at + 3) {
            path += static_cast<char>(code);
            at += 2;
        } else {
            path += uri[at];
        }
    }
    if (!path.starts_with('/') || path.contains('\0')) {
        return std::nullopt;
    }
    return fs::path(path);
}

Roots Roots::make(const std::vector<std::string>& given) {
    Roots roots;
    roots.hasOwn = !given.empty();
    std::error_code error;
    for (const fs::path each : given.empty() ? std::vector{fs::current_path(error).string()} : given) {
        const fs::path folder = canonicalFolder(each);
        if (!folder.empty() && (roots.hasOwn || folder != "/")) {
            roots.own.push_back(folder);
        }
    }
    return roots;
}

void Roots::setClientRoots(const std::vector<std::string>& uris) {
    client.emplace();
    for (const std::string& uri : uris) {
        const auto path = pathOfUri(uri);
        const fs::path folder = path ? canonicalFolder(*path) : fs::path();
        if (!folder.empty()) {
            client->push_back(folder);
        }
    }
}

Result<fs::path> Roots::absolute(std::string_view path) const {
    constexpr std::size_t longest = 4096;
    if (path.empty() || path.size() > longest || path.contains('\0')) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a path of 1 to {} bytes, got {}", longest, path.size()));
    }
    fs::path file = path.starts_with("file://") ? pathOfUri(path).value_or(fs::path()) : fs::path(path);
    if (file.is_absolute()) {
        return file;
    }
    const std::vector<fs::path>& folders = client && !hasOwn ? *client : own;
    if (folders.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "no folder is allowed; start 'et-inspect mcp' with --root DIR");
    }
    return folders.front() / file;
}

Result<> Roots::check(const fs::path& canonical, std::string_view path) const {
    const bool isOwn = client && !hasOwn ? true : containAny(own, canonical);
    if (!isOwn || (client && !containAny(*client, canonical))) {
        return fail(ErrorCode::InvalidArgument, fmt::format("{}: outside of the allowed folders", path));
    }
    return {};
}

Result<fs::path> Roots::existing(std::string_view path) const {
    ET_ASSIGN(const fs::path file, absolute(path));
    std::error_code error;
    const fs::path found = fs::canonical(file, error);
    // The same message whether a file outside exists.
    ET_TRY(check(error ? fs::weakly_canonical(file, error) : found, path));
    if (found.empty()) {
        return fail(ErrorCode::NotFound, fmt::format("{}: no such file", path));
    }
    return found;
}

Result<fs::path> Roots::creatable(std::string_view path) const {
    ET_ASSIGN(const fs::path file, absolute(path));
    const fs::path folder = canonicalFolder(file.parent_path());
    std::error_code error;
    ET_TRY(check(folder.empty() ? fs::weakly_canonical(file, error) : folder, path));
    const fs::path name = file.filename();
    if (folder.empty() || name.empty() || name == "." || name == "..") {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: expected a new file in an existing folder", path));
    }
    if (fs::symlink_status(folder / name, error).type() != fs::file_type::not_found) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: this file exists; choose another name", path));
    }
    return folder / name;
}

}  // namespace et::cli::mcp

#include "runtime/core/wrapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace et::core {
namespace {

constexpr std::string_view lfsMark = "version https://git-lfs.github.com/spec/";
/// Magic, method "deflate" and no reserved flag, so that few files of numbers begin like this.
constexpr std::string_view gzipMark = "\x1f\x8b\x08";
constexpr unsigned char reservedGzipFlags = 0xE0;

/// Maximum length of a pointer file, by the specification of Git LFS.
constexpr std::size_t maxPointerBytes = 1024;

std::optional<std::uint64_t> pointedSize(std::string_view pointer) {
    constexpr std::string_view key = "\nsize ";
    const std::size_t at = pointer.find(key);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = pointer.substr(at + key.size());
    std::uint64_t size = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    return read.ec == std::errc() ? std::optional(size) : std::nullopt;
}

bool startsWithIgnoringCase(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::ranges::equal(text.substr(0, lower.size()), lower, {}, [](char c) {
               return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
           });
}

bool isWebPage(std::string_view text) {
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(byteOrderMark)) {
        text.remove_prefix(byteOrderMark.size());
    }
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    return startsWithIgnoringCase(text, "<!doctype html") || startsWithIgnoringCase(text, "<html");
}

bool isGzip(std::string_view text) {
    return text.size() > gzipMark.size() && text.starts_with(gzipMark) &&
           (static_cast<unsigned char>(text[gzipMark.size()]) & reservedGzipFlags) == 0;
}

}  // namespace

std::string wrapperText(Bytes bytes) {
    const std::string_view text = textOf(bytes);
    if (text.starts_with(lfsMark) && text.size() <= maxPointerBytes) {
        const auto size = pointedSize(text);
        return size ? fmt::format("a Git LFS pointer to a file of {} bytes: git lfs pull", *size)
                    : "a Git LFS pointer: git lfs pull";
    }
    if (isGzip(text)) {
        return "compressed with gzip: gunzip it";
    }
    if (text.starts_with(zipMark)) {
        return "a ZIP archive: unzip it";
    }
    return isWebPage(text) ? "a web page: the download failed" : "";
}

Result<std::shared_ptr<const MappedFile>> openUnwrapped(const std::filesystem::path& path, ZipFiles zip) {
    ET_ASSIGN(auto file, MappedFile::open(path));
    const bool isAcceptedZip = zip == ZipFiles::Accepted && textOf(file->bytes()).starts_with(zipMark);
    if (std::string text = isAcceptedZip ? std::string() : wrapperText(file->bytes()); !text.empty()) {
        return fail(ErrorCode::Format, fmt::format("this is {}", text),
                    {.file = file->name(), .field = {}, .offset = {}});
    }
    return file;
}

}  // namespace et::core

#include "runtime/archive/zip.h"

#include "runtime/archive/detail/zip_places.h"
#include "runtime/core/fork_lock.h"
#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace et::archive {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// libzip's handles are not thread-safe, and nested archives share a source with the enclosing one, which is
/// also modified when closing: all of them share a mutex. libzip also queries the time zone for every entry's
/// date, under a lock of the C library.
struct ZipLock {
    explicit ZipLock(std::mutex& mutex) : lock(mutex) {}

  private:
    core::ForkLock noFork;
    std::scoped_lock<std::mutex> lock;
};
struct ZipCloser {
    std::shared_ptr<std::mutex> mutex;
    void operator()(zip_t* archive) const {
        const ZipLock lock(*mutex);
        zip_discard(archive);
    }
};
struct ZipFileCloser {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipHandle = std::unique_ptr<zip_t, ZipCloser>;
using ZipFileHandle = std::unique_ptr<zip_file_t, ZipFileCloser>;

/// Opens a source read-only; it is freed in any case. `mutex` is shared with related handles; the caller must
/// hold it if others use it.
Result<ZipHandle> openSource(zip_source_t* source, zip_error_t& error, const std::string& name,
                             std::shared_ptr<std::mutex> mutex) {
    zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
    if (archive == nullptr) {
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        zip_source_free(source);
        return fail(ErrorCode::Format, fmt::format("not a readable zip: {}", reason), {.field = name});
    }
    zip_error_fini(&error);
    return ZipHandle(archive, ZipCloser{std::move(mutex)});
}

/// A source of the pieces, which must outlive it; null: no memory.
zip_source_t* sourceOf(const core::FileContent& content, zip_error_t& error) {
    std::vector<zip_buffer_fragment_t> fragments;
    for (const core::Bytes piece : content.pieces()) {
        // libzip only reads from them.
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
        auto* const data = const_cast<std::byte*>(piece.data());
        fragments.push_back({.data = reinterpret_cast<zip_uint8_t*>(data), .length = piece.size()});
    }
    return zip_source_buffer_fragment_create(fragments.data(), fragments.size(), 0, &error);
}

/// Description of one entry, checked against the limits.
Result<ZipArchive::Entry> describe(zip_t& archive, std::uint64_t index, std::uint64_t archiveBytes,
                                   const ZipLimits& limits, const std::string& prefix) {
    constexpr auto needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    zip_stat_t info{};
    if (zip_stat_index(&archive, index, ZIP_FL_ENC_RAW, &info) != 0 || (info.valid & needed) != needed) {
        return fail(ErrorCode::Format, fmt::format("entry {} of the zip has no readable header", index),
                    {.field = prefix});
    }
    ZipArchive::Entry entry{.name = info.name,
                            .index = index,
                            .bytes = info.size,
                            .deflated = info.comp_method == ZIP_CM_DEFLATE};
    const core::Where where{.field = prefix + entry.name};
    if ((!entry.deflated && info.comp_method != ZIP_CM_STORE) || info.encryption_method != ZIP_EM_NONE) {
        return fail(ErrorCode::Unsupported, "expected a stored or deflated zip entry without encryption",
                    where);
    }
    if (info.comp_size > archiveBytes || (!entry.deflated && info.size != info.comp_size)) {
        return fail(ErrorCode::Format,
                    fmt::format("zip entry of {} bytes, {} of them compressed, in a file of {} bytes",
                                info.size, info.comp_size, archiveBytes),
                    where);
    }
    const bool implausible =
        info.size > limits.ratioFreeBytes && info.size / limits.deflateRatio > info.comp_size;
    if (entry.deflated && (info.size > limits.deflatedEntryBytes || implausible)) {
        return fail(
            ErrorCode::Limit,
            fmt::format("zip entry inflates from {} to {} bytes; the limits are {} bytes and {} times",
                        info.comp_size, info.size, limits.deflatedEntryBytes, limits.deflateRatio),
            where);
    }
    return entry;
}

}  // namespace

struct ZipArchive::Impl {
    std::shared_ptr<const core::FileContent> content;  ///< of the outermost archive
    std::string file;                                  ///< its name, for errors
    std::shared_ptr<Impl> outer;                       ///< enclosing archive: its handle must outlive ours
    std::shared_ptr<std::mutex> mutex;                 ///< held while a handle of this family is used
    ZipHandle handle;
    ZipLimits limits;
    std::string prefix;  ///< names of the enclosing entries, each followed by "/"
    std::uint64_t archiveBytes = 0;
    std::vector<Entry> entries;
    std::map<std::string_view, std::size_t> byName;
    /// Offset in `content`; nothing: inside a deflated or unusual entry.
    std::optional<std::uint64_t> start{};
    std::vector<detail::ZipPlace> places{};  ///< of the entries, relative to `start`; empty: unknown

    /// Offset in `content` of a stored entry's content, which must be checked; nothing: unknown.
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(const Entry& entry) const;
    void findPlaces();
    Result<> readDirectory();
    /// Offset in `content` of a large stored entry's content, which was read and verified; nothing: it must
    /// be copied. Errors: Format (damaged).
    [[nodiscard]] Result<std::optional<std::uint64_t>> placeOf(const Entry& entry) const;
    bool isInPlace(const Entry& entry, std::uint64_t offset, std::string& reason) const;
    [[nodiscard]] Result<std::vector<std::byte>> copyOf(const Entry& entry) const;
    [[nodiscard]] std::unexpected<core::Error> damaged(const Entry& entry, std::string_view reason) const;
    Result<ZipHandle> openStored(const Entry& entry, const std::string& path) const;
};

void ZipArchive::Impl::findPlaces() {
    if (start) {
        places = detail::findZipPlaces(content->part(*start, archiveBytes));
    }
}

std::optional<std::uint64_t> ZipArchive::Impl::offsetOf(const Entry& entry) const {
    if (!start || entry.deflated || places.size() != entries.size()) {
        return std::nullopt;
    }
    const detail::ZipPlace& place = places[entry.index];
    return place.name == entry.name && place.bytes == entry.bytes ? std::optional(*start + place.offset)
                                                                  : std::nullopt;
}

core::Result<> ZipArchive::Impl::readDirectory() {
    const ZipLock lock(*mutex);
    const std::int64_t count = zip_get_num_entries(handle.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > limits.entries) {
        return fail(ErrorCode::Limit,
                    fmt::format("zip of {} entries exceeds the maximum of {}", count, limits.entries),
                    {.field = prefix});
    }
    std::uint64_t inflated = 0;
    entries.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
        ET_ASSIGN(Entry entry, describe(*handle, index, archiveBytes, limits, prefix));
        inflated += entry.deflated ? entry.bytes : 0;
        if (inflated > limits.deflatedTotalBytes) {
            return fail(ErrorCode::Limit,
                        fmt::format("zip inflates to more than {} bytes", limits.deflatedTotalBytes),
                        {.field = prefix + entry.name});
        }
        entries.push_back(std::move(entry));
        if (!byName.emplace(entries.back().name, entries.size() - 1).second) {
            return fail(ErrorCode::Format, "duplicate zip entry name",
                        {.field = prefix + entries.back().name});
        }
    }
    return {};
}

core::Result<ZipArchive> ZipArchive::open(std::shared_ptr<const core::MappedFile> file, std::string name,
                                          ZipLimits limits) {
    std::string label = file->name();
    return open(core::FileContent(std::move(file)), std::move(label), std::move(name), limits);
}

core::Result<ZipArchive> ZipArchive::open(core::FileContent content, std::string file, std::string name,
                                          ZipLimits limits) {
    if (content.size() == 0) {  // libzip would open it as a zip without entries
        return fail(ErrorCode::Format, "not a readable zip: empty",
                    {.file = std::move(file), .field = std::move(name)});
    }
    const auto kept = std::make_shared<const core::FileContent>(std::move(content));
    zip_error_t error;
    zip_error_init(&error);
    auto mutex = std::make_shared<std::mutex>();
    auto archive = openSource(sourceOf(*kept, error), error, name, mutex);
    if (!archive) {
        return std::unexpected(std::move(archive).error().in(std::move(file)));
    }
    auto impl = std::make_shared<Impl>(Impl{.content = kept,
                                            .file = std::move(file),
                                            .outer = nullptr,
                                            .mutex = std::move(mutex),
                                            .handle = std::move(*archive),
                                            .limits = limits,
                                            .prefix = name.empty() ? "" : std::move(name) + "/",
                                            .archiveBytes = kept->size(),
                                            .entries = {},
                                            .byName = {},
                                            .start = 0});
    if (auto read = impl->readDirectory(); !read) {
        return std::unexpected(std::move(read).error().in(impl->file));
    }
    impl->findPlaces();
    return ZipArchive(std::move(impl));
}

core::Result<ZipHandle> ZipArchive::Impl::openStored(const Entry& entry, const std::string& path) const {
    const ZipLock lock(*mutex);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_zip_file_create(handle.get(), entry.index, 0, 0, -1, nullptr, &error);
    return openSource(source, error, path, mutex);
}

core::Result<ZipArchive> ZipArchive::openNested(const Entry& entry) const {
    const std::string path = pathOf(entry);
    if (entry.deflated) {
        ET_ASSIGN(const ZipContent content, read(entry));
        const core::Bytes bytes = content.bytes();
        auto memory = core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, impl->file);
        return open(std::move(memory), path, impl->limits);
    }
    auto archive = impl->openStored(entry, path);
    if (!archive) {
        return std::unexpected(std::move(archive).error().in(impl->file));
    }
    auto nested = std::make_shared<Impl>(Impl{.content = impl->content,
                                              .file = impl->file,
                                              .outer = impl,
                                              .mutex = impl->mutex,
                                              .handle = std::move(*archive),
                                              .limits = impl->limits,
                                              .prefix = path + "/",
                                              .archiveBytes = entry.bytes,
                                              .entries = {},
                                              .byName = {},
                                              .start = impl->offsetOf(entry)});
    if (auto result = nested->readDirectory(); !result) {
        return std::unexpected(std::move(result).error().in(impl->file));
    }
    nested->findPlaces();
    return ZipArchive(std::move(nested));
}

const core::FileContent& ZipArchive::content() const {
    return *impl->content;
}

const std::vector<ZipArchive::Entry>& ZipArchive::entries() const {
    return impl->entries;
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
    const auto found = impl->byName.find(name);
    return found == impl->byName.end() ? nullptr : &impl->entries[found->second];
}

std::string ZipArchive::pathOf(const Entry& entry) const {
    return impl->prefix + entry.name;
}

namespace {

/// Reads an entry from start to end, in pieces of at most `piece`. libzip verifies the checksum at the end of
/// the data, so the end is read too. `target` returns where to write the next bytes; `take` receives them and
/// returns whether to go on. Returns the reason of a failure; empty: all bytes were read, or `take` stopped.
template <class Target, class Take>
std::string readEntry(zip_t* archive, const ZipArchive::Entry& entry, std::uint64_t piece, Target target,
                      Take take) {
    const ZipFileHandle file(zip_fopen_index(archive, entry.index, 0));
    if (!file) {
        return zip_strerror(archive);
    }
    std::uint64_t done = 0;
    while (done < entry.bytes) {
        std::byte* const to = target(done);
        const std::int64_t count = zip_fread(file.get(), to, std::min(piece, entry.bytes - done));
        if (count <= 0) {
            return count < 0 ? zip_file_strerror(file.get()) : "shorter than its header says";
        }
        const auto bytes = static_cast<std::uint64_t>(count);
        if (!take(done, core::Bytes(to, bytes))) {
            return {};
        }
        done += bytes;
    }
    std::byte beyond{};
    const std::int64_t count = zip_fread(file.get(), &beyond, 1);
    return count == 0  ? std::string()
           : count < 0 ? zip_file_strerror(file.get())
                       : "longer than its header says";
}

}  // namespace

void ZipContent::release(core::Bytes part) const {
    if (file != nullptr) {
        core::releaseMappedPages(part);
    }
}

/// Whether the bytes at an offset of the content are those that libzip reads and verifies, so that they need
/// no copy. `reason` is set if the entry is damaged.
bool ZipArchive::Impl::isInPlace(const Entry& entry, std::uint64_t offset, std::string& reason) const {
    constexpr std::uint64_t pieceBytes = 1024 * 1024;
    std::vector<std::byte> read(pieceBytes);
    bool isEqual = true;
    reason = readEntry(
        handle.get(), entry, pieceBytes, [&](std::uint64_t) { return read.data(); },
        [&](std::uint64_t at, core::Bytes bytes) {
            const core::FileContent place = content->part(offset + at, bytes.size());
            for (const core::Bytes piece : place.pieces()) {
                isEqual = isEqual && std::ranges::equal(piece, bytes.first(piece.size()));
                core::releaseMappedPages(piece);
                bytes = bytes.subspan(piece.size());
            }
            return isEqual;
        });
    return isEqual && reason.empty();
}

Result<std::optional<std::uint64_t>> ZipArchive::Impl::placeOf(const Entry& entry) const {
    constexpr std::uint64_t minInPlace = 64 * 1024;  // smaller ones are not worth the comparison
    const auto offset = entry.bytes < minInPlace ? std::nullopt : offsetOf(entry);
    std::string reason;
    if (!offset || isInPlace(entry, *offset, reason)) {
        return offset;
    }
    return reason.empty() ? Result<std::optional<std::uint64_t>>() : damaged(entry, reason);
}

std::unexpected<core::Error> ZipArchive::Impl::damaged(const Entry& entry, std::string_view reason) const {
    return fail(ErrorCode::Format, fmt::format("damaged zip entry: {}", reason),
                {.file = file, .field = prefix + entry.name});
}

core::Result<std::vector<std::byte>> ZipArchive::Impl::copyOf(const Entry& entry) const {
    std::vector<std::byte> copied(static_cast<std::size_t>(entry.bytes));
    const std::string reason = readEntry(
        handle.get(), entry, entry.bytes, [&](std::uint64_t at) { return copied.data() + at; },
        [](std::uint64_t, core::Bytes) { return true; });
    return reason.empty() ? Result<std::vector<std::byte>>(std::move(copied)) : damaged(entry, reason);
}

std::optional<std::uint64_t> ZipArchive::offsetOf(const Entry& entry) const {
    return impl->offsetOf(entry);
}

core::Result<ZipContent> ZipArchive::read(const Entry& entry) const {
    const ZipLock lock(*impl->mutex);
    ET_ASSIGN(const auto offset, impl->placeOf(entry));
    const auto place = offset ? impl->content->place(*offset, entry.bytes) : std::nullopt;
    if (place) {
        return ZipContent(impl->content, *place);
    }
    return impl->copyOf(entry).transform([](auto bytes) { return ZipContent(std::move(bytes)); });
}

core::Result<core::FileContent> ZipArchive::pieces(const Entry& entry) const {
    const ZipLock lock(*impl->mutex);
    ET_ASSIGN(const auto offset, impl->placeOf(entry));
    if (offset) {
        return impl->content->part(*offset, entry.bytes);
    }
    return impl->copyOf(entry).transform([](auto bytes) { return core::FileContent(std::move(bytes)); });
}

}  // namespace et::archive

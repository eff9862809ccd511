#include "etrecord/zip.h"

#include "etrecord/detail/zip_places.h"
#include "runtime/core/fork_lock.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace et::etrecord {
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
    std::shared_ptr<const core::MappedFile> file;
    std::shared_ptr<Impl> outer;        ///< enclosing archive: its handle must outlive ours
    std::shared_ptr<std::mutex> mutex;  ///< held while a handle of this family is used
    ZipHandle handle;
    ZipLimits limits;
    std::string prefix;  ///< names of the enclosing entries, each followed by "/"
    std::uint64_t archiveBytes = 0;
    std::vector<Entry> entries;
    std::map<std::string_view, std::size_t> byName;
    std::optional<std::uint64_t> start{};  ///< offset in `file`; nothing: inside a deflated or unusual entry
    std::vector<detail::ZipPlace> places{};  ///< of the entries, relative to `start`; empty: unknown

    /// Offset in `file` of a stored entry's content, which must be checked; nothing: unknown.
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(const Entry& entry) const;
    void findPlaces();
    Result<> readDirectory();
    Result<ZipHandle> openStored(const Entry& entry, const std::string& path) const;
};

void ZipArchive::Impl::findPlaces() {
    if (start) {
        places = detail::findZipPlaces(file->bytes().subspan(*start, archiveBytes));
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
    const core::Bytes bytes = file->bytes();
    if (bytes.empty()) {  // libzip would open it as a zip without entries
        return fail(ErrorCode::Format, "not a readable zip: empty",
                    {.file = file->name(), .field = std::move(name)});
    }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    auto mutex = std::make_shared<std::mutex>();
    auto archive = openSource(source, error, name, mutex);
    if (!archive) {
        return std::unexpected(std::move(archive).error().in(file->name()));
    }
    auto impl = std::make_shared<Impl>(Impl{.file = std::move(file),
                                            .outer = nullptr,
                                            .mutex = std::move(mutex),
                                            .handle = std::move(*archive),
                                            .limits = limits,
                                            .prefix = name.empty() ? "" : std::move(name) + "/",
                                            .archiveBytes = bytes.size(),
                                            .entries = {},
                                            .byName = {},
                                            .start = 0});
    if (auto read = impl->readDirectory(); !read) {
        return std::unexpected(std::move(read).error().in(impl->file->name()));
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
        auto memory = core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, impl->file->name());
        return open(std::move(memory), path, impl->limits);
    }
    auto archive = impl->openStored(entry, path);
    if (!archive) {
        return std::unexpected(std::move(archive).error().in(impl->file->name()));
    }
    auto nested = std::make_shared<Impl>(Impl{.file = impl->file,
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
        return std::unexpected(std::move(result).error().in(impl->file->name()));
    }
    nested->findPlaces();
    return ZipArchive(std::move(nested));
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
    if (file != nullptr && !part.empty()) {
        file->release(static_cast<std::size_t>(part.data() - file->bytes().data()), part.size());
    }
}

core::Result<ZipContent> ZipArchive::read(const Entry& entry) const {
    constexpr std::uint64_t minInPlace = 64 * 1024;  // smaller ones are not worth the comparison
    constexpr std::uint64_t pieceBytes = 1024 * 1024;
    const ZipLock lock(*impl->mutex);
    const auto damaged = [&](const std::string& reason) {
        return fail(ErrorCode::Format, fmt::format("damaged zip entry: {}", reason),
                    {.file = impl->file->name(), .field = pathOf(entry)});
    };
    const auto offset = entry.bytes < minInPlace ? std::nullopt : impl->offsetOf(entry);
    if (offset) {
        // The bytes in place must be those that libzip reads and verifies.
        std::vector<std::byte> piece(pieceBytes);
        const core::Bytes place = impl->file->bytes().subspan(*offset, entry.bytes);
        bool isEqual = true;
        const std::string reason = readEntry(
            impl->handle.get(), entry, pieceBytes, [&](std::uint64_t) { return piece.data(); },
            [&](std::uint64_t at, core::Bytes bytes) {
                isEqual = std::ranges::equal(bytes, place.subspan(at, bytes.size()));
                impl->file->release(*offset + at, bytes.size());
                return isEqual;
            });
        if (!reason.empty()) {
            return damaged(reason);
        }
        if (isEqual) {
            return ZipContent(impl->file, *offset, entry.bytes);
        }
    }
    std::vector<std::byte> content(static_cast<std::size_t>(entry.bytes));
    const std::string reason = readEntry(
        impl->handle.get(), entry, entry.bytes, [&](std::uint64_t at) { return content.data() + at; },
        [](std::uint64_t, core::Bytes) { return true; });
    if (!reason.empty()) {
        return damaged(reason);
    }
    return ZipContent(std::move(content));
}

}  // namespace et::etrecord

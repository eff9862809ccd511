#include "etrecord/detail/zip_writer.h"

#include <fmt/format.h>
#include <zip.h>

#include <memory>

namespace et::etrecord::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

struct SourceReleaser {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using SourceHandle = std::unique_ptr<zip_source_t, SourceReleaser>;

std::unexpected<core::Error> zipFailure(const char* reason) {
    return fail(ErrorCode::Io, fmt::format("cannot write the zip: {}", reason));
}

/// Adds a stored entry; `content` must live until the archive is closed.
Result<> addEntry(zip_t* archive, const std::string& name, const std::string& content) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index =
        source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return zipFailure(zip_strerror(archive));
    }
    const auto position = static_cast<zip_uint64_t>(index);
    // 1980-01-01, the zip epoch: makes the output independent of the current date.
    constexpr zip_uint16_t epochDate = (1U << 5U) | 1U;
    if (zip_set_file_compression(archive, position, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(archive, position, 0, epochDate, 0) != 0) {
        return zipFailure(zip_strerror(archive));
    }
    return {};
}

Result<> fillArchive(zip_source_t* target, const Entries& entries) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_keep(target);  // closing the archive releases it once
    zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
    if (archive == nullptr) {
        zip_source_free(target);
        return zipFailure(zip_error_strerror(&error));
    }
    for (const auto& [name, content] : entries) {
        if (auto added = addEntry(archive, name, content); !added) {
            zip_discard(archive);
            return added;
        }
    }
    if (zip_close(archive) != 0) {
        const std::string reason = zip_strerror(archive);
        zip_discard(archive);
        return zipFailure(reason.c_str());
    }
    return {};
}

}  // namespace

Result<std::vector<std::byte>> storeEntries(const Entries& entries) {
    zip_error_t error;
    zip_error_init(&error);
    const SourceHandle target(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!target) {
        return zipFailure(zip_error_strerror(&error));
    }
    ET_TRY(fillArchive(target.get(), entries));
    zip_stat_t info{};
    if (zip_source_stat(target.get(), &info) != 0 || zip_source_open(target.get()) != 0) {
        return zipFailure(zip_error_strerror(zip_source_error(target.get())));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(info.size));
    const zip_int64_t count = zip_source_read(target.get(), bytes.data(), bytes.size());
    zip_source_close(target.get());
    if (count < 0 || static_cast<std::size_t>(count) != bytes.size()) {
        return zipFailure("short read");
    }
    return bytes;
}

}  // namespace et::etrecord::detail

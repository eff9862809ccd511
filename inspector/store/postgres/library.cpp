#include "inspector/store/postgres/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr const char* libraryName = "libpq.so.5";

/// Looks up functions, and records the first missing one.
struct Loader {
    void* handle;
    std::string missing{};

    template <class Function>
    Function find(const char* name) {
        void* const found = ::dlsym(handle, name);
        missing = found == nullptr && missing.empty() ? name : missing;
        return reinterpret_cast<Function>(found);
    }
};

Result<PostgresLibrary> load() {
    // Never unloaded, since connections of any thread may use it.
    void* const handle = ::dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format("a store on a PostgreSQL server needs the library {} (Debian: libpq5)", libraryName));
    }
    Loader loader{.handle = handle};
    const PostgresLibrary library{
        .clear = loader.find<decltype(&::PQclear)>("PQclear"),
        .connectdbParams = loader.find<decltype(&::PQconnectdbParams)>("PQconnectdbParams"),
        .conninfoFree = loader.find<decltype(&::PQconninfoFree)>("PQconninfoFree"),
        .conninfoParse = loader.find<decltype(&::PQconninfoParse)>("PQconninfoParse"),
        .errorMessage = loader.find<decltype(&::PQerrorMessage)>("PQerrorMessage"),
        .exec = loader.find<decltype(&::PQexec)>("PQexec"),
        .finish = loader.find<decltype(&::PQfinish)>("PQfinish"),
        .fname = loader.find<decltype(&::PQfname)>("PQfname"),
        .freemem = loader.find<decltype(&::PQfreemem)>("PQfreemem"),
        .ftype = loader.find<decltype(&::PQftype)>("PQftype"),
        .getisnull = loader.find<decltype(&::PQgetisnull)>("PQgetisnull"),
        .getlength = loader.find<decltype(&::PQgetlength)>("PQgetlength"),
        .getResult = loader.find<decltype(&::PQgetResult)>("PQgetResult"),
        .getvalue = loader.find<decltype(&::PQgetvalue)>("PQgetvalue"),
        .nfields = loader.find<decltype(&::PQnfields)>("PQnfields"),
        .ntuples = loader.find<decltype(&::PQntuples)>("PQntuples"),
        .prepare = loader.find<decltype(&::PQprepare)>("PQprepare"),
        .putCopyData = loader.find<decltype(&::PQputCopyData)>("PQputCopyData"),
        .putCopyEnd = loader.find<decltype(&::PQputCopyEnd)>("PQputCopyEnd"),
        .resultErrorField = loader.find<decltype(&::PQresultErrorField)>("PQresultErrorField"),
        .resultErrorMessage = loader.find<decltype(&::PQresultErrorMessage)>("PQresultErrorMessage"),
        .resultStatus = loader.find<decltype(&::PQresultStatus)>("PQresultStatus"),
        .sendQueryPrepared = loader.find<decltype(&::PQsendQueryPrepared)>("PQsendQueryPrepared"),
        .setChunkedRowsMode = loader.find<decltype(&::PQsetChunkedRowsMode)>("PQsetChunkedRowsMode"),
        .setNoticeProcessor = loader.find<decltype(&::PQsetNoticeProcessor)>("PQsetNoticeProcessor"),
        .status = loader.find<decltype(&::PQstatus)>("PQstatus"),
    };
    if (!loader.missing.empty()) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("expected libpq of version 17 or later, got one without {}", loader.missing));
    }
    return library;
}

}  // namespace

Result<const PostgresLibrary*> postgresLibrary() {
    static const Result<PostgresLibrary> library = load();
    if (!library) {
        return std::unexpected(library.error());
    }
    return &*library;
}

}  // namespace et::inspector::store

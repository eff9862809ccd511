#include "inspector/store/postgres/link.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

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

/// Meaning of the leading characters of an SQLSTATE (Appendix A of PostgreSQL's documentation); others are
/// system errors.
struct StateTraits {
    std::string_view prefix;
    ErrorCode meaning;
};
constexpr std::array states{
    StateTraits{"22", ErrorCode::Format},       StateTraits{"23", ErrorCode::Format},
    StateTraits{"3F", ErrorCode::Format},       StateTraits{"42501", ErrorCode::Io},
    StateTraits{"42", ErrorCode::Format},       StateTraits{"54", ErrorCode::Limit},
    StateTraits{"57014", ErrorCode::Cancelled},
};
/// Serialization failures, deadlocks, and unique violations by concurrent inserts.
constexpr std::array<std::string_view, 3> conflicts{"40001", "40P01", "23505"};
constexpr std::string_view lockTimeout = "55P03";
/// Maximum number of results to drain from an abandoned command.
constexpr std::size_t maxSkipped = 10'000;

std::string firstLine(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    return core::printable(text);
}

struct Options {
    const PostgresLibrary& library;
    PQconninfoOption* list;

    explicit Options(const PostgresLibrary& loaded, const std::string& address)
        : library(loaded), list(loaded.conninfoParse(address.c_str(), nullptr)) {}
    ~Options() { library.conninfoFree(list); }
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;

    [[nodiscard]] std::string value(std::string_view keyword) const {
        for (const PQconninfoOption* each = list; each != nullptr && each->keyword != nullptr; ++each) {
            if (each->keyword == keyword && each->val != nullptr) {
                return each->val;
            }
        }
        return {};
    }
};

/// Uses only those options that identify the store.
std::string nameOf(const Options& options) {
    const std::string user = options.value("user");
    const std::string host = options.value("host");
    const std::string port = options.value("port");
    const bool isFolder = host.starts_with('/');
    std::string name = fmt::format("postgresql://{}{}", user, user.empty() ? "" : "@");
    name += isFolder ? "" : host;
    name += port.empty() ? "" : ":" + port;
    name += "/" + options.value("dbname");
    name += isFolder ? "?host=" + host : "";
    return core::printable(name);
}

/// Suppresses server notices, which libpq would print.
void ignoreNotice(void*, const char*) {
}

}  // namespace

Result<const PostgresLibrary*> postgresLibrary() {
    static const Result<PostgresLibrary> library = load();
    if (!library) {
        return std::unexpected(library.error());
    }
    return &*library;
}

Result<std::unique_ptr<PostgresLink>> PostgresLink::connect(const std::string& address) {
    ET_ASSIGN(const PostgresLibrary* const library, postgresLibrary());
    const Options options(*library, address);
    if (options.list == nullptr) {
        // libpq's message may contain the password.
        return fail(
            ErrorCode::InvalidArgument,
            "expected the address of a server: postgresql://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE&...]");
    }
    // The address comes after the defaults that it may override.
    const std::array keywords{"connect_timeout", "fallback_application_name", "dbname", "client_encoding",
                              static_cast<const char*>(nullptr)};
    const std::array values{"10", "et-inspect", address.c_str(), "UTF8", static_cast<const char*>(nullptr)};
    PGconn* const opened = library->connectdbParams(keywords.data(), values.data(), 1);
    std::unique_ptr<PostgresLink> link(new PostgresLink(*library, opened, nameOf(options)));
    if (opened == nullptr) {
        return fail(ErrorCode::Limit, "not enough memory for a connection", {.file = link->name()});
    }
    library->setNoticeProcessor(opened, ignoreNotice, nullptr);
    if (library->status(opened) != CONNECTION_OK) {
        return fail(ErrorCode::Io, firstLine(library->errorMessage(opened)), {.file = link->name()});
    }
    return link;
}

PostgresLink::~PostgresLink() {
    if (connection != nullptr) {
        library.finish(connection);
    }
}

Result<> PostgresLink::release() {
    if (active != nullptr) {
        std::exchange(active, nullptr)->takeRest();
    }
    return connection == nullptr ? Result<>(failure(nullptr)) : Result<>();
}

Result<> PostgresLink::command(std::string_view sql, ExecStatusType expected) {
    ET_TRY(release());
    const PostgresResult result(library.exec(connection, std::string(sql).c_str()), {&library});
    if (library.resultStatus(result.get()) == expected) {
        return {};
    }
    auto failed = failure(result.get());
    skipRest();
    return failed;
}

PostgresResult PostgresLink::next() {
    return {connection == nullptr ? nullptr : library.getResult(connection), {&library}};
}

void PostgresLink::skipRest() {
    for (std::size_t i = 0; i < maxSkipped; ++i) {
        const PostgresResult result = next();
        if (result == nullptr) {
            return;
        }
        const ExecStatusType status = library.resultStatus(result.get());
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
            break;  // would be repeated endlessly
        }
    }
    hangUp("the server did not complete its response");
}

void PostgresLink::hangUp(std::string why) {
    if (connection != nullptr) {
        library.finish(std::exchange(connection, nullptr));
        ended = std::move(why);
    }
}

std::unexpected<core::Error> PostgresLink::failure(const PGresult* result) {
    const core::Where where{.file = shown};
    if (connection == nullptr) {
        return fail(ErrorCode::Io, "database: " + ended, where);
    }
    const auto field = [&](int code) {
        const char* const text = result == nullptr ? nullptr : library.resultErrorField(result, code);
        return text == nullptr ? std::string_view() : std::string_view(text);
    };
    const std::string_view state = field(PG_DIAG_SQLSTATE);
    conflict = std::ranges::contains(conflicts, state);
    if (state == lockTimeout) {
        return fail(ErrorCode::Io, "another process has locked the database for too long: try again", where);
    }
    const auto* const found =
        std::ranges::find_if(states, [&](const StateTraits& each) { return state.starts_with(each.prefix); });
    std::string message = firstLine(field(PG_DIAG_MESSAGE_PRIMARY));
    if (message.empty()) {
        message = firstLine(library.errorMessage(connection));
    }
    return fail(found == states.end() ? ErrorCode::Io : found->meaning,
                "database: " + (message.empty() ? "unexpected response" : message), where);
}

}  // namespace et::inspector::store

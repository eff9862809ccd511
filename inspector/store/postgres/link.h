#pragma once

#include "runtime/core/result.h"

#include <libpq-fe.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// The libpq functions (libpq-fe.h) that we call. The library is loaded on first use of a server: it depends
/// on TLS, Kerberos and LDAP, which would slow down all other commands, and it is optional for users of files
/// only.
struct PostgresLibrary {
    decltype(&::PQclear) clear;
    decltype(&::PQconnectdbParams) connectdbParams;
    decltype(&::PQconninfoFree) conninfoFree;
    decltype(&::PQconninfoParse) conninfoParse;
    decltype(&::PQerrorMessage) errorMessage;
    decltype(&::PQexec) exec;
    decltype(&::PQfinish) finish;
    decltype(&::PQfname) fname;
    decltype(&::PQfreemem) freemem;
    decltype(&::PQftype) ftype;
    decltype(&::PQgetisnull) getisnull;
    decltype(&::PQgetlength) getlength;
    decltype(&::PQgetResult) getResult;
    decltype(&::PQgetvalue) getvalue;
    decltype(&::PQnfields) nfields;
    decltype(&::PQntuples) ntuples;
    decltype(&::PQprepare) prepare;
    decltype(&::PQputCopyData) putCopyData;
    decltype(&::PQputCopyEnd) putCopyEnd;
    decltype(&::PQresultErrorField) resultErrorField;
    decltype(&::PQresultErrorMessage) resultErrorMessage;
    decltype(&::PQresultStatus) resultStatus;
    decltype(&::PQsendQueryPrepared) sendQueryPrepared;
    decltype(&::PQsetChunkedRowsMode) setChunkedRowsMode;
    decltype(&::PQsetNoticeProcessor) setNoticeProcessor;
    decltype(&::PQstatus) status;
};

/// Errors: Unsupported (the library is not installed, or older than version 17).
[[nodiscard]] core::Result<const PostgresLibrary*> postgresLibrary();

struct PostgresClear {
    const PostgresLibrary* library;
    void operator()(PGresult* result) const { library->clear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, PostgresClear>;

/// A reader of rows that the server is still sending.
class PostgresReader {
  public:
    PostgresReader() = default;
    virtual ~PostgresReader() = default;
    PostgresReader(const PostgresReader&) = delete;
    PostgresReader& operator=(const PostgresReader&) = delete;
    /// Fetches all remaining rows, because another command is about to be sent.
    virtual void takeRest() = 0;
};

/// A connection to a server that runs one command at a time. The server is untrusted: an unexpected response
/// closes the connection.
class PostgresLink {
  public:
    /// Errors: InvalidArgument (not a server address), Io (no response, or refused), Unsupported (no
    /// library).
    [[nodiscard]] static core::Result<std::unique_ptr<PostgresLink>> connect(const std::string& address);
    ~PostgresLink();
    PostgresLink(const PostgresLink&) = delete;
    PostgresLink& operator=(const PostgresLink&) = delete;

    /// Address without password and options, for messages.
    [[nodiscard]] const std::string& name() const { return shown; }
    [[nodiscard]] const PostgresLibrary& of() const { return library; }
    [[nodiscard]] PGconn* handle() const { return connection; }
    /// See Connection::metConflict().
    [[nodiscard]] bool metConflict() const { return conflict; }

    /// Completes the current command so that another can be sent. Errors: Io (the connection is closed).
    [[nodiscard]] core::Result<> release();
    void readBy(PostgresReader* reader) { active = reader; }
    [[nodiscard]] bool isReadBy(const PostgresReader* reader) const { return active == reader; }

    /// Runs statements without parameters that must end with this status.
    [[nodiscard]] core::Result<> command(std::string_view sql, ExecStatusType expected = PGRES_COMMAND_OK);
    /// The next result of the current command; null if there are no more.
    [[nodiscard]] PostgresResult next();
    /// Drains and discards the remaining results.
    void skipRest();
    /// Closes the connection after a protocol error.
    void hangUp(std::string why);

    /// The server's error message, or libpq's if `result` is null.
    [[nodiscard]] std::unexpected<core::Error> failure(const PGresult* result);

  private:
    PostgresLink(const PostgresLibrary& loaded, PGconn* opened, std::string called)
        : library(loaded), connection(opened), shown(std::move(called)) {}

    const PostgresLibrary& library;
    PGconn* connection;  ///< null: closed
    std::string shown;
    std::string ended;  ///< why
    PostgresReader* active = nullptr;
    bool conflict = false;
};

}  // namespace et::inspector::store

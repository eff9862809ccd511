#pragma once

#include "runtime/core/result.h"

#include <libpq-fe.h>

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

}  // namespace et::inspector::store

#pragma once

#include "inspector/store/postgres/library.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace et::inspector::store {

struct PostgresClear {
    const PostgresLibrary* library;
    void operator()(PGresult* result) const { library->clear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, PostgresClear>;

/// Whoever reads rows while the server still sends them.
class PostgresReader {
  public:
    PostgresReader() = default;
    virtual ~PostgresReader() = default;
    PostgresReader(const PostgresReader&) = delete;
    PostgresReader& operator=(const PostgresReader&) = delete;
    /// Another command is about to be sent, which takes that all rows of this one have come.
    virtual void takeRest() = 0;
};

/// A connection to a server, on which one command runs at a time. What the server answers is not trusted: an
/// answer that does not fit the question ends the connection.
class PostgresLink {
  public:
    /// Errors: InvalidArgument (no address of a server), Io (none answers, or it refuses), Unsupported (no
    /// library).
    [[nodiscard]] static core::Result<std::unique_ptr<PostgresLink>> connect(const std::string& address);
    ~PostgresLink();
    PostgresLink(const PostgresLink&) = delete;
    PostgresLink& operator=(const PostgresLink&) = delete;

    /// Address without password or options, for people.
    [[nodiscard]] const std::string& name() const { return shown; }
    [[nodiscard]] const PostgresLibrary& of() const { return library; }
    [[nodiscard]] PGconn* handle() const { return connection; }
    /// See Connection::metConflict().
    [[nodiscard]] bool metConflict() const { return conflict; }

    /// Makes way for another command. Errors: Io (the connection has ended).
    [[nodiscard]] core::Result<> release();
    void readBy(PostgresReader* reader) { active = reader; }
    [[nodiscard]] bool isReadBy(const PostgresReader* reader) const { return active == reader; }

    /// Runs statements without parameters that end with this status.
    [[nodiscard]] core::Result<> command(std::string_view sql, ExecStatusType expected = PGRES_COMMAND_OK);
    /// The next part of the answer to what was sent; null: there is no more.
    [[nodiscard]] PostgresResult next();
    /// Reads the answer to its end, and forgets it.
    void skipRest();
    /// Nothing that comes makes sense any more.
    void hangUp(std::string why);

    /// What the server says went wrong; null: what the library says.
    [[nodiscard]] std::unexpected<core::Error> failure(const PGresult* result);

  private:
    PostgresLink(const PostgresLibrary& loaded, PGconn* opened, std::string called)
        : library(loaded), connection(opened), shown(std::move(called)) {}

    const PostgresLibrary& library;
    PGconn* connection;  ///< null: it has ended
    std::string shown;
    std::string ended;  ///< why
    PostgresReader* active = nullptr;
    bool conflict = false;
};

}  // namespace et::inspector::store

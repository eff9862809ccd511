#pragma once

#include "app/studio/background.h"
#include "bundled_program/verify.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"
#include "inspector/store/query.h"
#include "inspector/store/session_store.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::studio {

/// Result of a query.
struct SqlAnswer {
    using Results = std::vector<inspector::store::QueryResult>;
    std::shared_ptr<const Results> results = std::make_shared<Results>();  ///< never null; shared instead of
                                                                           ///< copied
    QString problem{};                                                     ///< one line; empty: none
    std::optional<std::size_t> offset{};  ///< position of the problem, in bytes of the query
    std::chrono::milliseconds took{0};
};

/// Sources of the tables.
struct SqlSources {
    std::shared_ptr<const inspector::Session> session{};                         ///< null: nothing is open
    std::shared_ptr<const inspector::GapReport> gap{};                           ///< null: not available
    std::shared_ptr<const std::vector<bundled_program::CaseReport>> verdicts{};  ///< null: none
    std::vector<inspector::store::Note> notes{};
};

/// Runs queries over the tables of a session on a thread, one at a time. The first query builds the tables.
class SqlRunner : public QObject {
    Q_OBJECT

  public:
    /// Maximum number of rows in a result.
    static constexpr std::size_t maxRows = 100'000;

    explicit SqlRunner(QObject* parent = nullptr);
    ~SqlRunner() override;
    SqlRunner(const SqlRunner&) = delete;
    SqlRunner& operator=(const SqlRunner&) = delete;

    /// Sets the sources of the next query; cancels a running one.
    void setSources(SqlSources sources);
    void run(const QString& sql);
    /// Cancels the query, which then ends with a corresponding problem.
    void cancel();
    [[nodiscard]] bool running() const { return work.running(); }

  signals:
    void finished(const et::studio::SqlAnswer& answer);

  private:
    struct Tables;

    std::shared_ptr<Tables> tables;                ///< of the session; null: nothing is open
    std::shared_ptr<std::atomic<bool>> cancelled;  ///< for the running query
    Background<SqlAnswer> work;
};

}  // namespace et::studio

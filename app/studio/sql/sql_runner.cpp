#include "app/studio/sql/sql_runner.h"

#include "backends/builtin.h"
#include "inspector/store/session_store.h"
#include "visualizers/toolkit/text.h"

#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace et::studio {

using core::Result;
using inspector::store::Database;
using inspector::store::QueryResult;

/// The tables of a session; only one thread at a time may use them.
struct SqlRunner::Tables {
    SqlSources of;
    std::mutex mutex{};
    std::shared_ptr<Database> database{};  ///< null until built

    Result<std::vector<QueryResult>> ask(const std::string& sql, const std::atomic<bool>& cancelled) {
        const std::scoped_lock lock(mutex);
        if (database == nullptr) {
            const std::span<const bundled_program::CaseReport> none;
            ET_ASSIGN(database, inspector::store::sessionDatabase(
                                    *of.session, {.backends = backends::describable(),
                                                  .gap = of.gap.get(),
                                                  .verdicts = of.verdicts == nullptr ? none : *of.verdicts,
                                                  .notes = of.notes,
                                                  .layout = {},
                                                  .writer = "et-studio",
                                                  .cancel = &cancelled}));
            database->allowReadingOnly();
        }
        database->cancelWhen([&cancelled] { return cancelled.load(); });
        std::vector<QueryResult> results;
        ET_TRY(inspector::store::runQueries(*database, sql, {.maxRows = maxRows}, [&](QueryResult result) {
            results.push_back(std::move(result));
            return Result<>();
        }));
        return results;
    }
};

SqlRunner::SqlRunner(QObject* parent) : QObject(parent), work(this) {
}

SqlRunner::~SqlRunner() {
    if (cancelled) {
        *cancelled = true;
    }
}

void SqlRunner::setSources(SqlSources sources) {
    if (cancelled) {
        *cancelled = true;
    }
    work.forget();
    tables = sources.session == nullptr ? nullptr : std::make_shared<Tables>(std::move(sources));
}

void SqlRunner::run(const QString& sql) {
    if (tables == nullptr) {
        return;
    }
    if (cancelled) {
        *cancelled = true;
    }
    cancelled = std::make_shared<std::atomic<bool>>(false);
    const auto ask = [asked = tables, flag = cancelled, text = sql.toStdString()] {
        const auto start = std::chrono::steady_clock::now();
        auto results = asked->ask(text, *flag);
        SqlAnswer answer;
        answer.took =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
        if (results) {
            answer.results = std::make_shared<SqlAnswer::Results>(*std::move(results));
        } else {
            answer.offset = results.error().where.offset;
            answer.problem = visualizers::toQString(
                results.error().code == core::ErrorCode::Cancelled ? "cancelled" : results.error().message);
        }
        return answer;
    };
    work.start(ask, [this](const SqlAnswer& answer) { emit finished(answer); });
}

void SqlRunner::cancel() {
    if (cancelled) {
        *cancelled = true;
    }
}

}  // namespace et::studio

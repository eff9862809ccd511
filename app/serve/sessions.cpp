#include "app/output/findings/findings_text.h"
#include "app/serve/cancellation.h"
#include "app/serve/functions.h"
#include "app/serve/time_scales.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/session_save.h"
#include "backends/builtin.h"
#include "inspector/findings/findings.h"
#include "inspector/store/query.h"

#include <array>
#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using core::Result;
using inspector::store::Database;
using inspector::store::QueryResult;
using inspector::store::SessionStore;

constexpr const char* writer = "et-inspect " ET_INSPECT_VERSION;

/// A session with its tables, which are built by the first query.
class Session {
  public:
    static Result<std::shared_ptr<Session>> open(tasks::SessionInput input) {
        auto made = std::make_shared<Session>();
        made->input = std::move(input);
        ET_ASSIGN(tasks::SessionSource source, tasks::SessionSource::open(made->input.files));
        ET_ASSIGN(made->opened, tasks::openInput(made->input.join, source));
        made->store = std::move(source.store);
        return made;
    }

    [[nodiscard]] const inspector::Session& session() const { return *opened.session; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return opened.warnings; }
    [[nodiscard]] const tasks::SessionInput& from() const { return input; }
    [[nodiscard]] const std::optional<SessionStore>& stored() const { return store; }

    /// Returns the result of each statement of `sql`.
    Result<std::vector<QueryResult>> ask(const std::string& sql, std::size_t maxRows,
                                         const std::atomic<bool>& cancel) {
        const std::lock_guard one(asking);
        ET_TRY(makeTables(cancel));
        tables->cancelWhen([&cancel] { return cancel.load(); });
        std::vector<QueryResult> answers;
        auto asked = inspector::store::runQueries(
            *tables, sql, {.maxRows = maxRows, .maxBytes = std::numeric_limits<std::size_t>::max()},
            [&](QueryResult answer) {
                answers.push_back(std::move(answer));
                return Result<>();
            });
        tables->cancelWhen({});
        ET_TRY(std::move(asked));
        return answers;
    }

  private:
    Result<> makeTables(const std::atomic<bool>& cancel) {
        if (tables != nullptr) {
            return {};
        }
        if (store) {
            tables = store->database();
        } else {
            ET_ASSIGN(
                tables,
                inspector::store::sessionDatabase(
                    session(), {.backends = backends::describable(), .writer = writer, .cancel = &cancel}));
        }
        tables->allowReadingOnly();
        return {};
    }

    tasks::SessionInput input;
    std::optional<SessionStore> store;
    tasks::OpenedSession opened;
    std::mutex asking;  ///< a database can be used by one thread at a time
    std::shared_ptr<Database> tables;
};

std::shared_ptr<Session> openSession(std::vector<std::filesystem::path> files, std::string method,
                                     const std::string& clock,
                                     const std::vector<std::string>& delegateClocks) {
    tasks::SessionInput input{.files = std::move(files), .join = {}};
    input.join.method = std::move(method);
    input.join.clock = traceClock(clock, delegateClocks);
    return unwrap(Session::open(std::move(input)));
}

/// The session's source paths by kind; for a stored session, names only.
Dict files(const inspector::SessionFiles& of) {
    Dict out;
    const auto add = [&](const char* kind, const std::filesystem::path& path) {
        if (!path.empty()) {
            out[kind] = text(path.native());
        }
    };
    add("trace", of.trace);
    add("record", of.record);
    add("debug_buffer", of.debugBuffer);
    add("program", of.program);
    add("bundle", of.bundle);
    add("tensor_data", of.tensorData);
    return out;
}

/// Returns (names, columns, complete) of a query result, in columns.
Value answered(const QueryResult& answer) {
    List names;
    List columns;
    for (std::size_t at = 0; at < answer.table.columns.size(); ++at) {
        names.push_back(text(answer.table.columns[at].id));
        columns.emplace_back(
            collected(answer.table.rows,
                      [&](const std::vector<inspector::format::Cell>& row) { return cellValue(row[at]); }));
    }
    return tupleOf(std::move(names), std::move(columns), answer.complete);
}

List ask(Session& session, const std::string& sql, std::size_t limit) {
    const std::size_t maxRows = limit == 0 ? std::numeric_limits<std::size_t>::max() : limit;
    const std::vector<QueryResult> answers = unwrap(
        cancellable([&](const std::atomic<bool>& cancel) { return session.ask(sql, maxRows, cancel); }));
    return collected(answers, [](const QueryResult& answer) { return answered(answer); });
}

void save(const Session& session, std::filesystem::path path, std::filesystem::path gap,
          std::filesystem::path verdicts, std::vector<std::string> notes, bool force) {
    const tasks::SaveSettings settings{.input = session.from(),
                                       .gap = std::move(gap),
                                       .verdicts = std::move(verdicts),
                                       .notes = std::move(notes),
                                       .output = std::move(path),
                                       .force = force,
                                       .writer = writer};
    tasks::ProgressReporter watch({.mode = tasks::ProgressMode::None}, std::nullopt);
    unwrap(tasks::saveSession(settings, watch).transform([](const auto& /*warnings*/) {}));
}

/// Extracts the files of a stored session to a folder, and returns them by kind.
Dict extract(const Session& session, const std::filesystem::path& folder) {
    if (!session.stored()) {
        raise({.code = core::ErrorCode::InvalidArgument, .message = "the session is not stored"});
    }
    return files(unwrap(session.stored()->extract(folder, inspector::store::Existing::Keep)));
}

std::string findings(const Session& session) {
    return output::findingsText(inspector::deriveFindings(session.session()), inspector::format::Format::Json,
                                {});
}

constexpr std::array sessionTable{
    function<&openSession>("Session.open"),
    function<[](const Session& self) { return files(self.session().files); }>("Session.files"),
    function<[](const Session& self) {
        return collected(self.session().files.profiles,
                         [](const std::filesystem::path& each) { return text(each.native()); });
    }>("Session.profiles"),
    function<[](const Session& self) { return self.stored().has_value(); }>("Session.stored"),
    function<[](const Session& self) { return texts(self.warnings()); }>("Session.warnings"),
    function<&ask>("Session.ask"),
    function<&save>("Session.save"),
    function<&extract>("Session.extract"),
    function<&findings>("Session.findings"),
};

}  // namespace

std::span<const Function> sessionFunctions() {
    return sessionTable;
}

}  // namespace et::serve

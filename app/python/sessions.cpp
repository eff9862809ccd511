#include "app/python/sessions.h"

#include "app/output/findings/findings_text.h"
#include "app/python/cancellable.h"
#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/name.h"
#include "app/python/time_scales.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/session_save.h"
#include "backends/builtin.h"
#include "inspector/findings/findings.h"
#include "inspector/store/query.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using core::Result;
using inspector::store::Database;
using inspector::store::QueryResult;
using inspector::store::SessionStore;

using FilesByKind = nb::typed<nb::dict, nb::str, nb::str>;

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

std::shared_ptr<Session> openSession(std::vector<std::filesystem::path> files, Name method,
                                     const std::string& clock) {
    tasks::SessionInput input{.files = std::move(files), .join = {}};
    input.join.method = std::move(method.bytes);
    input.join.source = timeScale(clock);
    return unwrap(withoutGil([&] { return Session::open(std::move(input)); }));
}

/// The session's source paths by kind; for a stored session, names only.
FilesByKind files(const inspector::SessionFiles& of) {
    FilesByKind out;
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
nb::tuple answered(const QueryResult& answer) {
    nb::list names;
    nb::list columns;
    for (std::size_t at = 0; at < answer.table.columns.size(); ++at) {
        names.append(text(answer.table.columns[at].id));
        columns.append(pythonList(answer.table.rows, [&](const std::vector<inspector::format::Cell>& row) {
            return value(row[at]);
        }));
    }
    return nb::make_tuple(names, columns, answer.complete);
}

nb::list ask(Session& session, const std::string& sql, std::size_t limit) {
    const std::size_t maxRows = limit == 0 ? std::numeric_limits<std::size_t>::max() : limit;
    const std::vector<QueryResult> answers = unwrap(
        cancellable([&](const std::atomic<bool>& cancel) { return session.ask(sql, maxRows, cancel); }));
    return pythonList(answers, [](const QueryResult& answer) { return answered(answer); });
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
    unwrap(withoutGil([&]() -> Result<> {
        tasks::ProgressReporter watch({.mode = tasks::ProgressMode::None}, std::nullopt);
        return tasks::saveSession(settings, watch).transform([](const auto& /*warnings*/) {});
    }));
}

/// Extracts the files of a stored session to a folder, and returns them by kind.
FilesByKind extract(const Session& session, const std::filesystem::path& folder) {
    if (!session.stored()) {
        raise({.code = core::ErrorCode::InvalidArgument, .message = "the session is not stored"});
    }
    return files(unwrap(
        withoutGil([&] { return session.stored()->extract(folder, inspector::store::Existing::Keep); })));
}

nb::str findings(const Session& session) {
    return text(withoutGil([&] {
        return output::findingsText(inspector::deriveFindings(session.session()),
                                    inspector::format::Format::Json, {});
    }));
}

}  // namespace

void bindSessions(nb::module_& module) {
    nb::class_<Session>(module, "Session", "Related files, linked; immutable.")
        .def_static("open", &openSession, "files"_a, "method"_a, "source_time_scale"_a,
                    "Reads a session, or the files that form one, detected by content.\n\n`method`: the one "
                    "that the trace ran; empty: detected.")
        .def_prop_ro(
            "files", [](const Session& self) { return files(self.session().files); },
            "{kind: path}; for a stored session {kind: name}.")
        .def_prop_ro(
            "stored", [](const Session& self) { return self.stored().has_value(); },
            "Whether it was saved as one file.")
        .def_prop_ro(
            "warnings", [](const Session& self) { return texts(self.warnings()); },
            "Contradictions between the files, one per line.")
        .def("ask", &ask, "sql"_a, "limit"_a,
             nb::sig(
                 "def ask(self, sql: str, limit: int) -> list[tuple[list[str], list[list[object]], bool]]"),
             "For each statement with a result: the column names, the columns, and whether all rows are "
             "included.\n\n`limit`: maximum number of rows; 0: all.")
        .def("save", &save, "path"_a, "gap"_a, "verify"_a, "notes"_a, "force"_a,
             "Writes the session to one file, completely or not at all.\n\n`gap`, `verify`: document files "
             "to store with it, or empty. `force`: replace a session that has notes.")
        .def("extract", &extract, "folder"_a,
             "Extracts the files of a stored session into a folder: {kind: path}.")
        .def("findings", &findings, "The document of `et-inspect findings --format json`.");
}

}  // namespace et::python

#include "app/tasks/session/session_input.h"

#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/session/package_session.h"
#include "inspector/session/belonging.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::JoinOptions;
using inspector::Session;
using inspector::store::SessionStore;

JoinOptions joinOptions(JoinOptions asked, const SessionStore& store) {
    const JoinOptions usual;
    const JoinOptions& saved = store.joinOptions();
    if (asked.clock.unit == usual.clock.unit && asked.target == usual.target) {
        asked.clock.unit = saved.clock.unit;
        asked.target = saved.target;
    }
    if (asked.clock.delegates.empty()) {
        asked.clock.delegates = saved.clock.delegates;
    }
    if (asked.method.empty()) {
        asked.method = saved.method;
    }
    asked.referenceQuirks = asked.referenceQuirks || saved.referenceQuirks;
    return asked;
}

Result<SessionSource> SessionSource::open(const std::vector<std::filesystem::path>& paths) {
    SessionSource source;
    ET_ASSIGN(source.files, inspector::recognizeFiles(paths));
    for (const inspector::RecognizedFile& file : source.files) {
        if (!inspector::store::isDatabase(file)) {
            continue;
        }
        if (source.files.size() > 1) {
            return fail(ErrorCode::InvalidArgument,
                        "a session cannot be combined with other files: extract its files with 'et-inspect "
                        "session extract'",
                        {.file = file.path.string(), .field = {}, .offset = {}});
        }
        ET_ASSIGN(source.store, SessionStore::open(file.path));
    }
    return source;
}

Result<OpenedSession> openInput(const JoinOptions& join, const SessionSource& source,
                                inspector::SessionScope scope) {
    OpenedSession opened;
    if (source.store) {
        ET_ASSIGN(opened.session, source.store->session(joinOptions(join, *source.store)));
    } else {
        JoinOptions scaled = join;
        scaled.target = join.clock.target(join.target);
        ET_ASSIGN(auto files, inspector::placeFiles(source.files, scope));
        ET_ASSIGN(opened.session, Session::open(std::move(files), scaled, source.files));
    }
    opened.session = withPackageProgram(std::move(opened.session));
    opened.warnings = opened.session->problems;
    if (opened.session->blocks != nullptr) {
        const auto& more = opened.session->blocks->warnings();
        opened.warnings.insert(opened.warnings.end(), more.begin(), more.end());
    }
    for (std::string& contradiction : inspector::contradictions(*opened.session)) {
        if (!std::ranges::contains(opened.warnings, contradiction)) {
            opened.warnings.push_back(std::move(contradiction));
        }
    }
    return opened;
}

Result<OpenedSession> openInput(const SessionInput& input, inspector::SessionScope scope) {
    ET_ASSIGN(const SessionSource source, SessionSource::open(input.files));
    return openInput(input.join, source, scope);
}

Option& addSessionFiles(OptionList& options, SessionInput& input) {
    options.group("Input");
    return options.file(
        "FILE", input.files,
        "Session, or programs, tensor data, ETRecords, traces and debug buffers in any order; '-' is stdin");
}

void addTracedMethod(OptionList& options, JoinOptions& join) {
    options.text("--method NAME", join.method, "Traced method (default: the one that matches)");
}

void addJoinOptions(OptionList& options, JoinOptions& join) {
    addTracedMethod(options, join);
    addTraceClock(options, join.clock);
}

}  // namespace et::tasks

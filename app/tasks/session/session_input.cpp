#include "app/tasks/session/session_input.h"

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
using inspector::TimeScale;
using inspector::store::SessionStore;

JoinOptions joinOptions(JoinOptions asked, const SessionStore& store) {
    const JoinOptions usual;
    const JoinOptions& saved = store.joinOptions();
    if (asked.source == usual.source && asked.target == usual.target) {
        asked.source = saved.source;
        asked.target = saved.target;
    }
    if (asked.method.empty()) {
        asked.method = saved.method;
    }
    asked.referenceQuirks = asked.referenceQuirks || saved.referenceQuirks;
    return asked;
}

Result<std::optional<SessionStore>> findStore(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& path : files) {
        if (!inspector::store::isDatabase(path)) {
            continue;
        }
        if (files.size() > 1) {
            return fail(ErrorCode::InvalidArgument,
                        "a session cannot be combined with other files: extract its files with 'et-inspect "
                        "session extract'",
                        {.file = path.string(), .field = {}, .offset = {}});
        }
        ET_ASSIGN(SessionStore store, SessionStore::open(path));
        return std::optional(std::move(store));
    }
    return std::nullopt;
}

Result<OpenedSession> openInput(const SessionInput& input, const std::optional<SessionStore>& store) {
    OpenedSession opened;
    if (store) {
        ET_ASSIGN(opened.session, store->session(joinOptions(input.join, *store)));
    } else {
        JoinOptions join = input.join;
        join.target = join.source == TimeScale::Cycles ? TimeScale::Cycles : join.target;
        ET_ASSIGN(auto files, Session::sort(input.files, inspector::SessionScope::All));
        ET_ASSIGN(opened.session, Session::open(std::move(files), join));
    }
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

}  // namespace et::tasks

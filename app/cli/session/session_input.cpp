#include "app/cli/session/session_input.h"

#include "app/cli/option_types.h"
#include "inspector/session/belonging.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::JoinOptions;
using inspector::Session;
using inspector::TimeScale;
using inspector::store::SessionStore;

void addJoinOptions(CLI::App& app, SessionInput& input) {
    app.add_option("--method", input.join.method, "Method that the trace ran; without it, the one that fits")
        ->type_name("NAME");
    addChoice(app, "--source-time-scale", input.join.source, timeScaleWords,
              "Unit of the trace's clock (default: ns)");
}

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
                        "a session stands alone: 'et-inspect session extract' gives its files",
                        {.file = path.string(), .field = {}, .offset = {}});
        }
        ET_ASSIGN(SessionStore store, SessionStore::open(path));
        return std::optional(std::move(store));
    }
    return std::nullopt;
}

Result<std::shared_ptr<const Session>> openInput(const SessionInput& input,
                                                 const std::optional<SessionStore>& store, Console& console) {
    std::shared_ptr<const Session> session;
    if (store) {
        ET_ASSIGN(session, store->session(joinOptions(input.join, *store)));
    } else {
        JoinOptions join = input.join;
        join.target = join.source == TimeScale::Cycles ? TimeScale::Cycles : join.target;
        ET_ASSIGN(auto files, Session::sort(input.files, inspector::SessionScope::All));
        ET_ASSIGN(session, Session::open(std::move(files), join));
    }
    for (const std::string& problem : session->problems) {
        console.warn(problem);
    }
    std::vector<std::string> warnings;
    if (session->blocks != nullptr) {
        warnings = session->blocks->warnings();
    }
    for (std::string& contradiction : inspector::contradictions(*session)) {
        if (!std::ranges::contains(warnings, contradiction)) {
            warnings.push_back(std::move(contradiction));
        }
    }
    for (const std::string& warning : warnings) {
        console.warn(warning);
    }
    return session;
}

}  // namespace et::cli

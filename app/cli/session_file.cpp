#include "app/cli/session_file.h"

#include "app/cli/standard_input.h"
#include "inspector/store/session_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::store::SessionStore;
using inspector::store::StoredFile;

/// Kinds of files (StoredFile::kind) for an option, the preferred one first.
struct StoredKinds {
    std::string_view command;  ///< empty: any
    std::string_view option;
    std::array<std::string_view, 3> kinds;
};
constexpr std::array storedKinds{
    StoredKinds{"lower", "MODEL", {"record", "program", "bundle"}},
    StoredKinds{"graph", "FILE", {"program", "bundle", "record"}},
    StoredKinds{"gap", "FILE", {"bundle", "program"}},
    StoredKinds{"verify", "FILE", {"bundle"}},
    StoredKinds{"", "MODEL", {"bundle", "program"}},
    StoredKinds{"", "BEFORE", {"program", "bundle"}},
    StoredKinds{"", "AFTER", {"program", "bundle"}},
    StoredKinds{"", "ETRECORD", {"record"}},
    StoredKinds{"", "--etrecord", {"record"}},
    StoredKinds{"", "--quantized", {"record"}},
    StoredKinds{"", "--calibrate", {"bundle"}},
    StoredKinds{"", "--evaluate", {"bundle"}},
    StoredKinds{"", "--data", {"tensor_data"}},
};

/// Options for the files that belong to a model.
struct Companion {
    std::string_view option;
    std::string_view kind;
};
constexpr std::array companions{Companion{"--etrecord", "record"}, Companion{"--data", "tensor_data"},
                                Companion{"--etdump", "trace"}};

std::vector<fs::path>& openedSessions() {
    static std::vector<fs::path> paths;
    return paths;
}

const StoredFile* find(const SessionStore& store, std::string_view kind) {
    const auto found = std::ranges::find_if(store.files(), [&](const StoredFile& file) {
        return file.kind == kind && file.trace.value_or(0) == 0;
    });
    return found == store.files().end() ? nullptr : &*found;
}

Result<SessionValue> hold(const SessionStore& store, const StoredFile& file, const Option& option,
                          const std::string& session) {
    ET_ASSIGN(const auto content, store.content(file));
    ET_ASSIGN(const fs::path path, heldFile(content->bytes(), fmt::format("{}/{}", session, file.name)));
    return SessionValue{.option = &option, .path = path.string()};
}

}  // namespace

Result<std::vector<SessionValue>> filesOfSession(std::string_view command, const Option& option,
                                                 const OptionList& options, const std::string& value) {
    std::vector<SessionValue> values;
    const auto* const stored = std::ranges::find_if(storedKinds, [&](const StoredKinds& each) {
        return (each.command.empty() || each.command == command) && each.option == option.name();
    });
    if (stored == storedKinds.end() || option.kind != OptionKind::InputFile ||
        !inspector::store::isDatabase(fs::path(value))) {
        return values;
    }
    ET_ASSIGN(const SessionStore store, SessionStore::open(value));
    const StoredFile* file = nullptr;
    for (const std::string_view kind : stored->kinds) {
        file = file == nullptr && !kind.empty() ? find(store, kind) : file;
    }
    if (file == nullptr) {
        std::vector<std::string_view> kinds(stored->kinds.begin(), stored->kinds.end());
        std::erase(kinds, std::string_view());
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the session {} has no {}", value, fmt::join(kinds, " and no ")));
    }
    openedSessions().emplace_back(value);
    ET_ASSIGN(values.emplace_back(), hold(store, *file, option, value));
    for (const Companion& each : companions) {
        const auto other = std::ranges::find_if(options.all(), [&](const Option& candidate) {
            return candidate.kind == OptionKind::InputFile && candidate.name() == each.option;
        });
        const StoredFile* const more = find(store, each.kind);
        // gap compares either a program or a trace; memory needs traces with allocations.
        const bool isUsed = (option.name() == "MODEL" || option.name() == "FILE") &&
                            (each.kind != "trace" || (!option.repeatable && command != "memory")) &&
                            file->kind != "record";
        if (isUsed && other != options.all().end() && more != nullptr) {
            ET_ASSIGN(values.emplace_back(), hold(store, *more, *other, value));
        }
    }
    return values;
}

Result<> refuseToReplaceSessions(const OptionList& options) {
    for (const Option& option : options.all()) {
        if (option.kind != OptionKind::Text || option.positional || option.value != tasks::fileValue) {
            continue;
        }
        for (const std::string& value : option.values()) {
            std::error_code missing;
            if (std::ranges::any_of(openedSessions(), [&](const fs::path& session) {
                    return fs::equivalent(session, value, missing);
                })) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("{}: {} would replace the session", option.name(), value));
            }
        }
    }
    return {};
}

}  // namespace et::cli

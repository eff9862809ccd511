#include "app/cli/session_file.h"

#include "app/cli/standard_input.h"
#include "inspector/store/session_store.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::store::SessionStore;
using inspector::store::StoredFile;

/// Name of a kind (StoredFile::kind), and the kinds of files that it belongs to.
struct StoredKind {
    SessionFile kind;
    std::string_view name;
    std::vector<SessionFile> owners;
};
const StoredKind& infoOf(SessionFile kind) {
    using enum SessionFile;
    static const std::array kinds{
        StoredKind{Program, "program", {}},
        StoredKind{Bundle, "bundle", {}},
        StoredKind{TensorData, "tensor_data", {Program, Bundle}},
        StoredKind{Trace, "trace", {Program, Bundle}},
        StoredKind{Record, "record", {Program, Bundle, TensorData, Trace}},
        StoredKind{DebugBuffer, "debug_buffer", {Trace}},
    };
    return *std::ranges::find(kinds, kind, &StoredKind::kind);
}

std::vector<fs::path>& openedSessions() {
    static std::vector<fs::path> paths;
    return paths;
}

const StoredFile* find(const SessionStore& store, SessionFile kind) {
    const auto found = std::ranges::find_if(store.files(), [&](const StoredFile& file) {
        return file.kind == infoOf(kind).name && file.trace.value_or(0) == 0;
    });
    return found == store.files().end() ? nullptr : &*found;
}

/// The position of the next argument of those with `files`; ETRecords among them are not counted.
std::size_t nextArgument(const OptionList& options) {
    std::size_t count = 0;
    for (const Option& option : options.all()) {
        if (option.positional && !option.files.empty()) {
            const std::vector<std::string> values = option.values();
            count += static_cast<std::size_t>(
                std::ranges::count_if(values, [](const std::string& each) { return !isRecord(each); }));
        }
    }
    return count;
}

Result<SessionValue> hold(const SessionStore& store, const StoredFile& file, const Option& option,
                          const std::string& session) {
    ET_ASSIGN(const fs::path path,
              heldFile([&](const AppendBytes& append) { return store.read(file, append); },
                       fmt::format("{}/{}", session, file.name)));
    return SessionValue{.option = &option, .path = path.string()};
}

}  // namespace

bool isRecord(const std::string& path) {
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown)) {
        return false;
    }
    const auto file = core::MappedFile::open(path);
    return file && core::detectFileKind((*file)->bytes()) == core::FileKind::Record;
}

Result<std::vector<SessionValue>> filesOfSession(const Option& option, const OptionList& options,
                                                 const std::string& value) {
    std::vector<SessionValue> values;
    if (option.files.empty() || !inspector::store::isDatabase(fs::path(value))) {
        return values;
    }
    ET_ASSIGN(const SessionStore store, SessionStore::open(value));
    const auto kind =
        std::ranges::find_if(option.files, [&](SessionFile each) { return find(store, each) != nullptr; });
    if (kind == option.files.end()) {
        std::vector<std::string_view> kinds;
        std::ranges::transform(option.files, std::back_inserter(kinds),
                               [](SessionFile each) { return infoOf(each).name; });
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the session {} has no {}", value, fmt::join(kinds, " and no ")));
    }
    openedSessions().emplace_back(value);
    ET_ASSIGN(values.emplace_back(), hold(store, *find(store, *kind), option, value));
    const std::size_t argument = option.positional ? nextArgument(options) : Option::anyArgument;
    for (const Option& other : options.all()) {
        if (!option.positional || !other.companionOf ||
            (*other.companionOf != Option::anyArgument && *other.companionOf != argument)) {
            continue;
        }
        const SessionFile more = other.files.front();
        const StoredFile* const file = find(store, more);
        if (file != nullptr && std::ranges::contains(infoOf(more).owners, *kind)) {
            ET_ASSIGN(values.emplace_back(), hold(store, *file, other, value));
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

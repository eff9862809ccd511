#include "app/tasks/trend/measured_file.h"

#include "app/tasks/compare/sides.h"
#include "app/tasks/trend/bench_json.h"
#include "app/tasks/trend/runner_lines.h"
#include "inspector/comparison/checksum.h"
#include "inspector/session/artifact.h"
#include "inspector/store/session_store.h"
#include "inspector/trend/moment.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::ArtifactKind;
using inspector::Measurement;
using inspector::store::ModelMeasurement;
using inspector::store::SessionStore;

enum class MeasuredKind : std::uint8_t { Trace, Bench, Session, Runner };
struct MeasuredKindTraits {
    MeasuredKind kind;
    std::string_view name;  ///< stable: used in stores
};
constexpr MeasuredKindTraits measuredKinds[] = {
    {MeasuredKind::Trace, "trace"},
    {MeasuredKind::Bench, "bench"},
    {MeasuredKind::Session, "session"},
    {MeasuredKind::Runner, "runner"},
};

std::string stemOf(std::string_view path) {
    return fs::path(path).stem().string();
}

Result<MeasuredKind> kindOf(const inspector::RecognizedFile& file) {
    const core::Bytes bytes = file.file->bytes();
    if (file.kind == ArtifactKind::Database) {
        return MeasuredKind::Session;
    }
    const auto letter = std::ranges::find_if(
        bytes, [](std::byte each) { return !std::string_view(" \t\r\n").contains(static_cast<char>(each)); });
    if (letter != bytes.end() && *letter == std::byte{'{'}) {
        return MeasuredKind::Bench;
    }
    if (file.kind == ArtifactKind::Trace) {
        return MeasuredKind::Trace;
    }
    if (file.kind == ArtifactKind::Unknown && hasRunnerLines(bytes)) {
        return MeasuredKind::Runner;
    }
    return fail(
        ErrorCode::Format,
        fmt::format(
            "expected a trace, a session, the JSON of 'et-inspect bench' or lines of a runner, got {}",
            bytes.empty()                        ? "an empty file"
            : file.kind == ArtifactKind::Unknown ? "something else"
                                                 : inspector::artifactName(file.kind)),
        {.file = file.path.string(), .field = {}, .offset = {}});
}

/// Time of the file's last modification in UTC.
Result<std::string> writtenAt(const fs::path& path) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(path, error);
    if (error) {
        return fail(ErrorCode::Io, error.message(), {.file = path.string(), .field = {}, .offset = {}});
    }
    return inspector::utcText(
        std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time)));
}

Result<std::vector<ModelMeasurement>> readTrace(const std::string& path, const TrendLabels& labels) {
    ET_ASSIGN(Measurement measurement,
              openTrace({.kind = SideKind::Trace, .name = path, .record = {}}, labels.scale, {}));
    return std::vector{ModelMeasurement{.model = stemOf(path), .measurement = std::move(measurement)}};
}

Result<std::vector<ModelMeasurement>> readSession(const std::string& path) {
    ET_ASSIGN(const SessionStore store, SessionStore::open(path));
    ET_ASSIGN(const auto session, store.session(store.joinOptions()));
    if (session->blocks == nullptr) {
        return fail(ErrorCode::Format, "the session has no trace", {.file = path, .field = {}, .offset = {}});
    }
    std::string model = stemOf(path);
    for (const std::string_view kind : {"trace", "bundle", "program"}) {  // in ascending order of preference
        for (const auto& file : store.files()) {
            model = file.kind == kind && file.trace.value_or(0) == 0 ? stemOf(file.name) : model;
        }
    }
    return std::vector{
        ModelMeasurement{.model = std::move(model), .measurement = makeMeasurement(*session->blocks, path)}};
}

Result<std::vector<ModelMeasurement>> readBench(core::Bytes bytes, const std::string& path) {
    auto measured = readBenchJson(bytes);
    if (!measured) {
        return std::unexpected(std::move(measured).error().in(path));
    }
    std::vector<ModelMeasurement> models;
    for (Measurement& each : *measured) {
        std::string model = stemOf(each.name);
        models.push_back({.model = std::move(model), .measurement = std::move(each)});
    }
    return models;
}

Result<std::vector<ModelMeasurement>> readRunner(core::Bytes bytes, const std::string& path) {
    auto measured = readRunnerLines(bytes);
    if (!measured) {
        return std::unexpected(std::move(measured).error().in(path));
    }
    measured->name = path;
    return std::vector{ModelMeasurement{.model = stemOf(path), .measurement = *std::move(measured)}};
}

/// Errors: Format (contains no executions).
Result<> checkContent(const std::vector<ModelMeasurement>& models, const std::string& path) {
    for (const ModelMeasurement& each : models) {
        const auto& methods = each.measurement.methods;
        const bool ran =
            std::ranges::any_of(methods, [](const auto& method) { return !method.total.empty(); });
        if (!ran) {
            return fail(ErrorCode::Format, "the trace contains no execution of a method",
                        {.file = path, .field = {}, .offset = {}});
        }
    }
    return {};
}

/// Adds the number of threads from a bench file; it is the same for all of its models.
void addThreads(MeasuredFile& read) {
    const auto& settings = read.models.front().measurement.settings;
    if (settings && settings->threads > 0) {
        read.file.tags.try_emplace("threads", std::to_string(settings->threads));
    }
}

}  // namespace

Result<MeasuredFile> readMeasuredFile(const fs::path& path, const TrendLabels& labels,
                                      const std::unordered_set<std::string>& known) {
    ET_ASSIGN(const auto recognized, inspector::RecognizedFile::open(path));
    const auto& file = recognized.file;
    MeasuredFile read{.file = {.sha256 = inspector::sha256(file->bytes()),
                               .origin = path.string(),
                               .measured = labels.measured,
                               .commit = labels.commit,
                               .tags = labels.tags}};
    if (known.contains(read.file.sha256)) {
        read.isKnown = true;
        return read;
    }
    ET_ASSIGN(const MeasuredKind kind, kindOf(recognized));
    read.file.kind = measuredKinds[static_cast<std::size_t>(kind)].name;
    if (read.file.measured.empty()) {
        ET_ASSIGN(read.file.measured, writtenAt(path));
    }
    ET_ASSIGN(read.models, kind == MeasuredKind::Trace     ? readTrace(path.string(), labels)
                           : kind == MeasuredKind::Session ? readSession(path.string())
                           : kind == MeasuredKind::Runner  ? readRunner(file->bytes(), path.string())
                                                           : readBench(file->bytes(), path.string()));
    ET_TRY(checkContent(read.models, path.string()));
    for (ModelMeasurement& each : read.models) {
        each.model = labels.model.empty() ? std::move(each.model) : labels.model;
    }
    addThreads(read);
    return read;
}

}  // namespace et::tasks
